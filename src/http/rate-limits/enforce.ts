import { createMiddleware } from "hono/factory";
import { configOf } from "../../config.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { errorFields, log } from "../../lib/log.ts";
import {
  RATE_LIMITS,
  type RateLimitName,
  type RateLimiter,
  type RateLimitPolicy,
} from "./policies.ts";
import { internalRetryTraceId } from "../auth/internal-retry.ts";
import { senderOf } from "../client-address.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { localLimiter } from "./local-limiters.ts";

/**
 * Counts a request of `key` under a limit and names the limit in `RateLimit-Policy`. Throws 429 beyond it, with
 * `RateLimit` and `Retry-After` (draft-ietf-httpapi-ratelimit-headers-10). Tests and the bench have no limiter;
 * a deployed environment does not start without.
 */
export async function enforceRateLimit(
  c: AppContext,
  name: RateLimitName,
  key: string,
): Promise<void> {
  const policy: RateLimitPolicy = RATE_LIMITS[name];
  const limiter = limiterOf(c, name);
  if (limiter === undefined) return;
  c.header("RateLimit-Policy", policyItem(policy), { append: true });
  if (await isWithin(limiter, key, policy)) return;
  throw new Problem({
    code: "TOO_MANY_REQUESTS",
    detail: `Too many ${policy.subject}: the limit is ${policy.quota} in ${policy.windowSeconds} seconds.`,
    // The platform does not say when the window ends, so the whole window is the safe answer.
    retryAfterSeconds: policy.windowSeconds,
    headers: { RateLimit: `"${policy.name}";r=0;t=${policy.windowSeconds}` },
  });
}

/** Counts what `key` names under a limit, and answers whether it is within. */
export async function isWithinRateLimit(
  c: AppContext,
  name: RateLimitName,
  key: string,
): Promise<boolean> {
  const limiter = limiterOf(c, name);
  return limiter === undefined || isWithin(limiter, key, RATE_LIMITS[name]);
}

function limiterOf(c: AppContext, name: RateLimitName): RateLimiter | undefined {
  return configOf(c.env).localRateLimits
    ? localLimiter(RATE_LIMITS[name])
    : c.env[RATE_LIMITS[name].binding];
}

/** Counts an authenticated request under its application and then, if that has some left, its company. */
export async function enforceCallerLimits(
  c: AppContext,
  clientId: string,
  companyId: number,
): Promise<void> {
  await enforceRateLimit(c, "application", clientId);
  await enforceRateLimit(c, "company", String(companyId));
}

/**
 * Turns the 401s of an address into 429s beyond its limit of failed logins. Other answers never count, so the
 * right credentials are admitted from there too.
 */
export const limitFailedLogins = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status !== 401 || internalRetryTraceId(c.req.raw) !== undefined) return;
  try {
    await enforceRateLimit(c, "failedLogins", senderOf(c));
  } catch (error) {
    // Hono would copy it to the 429, which asks for no credentials.
    c.res.headers.delete("WWW-Authenticate");
    throw error;
  }
});

/** For routes without credentials: counts each request under its address. */
export const limitPublicRoute = createMiddleware<AppEnv>(async (c, next) => {
  await enforceRateLimit(c, "publicRoutes", senderOf(c));
  await next();
});

/** For routes that only PSPs call. */
export const limitCallbacks = createMiddleware<AppEnv>(async (c, next) => {
  await enforceRateLimit(c, "callbacks", senderOf(c));
  await next();
});

/** An item of `RateLimit-Policy`: `"application";q=20000;w=10`. */
function policyItem({ name, quota, windowSeconds }: RateLimitPolicy): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** A limiter that fails admits the request: payments must not stop with it. */
async function isWithin(
  limiter: RateLimiter,
  key: string,
  { name }: RateLimitPolicy,
): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    log("error", "rate_limiter_failed", { limit: name, ...errorFields(error) });
    return true;
  }
}
