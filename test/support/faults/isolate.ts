import { KeptCredentials } from "../../../src/http/auth/kept-credentials.ts";
import type { Dependencies } from "../../../src/http/context.ts";

/** The dependencies of an isolate that has just started: what it keeps of credentials is its own. */
export function anIsolate(): Pick<Dependencies, "credentials"> {
  return { credentials: new KeptCredentials() };
}
