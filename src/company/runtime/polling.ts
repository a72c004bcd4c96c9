import { exponentialBackoffMs } from "../../lib/backoff.ts";

/**
 * How long a claimed payout is left to whoever claimed it. Longer than asking a provider and then
 * sending can take (15 s each), so that nobody else asks about what is just being sent.
 */
export const PAYOUT_LEASE_MS = 35_000;
/**
 * The lease of a request that "runs" (`product.md` section 4). An operation is sent within 15 s; one
 * that was asked about before is only sent again to a provider that knows it by its id.
 */
export const OPERATION_LEASE_MS = 30_000;
/** How long after its lease a claimer that was never heard of again is taken for dead. */
const ORPHAN_GRACE_MS = 5_000;
/** When a hint that nobody followed is given again. A second one is harmless: the claim decides. */
export const RENOTIFY_AFTER_MS = 15_000;
const POLL_BASE_MS = 5_000;
/** What a provider has not answered is asked about at least this often. */
const POLL_MAX_MS = 3_600_000;

/**
 * How long a send whose answer was lost may still show up at its provider. Until then a refusal of its
 * repeat says nothing of it.
 */
const LATE_ARRIVAL_WINDOW_MS = 10 * 60_000;

/** Whether a refusal of what is sent again now is its provider's last word. */
export function isRefusalFinal(firstSentAt: number, nowMs: number): boolean {
  return nowMs - firstSentAt >= LATE_ARRIVAL_WINDOW_MS;
}

/** Something owed to a provider: who is at it, and when it must be looked after again. */
export interface PollState {
  /** How often it was looked after; the waits between grow with it. */
  checks: number;
  /** Until then somebody is sending or asking. */
  leaseUntil: number;
  /** Null once there is nothing left to do. */
  nextCheckAt: number | null;
}

export function acquireLease(
  nowMs: number,
  leaseMs: number,
): Pick<PollState, "leaseUntil" | "nextCheckAt"> {
  const leaseUntil = nowMs + leaseMs;
  return { leaseUntil, nextCheckAt: leaseUntil + ORPHAN_GRACE_MS };
}

/** After an attempt that brought no answer. */
export function scheduleNextPoll(checks: number, nowMs: number): PollState {
  return {
    checks: checks + 1,
    leaseUntil: 0,
    nextCheckAt: nowMs + exponentialBackoffMs(checks, POLL_BASE_MS, POLL_MAX_MS),
  };
}
