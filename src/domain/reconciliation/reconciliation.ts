/** The lists that a provider offers. The Pix API lists its two kinds of charges separately. */
export const LIST_NAMES = ["payments", "charges", "due_charges", "payouts"] as const;
export type ListName = (typeof LIST_NAMES)[number];
/** What passes read: a provider's lists, and the settlements that it tells. */
export const PASS_LISTS = [...LIST_NAMES, "settlements"] as const;
export type PassList = (typeof PASS_LISTS)[number];

/** `newest` reads new records. The others read older windows again, older ones less often. */
export const PASS_NAMES = ["newest", "last_day", "last_week", "last_quarter"] as const;
export type PassName = (typeof PASS_NAMES)[number];

/** How far lists were read, window after window. Times in epoch milliseconds. */
export interface Progress {
  /** Everything up to this time was read and booked. */
  readUntil: number;
  /** Length of the next window, milliseconds. */
  windowMs: number;
  nextRunAt: number;
}

/** The progress of a pass over one list of one account. Times in epoch milliseconds. */
export interface Pass extends Progress {
  list: ListName;
  pass: PassName;
  /** When the pass last finished, or was created; null before. */
  finishedAt: number | null;
  /** The lease of the run that has the pass; absent in a pass that no run has. */
  leaseUntil?: number;
}

