import { CredentialsCache } from "../../../../src/http/auth/credentials-cache.ts";
import type { Dependencies } from "../../../../src/http/context.ts";

/** The dependencies of a new isolate: an empty credentials cache. */
export function freshIsolate(): Pick<Dependencies, "credentialsCache"> {
  return { credentialsCache: new CredentialsCache() };
}
