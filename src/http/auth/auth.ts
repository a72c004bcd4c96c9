import { createMiddleware } from "hono/factory";
import {
  findCredentials,
  recordKeyUse,
  type ApplicationKey,
  type Credentials,
} from "../../db/companies/credentials.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import { personClientId, SCOPES_OF_PERSON_ROLE, type Person } from "../../domain/access/person.ts";
import { applicationAt } from "../../domain/access/application-guards.ts";
import { companyAt } from "../../domain/access/company-guards.ts";
import { SCOPES_PAUSED } from "../../domain/operators/pause.ts";
import { bothStandings, standingAt, type Standing } from "../../domain/access/standing.ts";
import { SCOPES, type Company, type Scope } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";
import { assert } from "../../lib/assert.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { clientAddress, isInNetworks } from "../client-address.ts";
import type { AppContext, AppEnv, Caller, CachedAuth } from "../context.ts";
import { companyClock, type Clock } from "../../domain/shared/clock.ts";
import { findActiveKey, noteKeyUse } from "./active-keys.ts";
import { readOptimistically, reauthenticateRejected } from "./optimistic-auth.ts";
import { forbidden } from "../problems.ts";
import { enforceCallerLimits } from "../rate-limits/enforce.ts";
import { requireRunning } from "./service-pause.ts";
import { internalRetryTraceId } from "./internal-retry.ts";
import { personOfRequest } from "./person-requests.ts";
import { ReadOncePerPage } from "./read-once-per-page.ts";

/** Longer than any client id or key that the gateway issues; longer ones are refused without a query. */
const CREDENTIAL_MAX = 255;

interface ScopeOptions {
  ownerChecksVersion?: boolean;
  orScope?: Scope;
}

/** For writes whose owner (D1 or the company's object) rejects an old credentials version. */
export const OWNER_CHECKS_VERSION = { ownerChecksVersion: true };

/**
 * Authenticates the caller and checks the scope. Every failed authentication gets the same 401; keys are
 * compared in constant time; a revoked key is refused from the next request on. Reads, and writes whose owner
 * checks the version, may start with cached credentials (decision 0022). `orScope` admits as well as `scope`.
 * Throws 401, 403, 429, and 503 for what a pause stops: by their scope, requests that charge or take money out.
 */
export function requireScope(
  scope: Scope,
  { ownerChecksVersion = false, orScope = scope }: ScopeOptions = {},
) {
  const admitting = [scope, orScope];
  const isPausable = admitting.some((each) => SCOPES_PAUSED.has(each));
  return requireOneOf(admitting, { ownerChecksVersion, isPausable });
}

/** Authenticates the caller as `requireScope` does, whatever scopes it has. */
export function requireCaller() {
  return requireOneOf(SCOPES, { ownerChecksVersion: false, isPausable: false });
}

function requireOneOf(
  admitting: readonly Scope[],
  { ownerChecksVersion, isPausable }: { ownerChecksVersion: boolean; isPausable: boolean },
) {
  const requireUnpaused = async (c: AppContext) => {
    if (isPausable) await requireRunning(c, c.get("caller").company.id);
  };
  return createMiddleware<AppEnv>(async (c, next) => {
    const person = personOfRequest(c.req.raw);
    if (person !== undefined) {
      c.set("authenticate", () => authenticatePerson(c, person, admitting));
      await authenticatePerson(c, person, admitting);
      await requireUnpaused(c);
      await next();
      return;
    }
    const presented = await presentedCredentials(c);
    c.set("authenticate", () => authenticate(c, presented, admitting));
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const isRetry = internalRetryTraceId(c.req.raw) !== undefined;
    const cached =
      (isRead || ownerChecksVersion) && !isRetry ? cachedCaller(c, presented, admitting) : null;
    if (cached === null) {
      await authenticate(c, presented, admitting, !isRetry);
      await requireUnpaused(c);
      await next();
      return;
    }
    await enforceCallerLimits(c, presented.clientId, cached.caller.company.id);
    c.set("caller", cached.caller);
    if (isRead) {
      await readOptimistically(c, cached.caller, next);
      return;
    }
    await requireUnpaused(c);
    await next();
    if (cached.cachedAuth.unverified) await reauthenticateRejected(c);
  });
}

