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

/** Longer than any client id or key we issue; nothing longer is looked up. */
const CREDENTIAL_MAX = 255;
const RATE_LIMIT_RETRY_SECONDS = 60;
/** Who operates the gateway: two people, each with a key of the environment. */
export const OPERATOR_CLIENT_ID = "operator";
export const APPROVER_CLIENT_ID = "approver";

/** For writes whose owner takes the version of the credentials and refuses an old one. */
export const OWNER_CHECKS_VERSION = { ownerChecksVersion: true };

/**
 * Checks both headers and the scope. Whatever is wrong with them, the answer is one and the same
 * 401; every active key is compared in constant time; a revoked one stops with the next request. Reads, and
 * writes whose owner judges them, may begin with what was kept of the caller (decision 0022).
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
    if (cached.guess.unverified) await reauthenticateRejected(c);
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

/** The caller by what was kept, where that would let it in; else it is for D1 to say. */
function cachedCaller(c: AppContext, presented: PresentedCredentials, scope: Scope) {
  const { clock, credentialsCache } = c.get("deps");
  const known = credentialsCache.get(presented.clientId, clock.now());
  if (known === null || !known.scopes.has(scope)) return null;
  if (!hasActiveKey(known, presented.keyHash, clock.now())) return null;
  const cachedAuth: CachedAuth = { unverified: true };
  return { guess: cachedAuth, caller: callerOf(presented.clientId, known, cachedAuth) };
}

/** The caller by what D1 says now, which is kept for the requests to come. */
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
  // After the check, so that nobody can use up another's share by naming its client id.
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
 * Lets an operator of the gateway in: the client id `operator` or `approver` and the environment's own key of
 * theirs, in the same two headers, with the same 401 whatever is wrong with them.
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

/** For routes that only play with sandbox companies. Stands after `requireScope`. */
export const sandboxOnly = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("caller").company.mode !== "sandbox") {
    throw forbidden("The sandbox serves sandbox companies only.");
  }
  await next();
});

/** The caller may see or move this company's data only where it is its own. */
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
