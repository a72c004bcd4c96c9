import { getPath } from "hono/utils/url";
import { balanceRoutes } from "./api/balance/routes.ts";
import { transactionRoutes } from "./api/transactions/routes.ts";
import { withdrawRoutes } from "./api/withdraws/routes.ts";
import { systemDependencies } from "./dependencies.ts";
import type { Env } from "./env.ts";
import type { Api } from "./http/api.ts";
import { assemble } from "./http/assemble.ts";
import type { Dependencies } from "./http/context.ts";
import { KeptRoutes } from "./http/kept-routes.ts";

/** What takes requests. */
export interface App {
  fetch: (request: Request, env: Env, context?: ExecutionContext) => Promise<Response> | Response;
}

/**
 * The HTTP API. The routes that companies call all day are there from the start; a request for
 * anything else, were it for a path that does not exist, is answered by the app with all routes, which is
 * loaded when the first one comes.
 */
export function createApp(dependencies: Partial<Dependencies> = {}): App {
  const deps = { ...systemDependencies, ...dependencies };
  const busy = assemble(deps, [transactionRoutes, withdrawRoutes, balanceRoutes]);
  const isBusy = matcherOf(busy);
  let whole: Promise<Api> | undefined;
  const load = async () => (await import("./whole-app.ts")).wholeApp(deps);
  return {
    fetch: async (request, env, context) => {
      if (isBusy(request)) return busy.fetch(request, env, context);
      whole ??= load();
      return (await whole).fetch(request, env, context);
    },
  };
}

/** Tells the requests that one of the app's own routes answers. */
function matcherOf(app: Api): (request: Request) => boolean {
  const router = new KeptRoutes<true>();
  for (const { method, path } of app.routes) {
    if (method !== "ALL") router.add(method, path, true);
  }
  return (request) => router.match(request.method, getPath(request))[0].length > 0;
}
