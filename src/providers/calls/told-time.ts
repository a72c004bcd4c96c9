import { createdAtOfTransactionId } from "../../domain/shared/ids.ts";

/** A house's days have no hour, and clocks differ. */
const DAY_MS = 86_400_000;

/** Between what an account's payments were made, in epoch milliseconds. */
export interface TimeBounds {
  /** From when it may tell payments. */
  since: number;
  nowMs: number;
}

/**
 * Whether a payment can have been made when its house says: releases and reports count from it. A day before its account
 * may tell any, or before its charge was made where that is older, is the earliest, and a day after now the latest.
 */
export function isPossibleTime(
  at: number,
  { since, nowMs }: TimeBounds,
  chargeId: string | null,
): boolean {
  const first = chargeId === null ? since : Math.min(since, createdAtOfTransactionId(chargeId));
  return at >= first - DAY_MS && at <= nowMs + DAY_MS;
}