/**
 * For a route that shows what other scopes guard: the application needs these too. Must follow `requireScope`.
 * Throws 403.
 */
export function requireFurtherScopes(...scopes: Scope[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    for (const scope of scopes) requireScopeOf(c.get("caller").scopes, [scope]);
    await next();
  });
}

/** What a request presents in its two headers. */
export interface PresentedCredentials {
  clientId: string;
  /** SHA-256 of the API key, in hex. */
  keyHash: string;
}

/** The request's credentials, unverified. Throws 401 if one is missing or too long. */
export async function presentedCredentials(c: AppContext): Promise<PresentedCredentials> {
  const clientId = c.req.header("X-Client-Id") ?? "";
  const apiKey = c.req.header("X-API-Key") ?? "";
  if (!isPlausible(clientId) || !isPlausible(apiKey)) throw invalidCredentials();
  return { clientId, keyHash: await sha256Hex(apiKey) };
}

/** The caller according to cached credentials; null if these do not admit it and D1 must decide. */
function cachedCaller(c: AppContext, presented: PresentedCredentials, admitting: readonly Scope[]) {
  const { platformClock, credentialsCache } = c.get("deps");
  const now = platformClock.now();
  const cached = credentialsCache.get(presented.clientId, now);
  const known = cached === null ? null : credentialsNow(cached, platformClock);
  if (known === null || !hasOneOf(known.scopes, admitting)) return null;
  const key = admittedKey(c, known, presented.keyHash, now);
  if (key === null) return null;
  const cachedAuth: CachedAuth = { unverified: true };
  return { cachedAuth, caller: callerOf(known, key, cachedAuth, platformClock) };
}

/** The caller according to D1, whose credentials are then cached. Throws 401, 403, 429. */
async function authenticate(
  c: AppContext,
  { clientId, keyHash }: PresentedCredentials,
  admitting: readonly Scope[],
  countsAgainstLimit = false,
): Promise<Caller> {
  const { platformClock, credentialsCache } = c.get("deps");
  const now = platformClock.now();
  const stored = await findCredentials(c.env, clientId, now);
  credentialsCache.set(clientId, stored, now);
  const found = stored === null ? null : credentialsNow(stored, platformClock);
  const key = found === null ? null : admittedKey(c, found, keyHash, now);
  if (found === null || key === null) throw invalidCredentials();
  // After the check, so that a forged client id does not use up its application's limit.
  if (countsAgainstLimit) await enforceCallerLimits(c, clientId, found.company.id);
  requireScopeOf(found.scopes, admitting);
  const caller = callerOf(found, key, null, platformClock);
  c.set("caller", caller);
  noteKeyUse(c, key, () => recordKeyUse(c.env, found.company.id, key.id, now));
  return caller;
}

/** The companies of persons, as their pages' requests have found them. */
const companies = new ReadOncePerPage<Company>();

/** The company for which a person asks. The request counts against its limits. Throws 401 if it is closed, 429. */
async function companyOfPerson(c: AppContext, person: Person): Promise<Company> {
  const company = await findOpenCompany(c.env, person.companyId);
  if (company === null) throw invalidCredentials();
  await enforceCallerLimits(c, personClientId(person), company.id);
  return company;
}

