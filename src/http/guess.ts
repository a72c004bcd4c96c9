import { credentialsVersionOf } from "../db/credentials-version.ts";
import { Problem } from "../domain/problem.ts";
import type { AppContext, Caller, Guess } from "./context.ts";
import { repeated } from "./repeat.ts";

/** The owner of the data has done nothing, for the credentials were changed since they were kept. */
export class StaleCredentials extends Error {}

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
  guess: Guess,
  next: () => Promise<void>,
): Promise<void> {
  const present = credentialsVersionOf(c.env, company.id);
  // Awaited below; until then a fault of it must not count as nobody's.
  present.catch(() => undefined);
  await next();
  try {
    if ((await present) === guess.version) return;
  } catch (error) {
    await discardAnswer(c);
    throw error;
  }
  await discardAnswer(c);
  c.res = await repeated(c);
}

/**
 * Runs a write whose owner judges the guess as it writes. Whatever else comes of it, unless it is a
 * fault, is not let out: it runs again from fresh credentials. Nothing was written then.
 */
export async function writeOnGuess<Answer>(
  c: AppContext,
  run: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const caller = c.get("caller");
  const { guess } = caller;
  if (guess === null) return run(caller);
  try {
    const answer = await run(caller);
    if (!guess.isOpen) return answer;
  } catch (error) {
    const isUnjudged = guess.isOpen && error instanceof Problem;
    confirm(guess);
    if (!isUnjudged && !(error instanceof StaleCredentials)) throw error;
  }
  confirm(guess);
  return run(await c.get("authenticate")());
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
