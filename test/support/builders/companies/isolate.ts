import { CredentialsCache } from "../../../../src/http/auth/credentials-cache.ts";
import type { Dependencies } from "../../../../src/http/context.ts";

/** The dependencies of an isolate that has just started: what it keeps of credentials is its own. */
export function freshIsolate(): Pick<Dependencies, "credentialsCache"> {
  return { credentialsCache: new CredentialsCache() };
}
