import type { Context, Hono } from "hono";
import type { z } from "zod";
import {
  companyClock,
  type Clock,
  type CompanyClock,
  type RandomSource,
} from "../domain/shared/clock.ts";
import type { Company, Scope } from "../domain/shared/company.ts";
import type { Person } from "../domain/access/person.ts";
import type { Requester } from "../domain/access/requester.ts";
import type { Standing } from "../domain/access/standing.ts";
import type { Operator } from "../domain/operators/operator.ts";
import type { SpendingLimits } from "../domain/withdraws/spending-limits.ts";
import type { Env } from "../config.ts";
import type { ProviderRegistry } from "../providers/registry.ts";
import type { DeliveryDeps } from "../webhooks/delivery/deliver.ts";
import type { SchemaVersions } from "../db/schema-versions.ts";
import type { KnownPauses } from "../service-state/known-pauses.ts";
import type { CredentialsCache } from "./auth/credentials-cache.ts";

/** The app's dependencies, which tests replace with fakes. */
export interface Dependencies {
  platformClock: Clock;
  random: RandomSource;
  providers: (env: Env) => ProviderRegistry;
  sender: (env: Env) => DeliveryDeps;
  /** One per isolate; a test that simulates two isolates has two. */
  credentialsCache: CredentialsCache;
  /** One per isolate. */
  schemaVersions: Pick<SchemaVersions, "isNewer">;
  /** One per isolate. */
  pauses: Pick<KnownPauses, "ask" | "list" | "of" | "pause" | "resume">;
}

/** What acts for one company has, with the company's time. */
export interface CompanyDependencies extends Dependencies {
  clock: CompanyClock;
}

/** The dependencies of what acts for a company. */
export function depsOfCompany<Known extends Pick<Dependencies, "platformClock">>(
  deps: Known,
  company: Pick<Company, "clockOffsetMs">,
): Known & Pick<CompanyDependencies, "clock"> {
  return { ...deps, clock: companyClock(deps.platformClock, company) };
}

/** Marks credentials cached by an earlier request, which may be outdated. */
export interface CachedAuth {
  /** True until the owner of the data accepts their version. */
  unverified: boolean;
}

/** The application that calls. */
export interface CallerApplication {
  clientId: string;
  name: string;
  spendingLimits: SpendingLimits | null;
  /** Centavos that it sends back a day; null for no limit of its own. */
  refundDailyLimit: number | null;
  /** Since when, and through whom, it has its rights and the key that was presented. */
  standing: Standing;
  /** Through whom the presented key came; empty if its application or the operator issued it. */
  keyGivenBy: readonly string[];
  /** The number of the key that was presented. */
  keyId: number;
  /** The first characters of the key that was presented. */
  keyPrefix: string;
}

/** The authenticated caller. */
export interface Caller {
  clientId: string;
  application: CallerApplication;
  /** The person for whom the console asks; null for an application of its own. */
  person: Person | null;
  company: Company;
  scopes: ReadonlySet<Scope>;
  /** Null if the credentials were read for this request. */
  cachedAuth: CachedAuth | null;
}

/** Who asks, as the row of a movement of money stores it. */
export function requesterOf({
  application,
  person,
}: Pick<Caller, "application" | "person">): Requester {
  const { clientId: id, name } = application;
  return { kind: person === null ? "application" : "person", id, name };
}

/** The one-use right of a payer's page to make a card's token, for one checkout of the company. */
export interface CheckoutSession {
  id: string;
  companyId: number;
  checkoutId: string;
  /** Epoch ms. */
  expiresAt: number;
  company: Company;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    deps: Dependencies;
    /** 32 lower-case hex digits (W3C Trace Context). */
    traceId: string;
    /** The media type of the response, chosen by `Accept`. */
    mediaType: string;
    caller: Caller;
    /** The calling operator, set by `requireOperator`. */
    operator: Operator;
    /** The session of a payer's page, where it and no application calls. */
    cardSession?: CheckoutSession;
    /** Authenticates the caller from D1 and sets `caller`. Throws 401 or 403. */
    authenticate: () => Promise<Caller>;
    /** The app, for internal retries. */
    app: Pick<Hono<AppEnv>, "fetch">;
    idempotencyKey: string | null;
    /** The company whose PSP calls back, and the account at the PSP. */
    callbackSender: { company: Company; account: string };
    /** Errors of the body that its schema cannot detect. */
    fieldErrors?: z.core.$ZodIssue[];
    /** Unknown query parameters, which the schema's validator reports. */
    queryErrors?: z.core.$ZodIssue[];
    /** Unknown parameters and fields that were ignored. */
    ignored?: string[];
  };
}

export type AppContext = Context<AppEnv>;

/** The dependencies of what acts for the caller's company. Must follow authentication. */
export function companyDeps(c: AppContext): CompanyDependencies {
  return depsOfCompany(c.get("deps"), c.get("caller").company);
}
