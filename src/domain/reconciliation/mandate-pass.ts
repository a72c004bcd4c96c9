import {
  LISTING_DELAY_MS,
  windowBetween,
  type Progress,
  type TimeWindow,
} from "./reconciliation.ts";

const DAY_MS = 24 * 3_600_000;
/** Each round reads so far back, the quarter of the other lists: what is older and open is read by its own id. */
const ROUND_MS = 98 * DAY_MS;
/** From one round to the next. */
const INTERVAL_MS = DAY_MS;
/** The longest window: the lists are short beside those of payments. */
export const MANDATE_WINDOW_MAX_MS = 7 * DAY_MS;

/** The next window of a round over the mandates and debits of an account that exists since `since`; null once it is done. */
export function nextMandateWindow(
  round: Progress,
  since: number,
  nowMs: number,
): TimeWindow | null {
  return windowBetween(round, Math.max(since, nowMs - ROUND_MS), nowMs - LISTING_DELAY_MS);
}

/** The next round, which begins at the oldest record. */
export function nextMandateRound(round: Progress, nowMs: number): Progress {
  return { ...round, readUntil: 0, nextRunAt: nowMs + INTERVAL_MS };
}
