import { and, eq, exists, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { mayUseCounter, PIN_TRIES_MAX } from "../../domain/cashier/pin.ts";
import type { PersonRole } from "../../domain/access/person-role.ts";
import { directoryOf, type Database } from "../client.ts";
import { cashierPins } from "../schema/cashier/devices.ts";
import { memberships } from "../schema/people/memberships.ts";
import { users } from "../schema/people/sessions.ts";
import { runIdempotent } from "../storage-errors.ts";

/** A person in a company, whose PIN it is. */
export interface PinOwner {
  companyId: number;
  userId: string;
}

/** A person who can use a shared counter by a PIN. */
interface PinHolder {
  userId: string;
  name: string;
  role: PersonRole;
}

/** The people of a company who have a PIN and may use it, by name. */
export async function listPinHolders(env: Env, companyId: number): Promise<PinHolder[]> {
  const rows = await directoryOf(env)
    .select({ userId: users.id, name: users.name, role: memberships.role })
    .from(cashierPins)
    .innerJoin(
      memberships,
      and(
        eq(memberships.companyId, cashierPins.companyId),
        eq(memberships.userId, cashierPins.userId),
        isNull(memberships.removedAt),
      ),
    )
    .innerJoin(users, eq(users.id, cashierPins.userId))
    .where(eq(cashierPins.companyId, companyId));
  return rows
    .filter(({ role }) => mayUseCounter(role))
    .toSorted((left, right) => left.name.localeCompare(right.name, "pt-BR"));
}

/** Whether a person has a PIN in a company. */
export async function hasPin(env: Env, of: PinOwner): Promise<boolean> {
  const rows = await directoryOf(env)
    .select({ setAt: cashierPins.setAt })
    .from(cashierPins)
    .where(isOf(of));
  return rows.length > 0;
}

/** Gives a person a PIN, in the place of an earlier one, which may have been locked. Epoch milliseconds. */
export async function setPin(
  env: Env,
  of: PinOwner,
  { pinHash, setAt }: { pinHash: string; setAt: number },
): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(cashierPins)
      .values({ ...of, pinHash, setAt })
      .onConflictDoUpdate({
        target: [cashierPins.companyId, cashierPins.userId],
        set: { pinHash, setAt, failedTries: 0 },
      }),
  );
}

/** Takes a person's PIN away: it opens no counter any more. */
export async function removePin(env: Env, of: PinOwner): Promise<void> {
  await runIdempotent(() => directoryOf(env).delete(cashierPins).where(isOf(of)));
}

/** The statement that takes the PIN of a person who was removed from a company. */
export function removePinOfFormer(db: Database, of: PinOwner) {
  const left = db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, of.companyId),
        eq(memberships.userId, of.userId),
        isNotNull(memberships.removedAt),
      ),
    );
  return db.delete(cashierPins).where(and(isOf(of), exists(left)));
}

/**
 * Counts a try before its PIN is compared, so that tries at once are no more than tries one by one. Answers the hash
 * and the tries that are left after this one; null for a locked PIN, and for a person without one.
 */
export async function countPinTry(
  env: Env,
  of: PinOwner,
): Promise<{ pinHash: string; triesLeft: number } | null> {
  const [tried] = await directoryOf(env)
    .update(cashierPins)
    .set({ failedTries: sql`${cashierPins.failedTries} + 1` })
    .where(and(isOf(of), lt(cashierPins.failedTries, PIN_TRIES_MAX)))
    .returning({ pinHash: cashierPins.pinHash, failedTries: cashierPins.failedTries });
  return tried === undefined
    ? null
    : { pinHash: tried.pinHash, triesLeft: PIN_TRIES_MAX - tried.failedTries };
}

/** A condition: the PIN of a person in a company. */
export function isOf({ companyId, userId }: PinOwner) {
  return and(eq(cashierPins.companyId, companyId), eq(cashierPins.userId, userId));
}
