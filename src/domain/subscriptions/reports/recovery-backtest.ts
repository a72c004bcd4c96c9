import type { RetryPolicy } from "../subscription.ts";

/** What became of retries so many days after the due date: how many a bank tried, and how many it paid. */
export interface RetryOutcome {
  daysAfter: number;
  tried: number;
  paid: number;
}

/** With fewer tries of a day nothing is said of it: half of ten is no rate. */
export const TRIED_MIN = 20;

/** What a policy would have recovered by a day; null from the first day on of which too little is known. */
export interface ExpectedDay extends RetryOutcome {
  recovered: number | null;
}

/**
 * What a policy would have recovered of so many failed cycles, by what retries of each of its days have recovered at the
 * same company: its cycles that are unpaid before a day are paid on it as often as others were. Whole cycles, rounded down.
 */
export function backtestRetries(
  policy: RetryPolicy,
  failed: number,
  outcomes: readonly RetryOutcome[],
): ExpectedDay[] {
  let recovered: number | null = 0;
  return policy.map((daysAfter) => {
    const outcome = outcomes.find((each) => each.daysAfter === daysAfter);
    const { tried, paid } = outcome ?? { tried: 0, paid: 0 };
    recovered =
      recovered === null || tried < TRIED_MIN
        ? null
        : recovered + Math.floor(((failed - recovered) * paid) / tried);
    return { daysAfter, tried, paid, recovered };
  });
}
