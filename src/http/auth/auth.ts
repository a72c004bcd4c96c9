import { createMiddleware } from "hono/factory";
import { findCredentials, type Credentials } from "../../db/companies/credentials.ts";
import type { Company, Scope } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { configOf, type Env } from "../../config.ts";
import { timingSafeEqual, sha256Hex } from "../../lib/hash.ts";
import type { AppContext, AppEnv, Caller, CachedAuth } from "../context.ts";
import { readOptimistically, reauthenticateRejected } from "./optimistic-auth.ts";
import { forbidden } from "../problems.ts";
import { internalRetryTraceId } from "./internal-retry.ts";

/** Longer than any client id or key that the gateway issues; longer ones are refused without a query. */
const CREDENTIAL_MAX = 255;
const RATE_LIMIT_RETRY_SECONDS = 60;
/** The two operators of the gateway, each with a key in the environment. */
export const OPERATOR_CLIENT_ID = "operator";
export const APPROVER_CLIENT_ID = "approver";

/** For writes whose owner (D1 or the company's object) rejects an old credentials version. */
export const OWNER_CHECKS_VERSION = { ownerChecksVersion: true };

/**
 * Authenticates the caller and checks the scope. Every failed authentication gets the same 401; keys are
 * compared in constant time; a revoked key is refused from the next request on. Reads, and writes whose owner
 * checks the version, may start with cached credentials (decision 0022). Throws 401, 403, 429.
 */
export function requireScope(scope: Scope, { ownerChecksVersion } = { ownerChecksVersion: false }) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const presented = await presentedCredentials(c);
    c.set("authenticate", () => authenticate(c, presented, scope));
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const isRetry = internalRetryTraceId(c.req.raw) !== undefined;
    const cached =
      (isRead || ownerChecksVersion) && !isRetry ? cachedCaller(c, presented, scope) : null;
    if (cached === null) {
      await authenticate(c, presented, scope, !isRetry);
      await next();
      return;
    }
    await enforceRateLimit(c.env.RATE_LIMITER, presented.clientId);
    c.set("caller", cached.caller);
    if (isRead) {
      await readOptimistically(c, cached.caller, next);
      return;
    }
    await next();
    if (cached.cachedAuth.unverified) await reauthenticateRejected(c);
  });
}

interface PresentedCredentials {
  clientId: string;
  keyHash: string;
}

async function presentedCredentials(c: AppContext): Promise<PresentedCredentials> {
  const clientId = c.req.header("X-Client-Id") ?? "";
  const apiKey = c.req.header("X-API-Key") ?? "";
  if (!isPlausible(clientId) || !isPlausible(apiKey)) throw invalidCredentials();
  return { clientId, keyHash: await sha256Hex(apiKey) };
}

/** The caller according to cached credentials; null if these do not admit it and D1 must decide. */
function cachedCaller(c: AppContext, presented: PresentedCredentials, scope: Scope) {
  const { clock, credentialsCache } = c.get("deps");
  const known = credentialsCache.get(presented.clientId, clock.now());
  if (known === null || !known.scopes.has(scope)) return null;
  if (!hasActiveKey(known, presented.keyHash, clock.now())) return null;
  const cachedAuth: CachedAuth = { unverified: true };
  return { cachedAuth, caller: callerOf(presented.clientId, known, cachedAuth) };
}

/** The caller according to D1, whose credentials are then cached. Throws 401, 403, 429. */
async function authenticate(
  c: AppContext,
  { clientId, keyHash }: PresentedCredentials,
  scope: Scope,
  countsAgainstLimit = false,
): Promise<Caller> {
  const { clock, credentialsCache } = c.get("deps");
  const now = clock.now();
  const found = await findCredentials(c.env, clientId, now);
  credentialsCache.set(clientId, found, now);
  if (found === null || !hasActiveKey(found, keyHash, now)) throw invalidCredentials();
  // After the check, so that a forged client id does not use up its application's limit.
  if (countsAgainstLimit) await enforceRateLimit(c.env.RATE_LIMITER, clientId);
  if (!found.scopes.has(scope)) {
    throw forbidden(`This application does not have the scope ${scope}.`);
  }
  const caller = callerOf(clientId, found, null);
  c.set("caller", caller);
  return caller;
}

function callerOf(
  clientId: string,
  credentials: Credentials,
  cachedAuth: CachedAuth | null,
): Caller {
  return { clientId, company: credentials.company, scopes: credentials.scopes, cachedAuth };
}

/**
 * Authenticates an operator: the client id `operator` or `approver` with its key from the environment, in the
 * same two headers. Throws the same 401 for every failure, and 429.
 */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const clientId = c.req.header("X-Client-Id") ?? "";
  const apiKey = c.req.header("X-API-Key") ?? "";
  const key = operatorKeyOf(c.env, clientId);
  if (!isPlausible(apiKey) || key === null) throw invalidCredentials();
  const [expected, presented] = await Promise.all([sha256Hex(key), sha256Hex(apiKey)]);
  if (!timingSafeEqual(expected, presented)) throw invalidCredentials();
  await enforceRateLimit(c.env.RATE_LIMITER, clientId);
  c.set("operator", clientId);
  await next();
});

function operatorKeyOf(env: Env, clientId: string): string | null {
  const { operatorKey, approverKey } = configOf(env);
  if (clientId === OPERATOR_CLIENT_ID) return operatorKey;
  return clientId === APPROVER_CLIENT_ID ? approverKey : null;
}

/** Refuses live companies on sandbox routes. Must follow `requireScope`. */
export const sandboxOnly = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("caller").company.mode !== "sandbox") {
    throw forbidden("The sandbox serves sandbox companies only.");
  }
  await next();
});

/** Throws 403 for another company's data. */
export function requireOwnCompany(company: Company, companyId: number): void {
  if (company.id !== companyId) {
    throw forbidden("These credentials have no access to this company.");
  }
}

function isPlausible(value: string): boolean {
  return value.length > 0 && value.length <= CREDENTIAL_MAX;
}

function hasActiveKey({ keys }: Credentials, presented: string, nowMs: number): boolean {
  return keys
    .map(({ hash, expiresAt }) => {
      const isActive = expiresAt === null || expiresAt > nowMs;
      return timingSafeEqual(hash, presented) && isActive;
    })
    .reduce((any, same) => any || same, false);
}

async function enforceRateLimit(limiter: RateLimit | undefined, clientId: string): Promise<void> {
  const verdict = await limiter?.limit({ key: clientId });
  if (verdict?.success === false) {
    throw new Problem({
      code: "TOO_MANY_REQUESTS",
      detail: "Too many requests from this application.",
      retryAfterSeconds: RATE_LIMIT_RETRY_SECONDS,
    });
  }
}

function invalidCredentials(): Problem {
  return new Problem({
    code: "INVALID_CREDENTIALS",
    detail: "X-Client-Id or X-API-Key is missing or invalid.",
  });
}
