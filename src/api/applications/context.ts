import { companyDeps, type AppContext, type Caller } from "../../http/context.ts";
import type { ApplicationContext } from "./service.ts";

/** The context of a request about the company's applications. */
export function applicationContext(c: AppContext, caller: Caller): ApplicationContext {
  return { env: c.env, deps: companyDeps(c), caller };
}
