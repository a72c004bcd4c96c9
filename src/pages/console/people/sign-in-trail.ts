import { findPerson, type PersonKey } from "../../../db/people/people.ts";
import { countRefusedSignIn } from "../../../db/people/refused-sign-ins.ts";
import { clientAddress } from "../../../http/client-address.ts";
import { executionContextOf } from "../../../http/auth/internal-retry.ts";
import { errorFields, log } from "../../../lib/log.ts";
import type { ConsoleContext } from "../context.ts";
import { appendToTrails } from "./own-actions.ts";

/** Why somebody was not let in. The last two shut the person out for a while. */
export type SignInRefusal =
  | "PASSWORD_REFUSED"
  | "CODE_REFUSED"
  | "PASSKEY_REFUSED"
  | "TOO_MANY_PASSWORDS"
  | "TOO_MANY_CODES";

const LOCKS: ReadonlySet<SignInRefusal> = new Set(["TOO_MANY_PASSWORDS", "TOO_MANY_CODES"]);
/** Nobody knows who typed. */
const SIGN_IN = { kind: "task", id: "sign-in", name: "sign-in", keyPrefix: null } as const;

/**
 * Records a refused sign-in in the trails of the person whose it would have been, after the answer: its time tells
 * nothing about an e-mail. Who is unknown leaves no entry. A stranger fills no trail: within an hour a person's
 * first, 10th, 100th ... refusal is an entry, with their number, and the first lock.
 */
export function noteRefusedSignIn(c: ConsoleContext, key: PersonKey, reason: SignInRefusal): void {
  const recorded = record(c, key, reason).catch((error: unknown) =>
    log("error", "sign_in_refusal_lost", errorFields(error)),
  );
  executionContextOf(c.env.outer)?.waitUntil(recorded);
}

async function record(c: ConsoleContext, key: PersonKey, reason: SignInRefusal): Promise<void> {
  const { outer } = c.env;
  const person = await findPerson(outer.env, key);
  if (person === null) return;
  const isLock = LOCKS.has(reason);
  const now = outer.get("deps").platformClock.now();
  const attempts = await countRefusedSignIn(
    outer.env,
    person.userId,
    isLock ? reason : "refused",
    now,
  );
  if (isLock ? attempts !== 1 : !Number.isInteger(Math.log10(attempts))) return;
  await appendToTrails(c, person, {
    actor: SIGN_IN,
    action: isLock ? "session.begin.locked" : "session.begin.refused",
    target: `person:${person.userId}`,
    before: null,
    after: isLock ? null : { attempts },
    reason,
    address: clientAddress(outer),
    traceId: outer.get("traceId"),
  });
}
