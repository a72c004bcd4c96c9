import { createMiddleware } from "hono/factory";
import { findCredentials, type Credentials } from "../db/credentials.ts";
import type { Company, Scope } from "../domain/company.ts";
import { Problem } from "../domain/problem.ts";
import { configOf } from "../env.ts";
import { sameDigest, sha256Hex } from "../lib/hash.ts";
import type { AppEnv, Caller } from "./context.ts";
import { forbidden } from "./problems.ts";

/** Longer than any client id or key we issue; nothing longer is looked up. */
const CREDENTIAL_MAX = 255;
const RATE_LIMIT_RETRY_SECONDS = 60;
export const OPERATOR_CLIENT_ID = "operator";

/**
 * Checks both headers and the scope. Whatever is wrong with them, the answer is one and the same
 * 401; every active key is compared in constant time; a revoked one stops with the next request.
 */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const clientId = c.req.header("X-Client-Id") ?? "";
    const apiKey = c.req.header("X-API-Key") ?? "";
    if (!isPlausible(clientId) || !isPlausible(apiKey)) throw invalidCredentials();
    const [credentials, presented] = await Promise.all([
      findCredentials(c.env, clientId, c.get("deps").clock.now()),
      sha256Hex(apiKey),
    ]);
    if (credentials === null || !matches(credentials, presented)) throw invalidCredentials();
    // After the check, so that nobody can use up another's share by naming its client id.
    await brake(c.env.RATE_LIMITER, clientId);
    const caller: Caller = { clientId, company: credentials.company, scopes: credentials.scopes };
    if (!caller.scopes.has(scope)) {
      throw forbidden(`This application does not have the scope ${scope}.`);
    }
    c.set("caller", caller);
    await next();
  });
}

/**
 * Lets the operator of the gateway in: the client id `operator` and the environment's own key, in the
 * same two headers, with the same 401 whatever is wrong with them.
 */
export const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
  const clientId = c.req.header("X-Client-Id") ?? "";
  const apiKey = c.req.header("X-API-Key") ?? "";
  const { operatorKey } = configOf(c.env);
  if (!isPlausible(apiKey) || clientId !== OPERATOR_CLIENT_ID || operatorKey === null) {
    throw invalidCredentials();
  }
  const [expected, presented] = await Promise.all([sha256Hex(operatorKey), sha256Hex(apiKey)]);
  if (!sameDigest(expected, presented)) throw invalidCredentials();
  await brake(c.env.RATE_LIMITER, clientId);
  await next();
});

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

function matches(credentials: Credentials, presented: string): boolean {
  return credentials.keyHashes
    .map((hash) => sameDigest(hash, presented))
    .reduce((any, same) => any || same, false);
}

async function brake(limiter: RateLimit | undefined, clientId: string): Promise<void> {
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
