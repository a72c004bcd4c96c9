import { TestClock } from "../../fakes/clock.ts";
import { countingLimiters } from "../../fakes/rate-limiters.ts";
import { env } from "./env.ts";

/** The test's storage in an environment that is configured as Cloudflare runs it. */
export function deployed(environment: "sandbox" | "production"): typeof env {
  return {
    ...env,
    ...countingLimiters(new TestClock()).bindings,
    ENVIRONMENT: environment,
    SECRETS_KEY: btoa("k".repeat(32)),
    ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false",
  };
}
