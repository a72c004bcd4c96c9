import {
  credentialsVersionOf,
  raiseCredentialsVersion,
} from "../../db/companies/credentials-version.ts";
import type { Company } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import type { AppContext, Caller, Guess } from "../context.ts";
import { repeated } from "./repeat.ts";

/** How often a write is tried. Each refusal of what was just read is a change that came in between. */
const TRIES_MAX = 4;
const RETRY_SECONDS = 1;

/** The owner of the data has done nothing, for the credentials were changed since they were read. */
export class StaleCredentials extends Error {
  /** What D1 must be at before it is read again; null where it was D1 that refused. */
  readonly newest: number | null;

  constructor(newest: number | null) {
    super("the credentials were changed");
    this.newest = newest;
  }
}

/** Takes down that the owner of the data has taken a guess for right. */
export function confirm(guess: Guess | null): void {
  if (guess !== null) guess.isOpen = false;
}

/**
 * Runs a read on a guess while D1 is asked whether it holds. An answer of a guess that does not, a
 * refusal too, is thrown away, and the request runs again from fresh credentials.
 */
export async function readOnGuess(
  c: AppContext,
  { company }: Caller,
  next: () => Promise<void>,
): Promise<void> {
  const present = credentialsVersionOf(c.env, company.id);
  // Awaited below; until then a fault of it must not count as nobody's.
  present.catch(() => undefined);
  await next();
  try {
    if ((await present) === company.credentialsVersion) return;
  } catch (error) {
    await discardAnswer(c);
    throw error;
  }
  await discardAnswer(c);
  c.res = await repeated(c);
}

/**
 * Runs a write whose owner judges what it came with as it writes. Whatever else comes of a guess, unless
 * it is a fault, is not let out: it runs again from fresh credentials. Nothing was written then.
 */
export async function writeOnGuess<Answer>(
  c: AppContext,
  run: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const caller = c.get("caller");
  const { guess } = caller;
  const read = () => c.get("authenticate")();
  if (guess === null) return asPresent(c.env, caller, run, read);
  try {
    const answer = await run(caller);
    if (!guess.isOpen) return answer;
  } catch (error) {
    const isUnjudged = guess.isOpen && error instanceof Problem;
    confirm(guess);
    if (!isUnjudged && !(error instanceof StaleCredentials)) throw error;
  }
  confirm(guess);
  return asPresent(c.env, await read(), run, read);
}

/**
 * Runs a write with what was read of a company, and with what is read anew where its owner says that this
 * is old. A company's object may be ahead of D1, where somebody has begun to leave a PSP: it is brought up
 * to it, which ends that attempt unless D1 has done it before. Throws 503 where it changes all the time.
 */
export async function asPresent<Read extends { company: Company }, Answer>(
  env: Env,
  first: Read,
  run: (read: Read) => Promise<Answer>,
  readAgain: () => Promise<Read>,
): Promise<Answer> {
  let read = first;
  for (let tries = 1; ; tries++) {
    try {
      return await run(read);
    } catch (error) {
      if (!(error instanceof StaleCredentials)) throw error;
      if (tries === TRIES_MAX) throw changedAllTheTime();
      const { newest } = error;
      if (newest !== null) await raiseCredentialsVersion(env, read.company.id, newest);
      read = await readAgain();
    }
  }
}

function changedAllTheTime(): Problem {
  return new Problem({
    code: "STORAGE_UNAVAILABLE",
    detail: "The company is being changed. Nothing was done; please try again.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * After a write that was refused before its owner was asked, such as for its body: whoever may not come in
 * any more is told so instead.
 */
export async function refusedOnGuess(c: AppContext): Promise<void> {
  try {
    await c.get("authenticate")();
  } catch (error) {
    await discardAnswer(c);
    throw error;
  }
}

/** Hono would carry the headers of an answer over to the next one. */
async function discardAnswer(c: AppContext): Promise<void> {
  await c.res.body?.cancel();
  c.res = undefined;
}