/** The part of a list that one run reads. Epoch milliseconds. */
export interface TimeWindow {
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How often the `newest` pass runs: payments and payouts more often than unpaid charges. */
const NEWEST_INTERVAL_MS: Record<ListName, number> = {
  payments: 5 * MINUTE_MS,
  payouts: 5 * MINUTE_MS,
  charges: 15 * MINUTE_MS,
  due_charges: 15 * MINUTE_MS,
};
/**
 * The age range that each older pass reads, and the time between two passes. A payer's bank may claim a
 * payment back for 80 days (MED, BACEN), and a return is possible for 90; 98 days cover the last of them.
 */
const OLDER_PASSES: Record<
  Exclude<PassName, "newest">,
  { oldestMs: number; youngestMs: number; intervalMs: number }
> = {
  last_day: { oldestMs: DAY_MS, youngestMs: 0, intervalMs: HOUR_MS },
  last_week: { oldestMs: 7 * DAY_MS, youngestMs: DAY_MS, intervalMs: DAY_MS },
  last_quarter: { oldestMs: 98 * DAY_MS, youngestMs: 7 * DAY_MS, intervalMs: 7 * DAY_MS },
};
/**
 * `newest` reads this much again each time, because a PSP may list payments out of order. Never more than
 * the window itself, or a window that is too large could not shrink enough.
 */
const OVERLAP_MS = 15 * MINUTE_MS;
/** A PSP may not list younger records yet. */
export const LISTING_DELAY_MS = MINUTE_MS;
/** The shortest window, after repeated shrinking. */
const WINDOW_MIN_MS = MINUTE_MS;
/** The longest window of `newest`: after an outage it catches up hour by hour. */
export const NEWEST_WINDOW_MAX_MS = HOUR_MS;
/** The longest window of older passes: some PSPs (Banco do Brasil) list only a few days per request. */
const OLDER_WINDOW_MAX_MS = DAY_MS;
/** The wait after a PSP did not respond. */
export const NO_ANSWER_RETRY_MS = 5 * MINUTE_MS;
/** The lease of an account's run; a run that died restarts after it. */
export const RUN_LEASE_MS = 5 * MINUTE_MS;
/** A pass that is later than this counts as lagging. */
const LAG_GRACE_MS = 30 * MINUTE_MS;

/** The time from the end of one pass to the start of the next. */
function intervalMs({ list, pass }: Pick<Pass, "list" | "pass">): number {
  return pass === "newest" ? NEWEST_INTERVAL_MS[list] : OLDER_PASSES[pass].intervalMs;
}

/** A pass that never ran, over an account's list from the time `from` on. */
export function newPass(
  { list, pass }: Pick<Pass, "list" | "pass">,
  { from, windowMs }: { from: number; windowMs: number },
  nowMs: number,
): Pass {
  if (pass === "newest") {
    return { list, pass, readUntil: from, windowMs, nextRunAt: nowMs, finishedAt: nowMs };
  }
  return restartPass(
    { list, pass, readUntil: 0, windowMs: 0, nextRunAt: 0, finishedAt: null },
    nowMs,
  );
}

/**
 * The next window of a pass over an account that exists since `since`. Null when the pass is finished:
 * younger records belong to another pass, or may not be listed yet.
 */
export function nextWindow(pass: Pass, since: number, nowMs: number): TimeWindow | null {
  const newest = nowMs - LISTING_DELAY_MS;
  if (pass.pass === "newest") {
    const to = Math.min(newest, pass.readUntil + pass.windowMs);
    const from = Math.max(since, pass.readUntil - Math.min(OVERLAP_MS, pass.windowMs));
    return to <= pass.readUntil || to <= from ? null : { from, to };
  }
  const { oldestMs, youngestMs } = OLDER_PASSES[pass.pass];
  const youngest = Math.min(newest, nowMs - youngestMs);
  return windowBetween(pass, Math.max(since, nowMs - oldestMs), youngest);
}

/** The next window of records from `oldest` to `youngest`; null where all of them were read. */
export function windowBetween(
  { readUntil, windowMs }: Progress,
  oldest: number,
  youngest: number,
): TimeWindow | null {
  const from = Math.max(oldest, readUntil);
  const to = Math.min(youngest, from + windowMs);
  return to <= from ? null : { from, to };
}

/** The longest window of a pass. */
export function largestWindowMs({ pass }: Pick<Pass, "pass">): number {
  return pass === "newest" ? NEWEST_WINDOW_MAX_MS : OLDER_WINDOW_MAX_MS;
}

/** The pass after a complete window. The next window may be larger, up to `largestMs`. */
export function completeWindow<Known extends Progress>(
  pass: Known,
  { to }: TimeWindow,
  largestMs: number,
): Known {
  return { ...pass, readUntil: to, windowMs: Math.min(pass.windowMs * 2, largestMs) };
}

/** The pass after a window that was too large for one run. The next minute tries half of it. */
export function shrinkWindow<Known extends Progress>(pass: Known, nowMs: number): Known {
  const windowMs = Math.max(WINDOW_MIN_MS, Math.floor(pass.windowMs / 2));
  return { ...pass, windowMs, nextRunAt: nowMs };
}

/** The pass after its last window. */
export function completePass(pass: Pass, nowMs: number): Pass {
  if (pass.pass !== "newest") return restartPass(pass, nowMs);
  return { ...pass, finishedAt: nowMs, nextRunAt: nowMs + intervalMs(pass) };
}

/** The pass restarts after its interval, at the record that is oldest by then. */
function restartPass(pass: Pass, nowMs: number): Pass {
  const older = OLDER_PASSES[pass.pass as Exclude<PassName, "newest">];
  const nextRunAt = nowMs + older.intervalMs;
  const windowMs = pass.windowMs === 0 ? OLDER_WINDOW_MAX_MS : pass.windowMs;
  const readUntil = nextRunAt - older.oldestMs;
  return { ...pass, readUntil, windowMs, nextRunAt, finishedAt: nowMs };
}

/** The time after its last end at which a pass of this name lags, over any list. */
export function lagAlertAfterMs(pass: PassName): number {
  return LAG_GRACE_MS + Math.max(...LIST_NAMES.map((list) => intervalMs({ list, pass })));
}

/** How late a pass is, in milliseconds; 0 within the grace period. */
export function lagMs(pass: Pass, nowMs: number): number {
  const { finishedAt } = pass;
  if (finishedAt === null) return 0;
  const lateMs = nowMs - finishedAt - intervalMs(pass);
  return lateMs > LAG_GRACE_MS ? lateMs : 0;
}
