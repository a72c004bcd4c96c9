import type { Requester } from "./requester.ts";

/** Why a company is frozen or no longer so, and who did it: an operator, a sandbox's own person, the service. */
export interface FreezeCause {
  reason: string;
  by: Requester;
}

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
