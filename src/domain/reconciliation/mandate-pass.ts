import { LISTING_DELAY_MS, type TimeWindow } from "./reconciliation.ts";

/** The progress of a round over an account's lists of mandates and debits. Times in epoch milliseconds. */
export interface MandatePass {
  /** This round has read both lists up to this time; 0 before its first window. */
  readUntil: number;
  /** Length of the next window, milliseconds. */
  windowMs: number;
  nextRunAt: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Each round reads so far back, the quarter of the other lists: what is older and open is read by its own id. */
const ROUND_MS = 98 * DAY_MS;
/** From one round to the next. */
const INTERVAL_MS = DAY_MS;
/** The longest window: the lists are short beside those of payments. */
export const MANDATE_WINDOW_MAX_MS = 7 * DAY_MS;
const WINDOW_MIN_MS = HOUR_MS;

/** The next window of a round over an account that exists since `since`; null once the round is done. */
export function nextMandateWindow(
  { readUntil, windowMs }: MandatePass,
  since: number,
  nowMs: number,
): TimeWindow | null {
  const from = Math.max(since, readUntil, nowMs - ROUND_MS);
  const to = Math.min(nowMs - LISTING_DELAY_MS, from + windowMs);
  return to <= from ? null : { from, to };
}

/** The round after a window that was read. */
export function afterMandateWindow(pass: MandatePass, { to }: TimeWindow): MandatePass {
  return {
    ...pass,
    readUntil: to,
    windowMs: Math.min(pass.windowMs * 2, MANDATE_WINDOW_MAX_MS),
  };
}

/** The round after a window that was too large for one run. */
export function withSmallerWindow(pass: MandatePass, nowMs: number): MandatePass {
  const windowMs = Math.max(WINDOW_MIN_MS, Math.floor(pass.windowMs / 2));
  return { ...pass, windowMs, nextRunAt: nowMs };
}

/** The next round, which begins at the oldest record. */
export function nextMandateRound(pass: MandatePass, nowMs: number): MandatePass {
  return { ...pass, readUntil: 0, nextRunAt: nowMs + INTERVAL_MS };
}
