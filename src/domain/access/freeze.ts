import type { Requester } from "./requester.ts";

/** Why a company is frozen or no longer so, and who did it: an operator, a sandbox's own person, the service. */
export interface FreezeCause {
  reason: string;
  by: Requester;
}

/**
 * Freezes a company, or ends its freeze. `for_restore`: the object may be older than D1 or the archive, and an event
 * now would take a number that merchants have seen; the end of the restore announces the freeze.
 */
export type FreezeChange = boolean | "for_restore";

/** Why a company is frozen whose object was restored; shown by the operators' status as long as the freeze lasts. */
export const RESTORE_FREEZE_REASON = "restore: object and D1 are being brought together";

/** A company's freeze as its object stores it. Times in epoch milliseconds. */
export interface Freeze {
  /** Null for a freeze of before causes were stored. */
  cause: FreezeCause | null;
  since: number | null;
}

/** The service itself froze the company, because of what it found. */
export function frozenByService(reason: string): FreezeCause {
  return { reason, by: { kind: "rule", id: "ledger_check", name: "Centavo" } };
}
