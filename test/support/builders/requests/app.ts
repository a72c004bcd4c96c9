import { AsyncLocalStorage } from "node:async_hooks";
import { createAppFor } from "../../../../src/app.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { env } from "../companies/env.ts";

const current = new AsyncLocalStorage<Dependencies>();
/** One for all tests: building its routes takes longer than most requests. */
const app = createAppFor(() => current.getStore() ?? systemDependencies);

interface Around {
  /** Those of the system by default. */
  deps?: Partial<Dependencies> | undefined;
  env?: typeof env | undefined;
  context?: ExecutionContext | undefined;
}

/** One request through the whole app, in this isolate; what it asks of the app in turn has the same dependencies. */
export async function fetchFromApp(request: Request, around: Around = {}): Promise<Response> {
  const deps = { ...systemDependencies, ...around.deps };
  return current.run(deps, () => app.fetch(request, around.env ?? env, around.context));
}
