import { systemSender } from "./api/webhooks/service.ts";
import { SchemaVersions } from "./db/schema-versions.ts";
import { systemClock, systemRandom } from "./domain/shared/clock.ts";
import type { Dependencies } from "./http/context.ts";
import { CredentialsCache } from "./http/auth/credentials-cache.ts";
import { KnownPauses } from "./service-state/known-pauses.ts";
import { providerRegistry } from "./providers/registry.ts";

/** The dependencies in production; tests replace them with fakes. */
export const systemDependencies: Dependencies = {
  platformClock: systemClock,
  random: systemRandom,
  providers: (env) => providerRegistry(env),
  sender: (env) => systemSender(env, systemClock),
  credentialsCache: new CredentialsCache(),
  schemaVersions: new SchemaVersions(systemClock),
  pauses: new KnownPauses(systemClock),
};
