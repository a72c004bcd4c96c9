import type { Context } from "hono";
import type { z } from "zod";
import type { Clock, RandomSource } from "../domain/clock.ts";
import type { Company, Scope } from "../domain/company.ts";
import type { Env } from "../env.ts";
import type { ProviderRegistry } from "../providers/registry.ts";
import type { DeliveryDeps } from "../webhooks/deliver.ts";

/** What the app is given from outside, so that tests can turn the clock and play the bank. */
export interface Dependencies {
  clock: Clock;
  random: RandomSource;
  providers: (env: Env) => ProviderRegistry;
  sender: (env: Env) => DeliveryDeps;
}

/** Who is calling, once the credentials were checked. */
export interface Caller {
  clientId: string;
  company: Company;
  scopes: ReadonlySet<Scope>;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    deps: Dependencies;
    /** 32 lower-case hex digits (W3C Trace Context). */
    traceId: string;
    /** What the answer is written in, as the client's `Accept` asks. */
    mediaType: string;
    caller: Caller;
    idempotencyKey: string | null;
    /** What is wrong with the body beyond what its schema can tell. */
    fieldFaults?: z.core.$ZodIssue[];
  };
}

export type AppContext = Context<AppEnv>;
