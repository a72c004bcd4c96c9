import {
  credentialsVersionOf,
  raiseCredentialsVersion,
} from "../../db/companies/credentials-version.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { AppContext, Caller, CachedAuth } from "../context.ts";
import { retryInternally } from "./internal-retry.ts";

/** How often a write is tried. Each refusal of what was just read is a change that came in between. */
const ATTEMPTS_MAX = 4;
const RETRY_SECONDS = 1;

/** The owner of the data has done nothing, for the credentials were changed since they were read. */
export class StaleVersionError extends Error {
  /** What D1 must be at before it is read again; null where it was D1 that refused. */
  readonly newest: number | null;

  constructor(newest: number | null) {
    super("the credentials version is not current");
    this.newest = newest;
  }
}

/** Takes down that the owner of the data has taken a guess for right. */
export function markVerified(cachedAuth: CachedAuth | null): void {
  if (cachedAuth !== null) cachedAuth.unverified = false;
}

/**
 * Runs a read on a guess while D1 is asked whether it holds. An answer of a guess that does not, a
 * refusal too, is thrown away, and the request runs again from fresh credentials.
 */
export async function readOptimistically(
  c: AppContext,
  { company }: Caller,
  next: () => Promise<void>,
): Promise<void> {
  const currentVersion = credentialsVersionOf(c.env, company.id);
  // Awaited below; until then a fault of it must not count as nobody's.
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
 * Runs a write whose owner judges what it came with as it writes. Whatever else comes of a guess, unless
 * it is a fault, is not let out: it runs again from fresh credentials. Nothing was written then.
 */
export async function writeOptimistically<Answer>(
  c: AppContext,
  run: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const caller = c.get("caller");
  const { cachedAuth } = caller;
  const read = () => c.get("authenticate")();
  if (cachedAuth === null) return retryOnStaleVersion(c.env, caller, run, read);
  try {
    const answer = await run(caller);
    if (!cachedAuth.unverified) return answer;
  } catch (error) {
    const isUnverifiedProblem = cachedAuth.unverified && error instanceof Problem;
    markVerified(cachedAuth);
    if (!isUnverifiedProblem && !(error instanceof StaleVersionError)) throw error;
  }
  markVerified(cachedAuth);
  return retryOnStaleVersion(c.env, await read(), run, read);
}

/**
 * Runs a write with what was read of a company, and with what is read anew where its owner says that this
 * is old. A company's object may be ahead of D1, where somebody has begun to leave a PSP: it is brought up
 * to it, which ends that attempt unless D1 has done it before. Throws 503 where it changes all the time.
 */
export async function retryOnStaleVersion<Read extends { company: Company }, Answer>(
  env: Env,
  first: Read,
  run: (read: Read) => Promise<Answer>,
  readAgain: () => Promise<Read>,
): Promise<Answer> {
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

function tooManyVersionConflicts(): Problem {
  return new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail:
      "The company's credentials changed during the request. Nothing was done. Please try again.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * After a write that was refused before its owner was asked, such as for its body: whoever may not come in
 * any more is told so instead.
 */
export async function reauthenticateRejected(c: AppContext): Promise<void> {
  try {
    await c.get("authenticate")();
  } catch (error) {
    await discardResponse(c);
    throw error;
  }
}

/** Hono would carry the headers of an answer over to the next one. */
async function discardResponse(c: AppContext): Promise<void> {
  await c.res.body?.cancel();
  c.res = undefined;
}