/** The caller for whom the console asks. Throws 401 if the company is closed, 403, 429. */
async function authenticatePerson(
  c: AppContext,
  person: Person,
  admitting: readonly Scope[],
): Promise<Caller> {
  const stored = await companies.read(c.req.raw, () => companyOfPerson(c, person));
  assert(stored.id === person.companyId, "a page is for one person");
  const now = companyClock(c.get("deps").platformClock, stored).now();
  const company = companyAt(stored, now);
  const clientId = personClientId(person);
  const scopes = new Set(SCOPES_OF_PERSON_ROLE[person.role]);
  if (!hasOneOf(scopes, admitting)) {
    throw forbidden(`The role ${person.role} does not have the scope ${admitting[0]}.`);
  }
  const caller: Caller = {
    clientId,
    application: {
      clientId,
      name: person.name,
      spendingLimits: null,
      refundDailyLimit: null,
      standing: standingOfCaller(person.standing, company, now),
      keyGivenBy: [],
      keyId: 0,
      keyPrefix: "",
    },
    person,
    company,
    scopes,
    cachedAuth: null,
  };
  c.set("caller", caller);
  return caller;
}

/** Credentials as they are now: what was loosened holds once the company's time has come to it. */
function credentialsNow(stored: Credentials, platformClock: Clock): Credentials {
  const nowMs = companyClock(platformClock, stored.company).now();
  return {
    ...stored,
    company: companyAt(stored.company, nowMs),
    application: applicationAt(stored.application, nowMs),
  };
}

function requireScopeOf(scopes: ReadonlySet<Scope>, admitting: readonly Scope[]): void {
  if (hasOneOf(scopes, admitting)) return;
  throw forbidden(`This application does not have the scope ${admitting[0]}.`);
}

function hasOneOf(scopes: ReadonlySet<Scope>, admitting: readonly Scope[]): boolean {
  return admitting.some((scope) => scopes.has(scope));
}

/** The active key that was presented, if the application may be used now and from this address. */
function admittedKey(
  c: AppContext,
  { application, keys }: Credentials,
  keyHash: string,
  nowMs: number,
) {
  const key = findActiveKey(keys, keyHash, nowMs);
  const { expiresAt, networks } = application;
  if (expiresAt !== null && expiresAt <= nowMs) return null;
  if (networks !== null && !isInNetworks(clientAddress(c), networks)) return null;
  return key;
}

function callerOf(
  { application, company, scopes }: Credentials,
  key: ApplicationKey,
  cachedAuth: CachedAuth | null,
  platformClock: Clock,
): Caller {
  const nowMs = companyClock(platformClock, company).now();
  const { clientId, name, spendingLimits, refundDailyLimit } = application;
  // Each by its own age: an old application with a young key of its company's own is not an operator's young one.
  const ofApplication = standingOfCaller(application.standing, company, nowMs);
  const ofKey = standingOfCaller(key.standing, company, nowMs);
  return {
    clientId,
    application: {
      clientId,
      name,
      spendingLimits,
      refundDailyLimit,
      standing: bothStandings(ofApplication, ofKey),
      keyGivenBy: ofKey.givenBy,
      keyId: key.id,
      keyPrefix: key.prefix,
    },
    person: null,
    company,
    scopes,
    cachedAuth,
  };
}

function standingOfCaller(
  standing: Standing,
  { withdrawPolicy }: Company,
  nowMs: number,
): Standing {
  return standingAt(standing, nowMs, coolDownMs(withdrawPolicy));
}

/** Refuses live companies on sandbox routes. Must follow `requireScope`. */
export const sandboxOnly = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("caller").company.mode !== "sandbox") throw sandboxRequired();
  await next();
});

/** The 403 of a live company on a sandbox route. */
export function sandboxRequired(): Problem {
  return forbidden("The sandbox serves sandbox companies only.");
}

/** Throws 403 for another company's data. */
export function requireOwnCompany(company: Company, companyId: number): void {
  if (company.id !== companyId) {
    throw forbidden("These credentials have no access to this company.");
  }
}

function isPlausible(value: string): boolean {
  return value.length > 0 && value.length <= CREDENTIAL_MAX;
}

/** The one 401 of every failed authentication. */
export function invalidCredentials(): Problem {
  return new Problem({
    code: "INVALID_CREDENTIALS",
    detail:
      "X-Client-Id or X-API-Key is missing or invalid. Send both headers; Authorization is not read.",
  });
}
