import type { Requester } from "./requester.ts";

/** Why a company is frozen or no longer so, and who did it: an operator, a sandbox's own person, the service. */
export interface FreezeCause {
  reason: string;
  by: Requester;
}

/** What a freeze stops. `withdraws`: every way out of the money that somebody asks for. `charges`: creates and captures. */
export interface FreezeScope {
  withdraws: boolean;
  charges: boolean;
}

/** The freeze that a violation of the ledger or a restore asks for. */
export const FREEZE_WITHDRAWS: FreezeScope = { withdraws: true, charges: false };

/**
 * Freezes what a scope says, by `true` withdraws, or ends the freeze (`false`). `for_restore`: the object may be older than D1 or the archive, and an event
 * now would take a number that merchants have seen; the end of the restore announces the freeze.
 */
export type FreezeChange = boolean | FreezeScope | "for_restore";

/** Why a company is frozen whose object was restored; shown by the operators' status as long as the freeze lasts. */
export const RESTORE_FREEZE_REASON = "restore: object and D1 are being brought together";

/** A company's freeze as its object stores it. Times in epoch milliseconds. */
export interface Freeze extends FreezeScope {
  /** Null for a freeze of before causes were stored. */
  cause: FreezeCause | null;
  since: number | null;
}

/** The service itself froze the company, because of what it found. */
export function frozenByService(reason: string): FreezeCause {
  return { reason, by: { kind: "rule", id: "ledger_check", name: "Centavo" } };
}

/** A company's freeze as D1 shows it to operators, copied from its object. `since`: epoch milliseconds. */
export interface ShownFreeze extends FreezeScope, FreezeCause {
  since: number;
}

/** What D1 shows of a freeze; null for none, and for one of before causes were stored. */
export function shownFreeze(freeze: Freeze | null): ShownFreeze | null {
  if (freeze === null || freeze.cause === null) return null;
  const { cause, since, withdraws, charges } = freeze;
  return { ...cause, withdraws, charges, since: since ?? 0 };
}
