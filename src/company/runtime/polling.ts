import { exponentialBackoffMs } from "../../lib/backoff.ts";

/**
 * The lease of a claimed payout. Longer than a query and a send to the provider (15 s each), so that no
 * other request queries a payout that is being sent.
 */
export const PAYOUT_LEASE_MS = 35_000;
/**
 * The lease of a claimed operation. A send takes up to 15 s; after a query it is only repeated at a
 * provider that deduplicates it by its id.
 */
export const OPERATION_LEASE_MS = 30_000;
/** How long after the end of its lease a claimer counts as crashed. */
const ORPHAN_GRACE_MS = 5_000;
/** When a wake-up message is repeated. A second one is harmless: the claim decides who acts. */
export const RENOTIFY_AFTER_MS = 15_000;
const POLL_BASE_MS = 5_000;
/** The longest wait between polls. */
const POLL_MAX_MS = 3_600_000;

/**
 * How long a send without an answer may still arrive at the provider. Until then the refusal of a repeat
 * does not prove that the first send failed.
 */
const LATE_ARRIVAL_WINDOW_MS = 10 * 60_000;

/** Whether the provider's refusal of a repeated send is final. Times in epoch ms. */
export function isRefusalFinal(firstSentAt: number, nowMs: number): boolean {
  return nowMs - firstSentAt >= LATE_ARRIVAL_WINDOW_MS;
}

/** The lease and the next poll of a payout or operation. Times in epoch ms. */
export interface PollState {
  /** Polls so far; the wait grows with them. */
  checks: number;
  /** Until then one request sends or queries. */
  leaseUntil: number;
  /** Null when it is final. */
  nextCheckAt: number | null;
}

/** A lease from now on, and a poll in case its holder crashes. */
export function acquireLease(
  nowMs: number,
  leaseMs: number,
): Pick<PollState, "leaseUntil" | "nextCheckAt"> {
  const leaseUntil = nowMs + leaseMs;
  return { leaseUntil, nextCheckAt: leaseUntil + ORPHAN_GRACE_MS };
}

/** Ends the lease after a poll without a final report. */
export function scheduleNextPoll(checks: number, nowMs: number): PollState {
  return {
    checks: checks + 1,
    leaseUntil: 0,
    nextCheckAt: nowMs + exponentialBackoffMs(checks, POLL_BASE_MS, POLL_MAX_MS),
  };
}
