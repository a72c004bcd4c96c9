import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Clock, RandomSource } from "../domain/shared/clock.ts";
import type { Company, Scope } from "../domain/shared/company.ts";
import type { Env } from "../config.ts";
import type { ProviderRegistry } from "../providers/registry.ts";
import type { DeliveryDeps } from "../webhooks/delivery/deliver.ts";
import type { CredentialsCache } from "./auth/credentials-cache.ts";

/** What the app is given from outside, so that tests can turn the clock and play the bank. */
export interface Dependencies {
  clock: Clock;
  random: RandomSource;
  providers: (env: Env) => ProviderRegistry;
  sender: (env: Env) => DeliveryDeps;
  /** What this isolate has read of applications; a test that plays two isolates has two. */
  credentialsCache: CredentialsCache;
}

/** Credentials that were kept since an earlier request, which may have been changed since. */
export interface CachedAuth {
  /** Nobody has said yet whether they hold still. */
  unverified: boolean;
}

/** Who is calling, once the credentials were checked: against what was read for it, or kept. */
export interface Caller {
  clientId: string;
  company: Company;
  scopes: ReadonlySet<Scope>;
  /** Null where the credentials were read for this request. */
  cachedAuth: CachedAuth | null;
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
    /** The client id of the operator who is calling, behind `requireOperator`. */
    operator: string;
    /** Reads the caller's credentials and makes them the request's. Throws 401 or 403. */
    authenticate: () => Promise<Caller>;
    /** Where a request runs again. */
    app: Pick<Hono<AppEnv>, "fetch">;
    idempotencyKey: string | null;
    /** What is wrong with the body beyond what its schema can tell. */
    fieldErrors?: z.core.$ZodIssue[];
  };
}

export type AppContext = Context<AppEnv>;
