import {
  credentialsVersionOf,
  raiseCredentialsVersion,
} from "../../db/companies/credentials-version.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { AppContext, Caller, CachedAuth } from "../context.ts";
import { retryInternally } from "./internal-retry.ts";

/** Attempts of a write. Each conflict means that the credentials changed after they were read. */
const ATTEMPTS_MAX = 4;
const RETRY_SECONDS = 1;

/** The owner of the data rejected a command without effect: the credentials have changed since they were read. */
export class StaleVersionError extends Error {
  /** The version that D1 must reach before the next read; null if D1 itself rejected the command. */
  readonly newest: number | null;

  constructor(newest: number | null) {
    super("the credentials version is not current");
    this.newest = newest;
  }
}

/** Records that the owner of the data has accepted the cached version. */
export function markVerified(cachedAuth: CachedAuth | null): void {
  if (cachedAuth !== null) cachedAuth.unverified = false;
}

/**
 * Runs a read with cached credentials while D1 is queried for the current version. If the cached one is
 * outdated, the response, also an error, is discarded and the request runs again with fresh credentials.
 */
export async function readOptimistically(
  c: AppContext,
  { company }: Caller,
  next: () => Promise<void>,
): Promise<void> {
  const currentVersion = credentialsVersionOf(c.env, company.id);
  // Awaited below; a rejection before that must not count as unhandled.
  currentVersion.catch(() => undefined);
  await next();
  try {
    if ((await currentVersion) === company.credentialsVersion) return;
  } catch (error) {
    await discardResponse(c);
    throw error;
  }
  await discardResponse(c);
  c.res = await retryInternally(c);
}

/**
 * Runs a write whose owner checks the credentials version as it writes. A result or problem that the owner has
 * not verified is discarded, and the write runs again with fresh credentials: it has written nothing before.
 */
export async function writeOptimistically<Result>(
  c: AppContext,
  run: (caller: Caller) => Promise<Result>,
): Promise<Result> {
  const caller = c.get("caller");
  const { cachedAuth } = caller;
  const read = () => c.get("authenticate")();
  if (cachedAuth === null) return retryOnStaleVersion(c.env, caller, run, read);
  try {
    const result = await run(caller);
    if (!cachedAuth.unverified) return result;
  } catch (error) {
    const isUnverifiedProblem = cachedAuth.unverified && error instanceof Problem;
    markVerified(cachedAuth);
    if (!isUnverifiedProblem && !(error instanceof StaleVersionError)) throw error;
  }
  markVerified(cachedAuth);
  return retryOnStaleVersion(c.env, await read(), run, read);
}

/**
 * Runs a write with a company's data and, after a version conflict, reads the data and runs it again. During the
 * disconnection of a PSP the object's version is ahead of D1's: D1 is raised to it, which aborts the
 * disconnection if D1 has not stored it yet. Throws 503 if the version keeps changing.
 */
export async function retryOnStaleVersion<Read extends { company: Company }, Result>(
  env: Env,
  first: Read,
  run: (read: Read) => Promise<Result>,
  readAgain: () => Promise<Read>,
): Promise<Result> {
  let read = first;
  for (let attempts = 1; ; attempts++) {
    try {
      return await run(read);
    } catch (error) {
      if (!(error instanceof StaleVersionError)) throw error;
      if (attempts === ATTEMPTS_MAX) throw tooManyVersionConflicts();
      const { newest } = error;
      if (newest !== null) await raiseCredentialsVersion(env, read.company.id, newest);
      read = await readAgain();
    }
  }
}

/** Nothing was written, because the company's credentials kept changing. */
export function tooManyVersionConflicts(): Problem {
  return new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail:
      "The company's credentials changed during the request. Nothing was done. Please try again.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** A write rejected early (bad body) authenticates again first, so that a revoked caller gets 401. */
export async function reauthenticateRejected(c: AppContext): Promise<void> {
  try {
    await c.get("authenticate")();
  } catch (error) {
    await discardResponse(c);
    throw error;
  }
}

/** Clears the response: Hono would copy its headers to the next one. */
async function discardResponse(c: AppContext): Promise<void> {
  await c.res.body?.cancel();
  c.res = undefined;
}
