/** What a provider can be asked to list. The Pix API keeps its two kinds of charges apart. */
export const LIST_NAMES = ["payments", "charges", "due_charges", "payouts"] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** `newest` follows what comes; the others read older windows again, the older the rarer. */
export const PASS_NAMES = ["newest", "last_day", "last_week", "last_quarter"] as const;
export type PassName = (typeof PASS_NAMES)[number];

/** How far a pass over one list of one account has come. Times epoch milliseconds. */
export interface Pass {
  list: ListName;
  pass: PassName;
  /** Everything up to this moment was read and booked in this pass. */
  readUntil: number;
  /** Milliseconds of the list that are asked for in one go. */
  windowMs: number;
  nextRunAt: number;
  /** When it last came to its end, or was made. */
  finishedAt: number | null;
}

/** What of a list is read in one go. */
export interface TimeWindow {
  from: number;
  to: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How often what is new is read: money first, then what became of charges nobody has paid. */
const NEWEST_INTERVAL_MS: Record<ListName, number> = {
  payments: 5 * MINUTE_MS,
  payouts: 5 * MINUTE_MS,
  charges: 15 * MINUTE_MS,
  due_charges: 15 * MINUTE_MS,
};
/**
 * Of an older pass: what it reads again, from how old to how old, and how long after its end it begins
 * anew. A payer's bank may ask a payment back 80 days later (MED, BACEN), and money may go back for 90:
 * what happens on the last of these days is read a week and a bit later.
 */
const OLDER_PASSES: Record<
  Exclude<PassName, "newest">,
  { oldestMs: number; youngestMs: number; everyMs: number }
> = {
  last_day: { oldestMs: DAY_MS, youngestMs: 0, everyMs: HOUR_MS },
  last_week: { oldestMs: 7 * DAY_MS, youngestMs: DAY_MS, everyMs: DAY_MS },
  last_quarter: { oldestMs: 98 * DAY_MS, youngestMs: 7 * DAY_MS, everyMs: 7 * DAY_MS },
};
/**
 * Read once more by `newest` each time, for a PSP may list a payment later than others that came after it.
 * No more than is read anew, or a window that is too large could never become small enough.
 */
const OVERLAP_MS = 15 * MINUTE_MS;
/** What came this recently may not be listed yet. */
export const LISTING_DELAY_MS = MINUTE_MS;
/** What a window that could not be read whole shrinks to, from one time to the next. */
const WINDOW_MIN_MS = MINUTE_MS;
/** What `newest` asks for in one go: after an outage it catches up hour by hour. */
export const NEWEST_WINDOW_MAX_MS = HOUR_MS;
/** The same of older passes: some PSPs (Banco do Brasil) list a few days at most in one go. */
const OLDER_WINDOW_MAX_MS = DAY_MS;
/** When a pass is asked about again whose PSP did not answer. */
export const NO_ANSWER_RETRY_MS = 5 * MINUTE_MS;
/** Until then a run of an account is taken to be under way; one that died is begun anew after it. */
export const RUN_LEASE_MS = 5 * MINUTE_MS;
/** A pass that is this much later than it should be is said to be behind. */
const LAG_GRACE_MS = 30 * MINUTE_MS;

/** How long after one run the next one begins. */
function intervalMs({ list, pass }: Pick<Pass, "list" | "pass">): number {
  return pass === "newest" ? NEWEST_INTERVAL_MS[list] : OLDER_PASSES[pass].everyMs;
}

/** A pass that was never run, of an account whose list is to be read from a moment on. */
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
 * What a pass reads next, of an account that has a list since `since`. Null where it has come to its
 * end: what is younger is not its own, or may not be listed yet.
 */
export function nextWindow(pass: Pass, since: number, nowMs: number): TimeWindow | null {
  const newest = nowMs - LISTING_DELAY_MS;
  if (pass.pass === "newest") {
    const to = Math.min(newest, pass.readUntil + pass.windowMs);
    const from = Math.max(since, pass.readUntil - Math.min(OVERLAP_MS, pass.windowMs));
    return to <= pass.readUntil || to <= from ? null : { from, to };
  }
  const { oldestMs, youngestMs } = OLDER_PASSES[pass.pass];
  const from = Math.max(since, pass.readUntil, nowMs - oldestMs);
  const to = Math.min(newest, nowMs - youngestMs, from + pass.windowMs);
  return to <= from ? null : { from, to };
}

/** A window was read whole: the next one may be larger. */
export function completeWindow(pass: Pass, { to }: TimeWindow): Pass {
  const largest = pass.pass === "newest" ? NEWEST_WINDOW_MAX_MS : OLDER_WINDOW_MAX_MS;
  return { ...pass, readUntil: to, windowMs: Math.min(pass.windowMs * 2, largest) };
}

/** A window was more than one run reads: half of it is tried with the next minute. */
export function shrinkWindow(pass: Pass, nowMs: number): Pass {
  const windowMs = Math.max(WINDOW_MIN_MS, Math.floor(pass.windowMs / 2));
  return { ...pass, windowMs, nextRunAt: nowMs };
}

/** It has come to its end. */
export function completePass(pass: Pass, nowMs: number): Pass {
  if (pass.pass !== "newest") return restartPass(pass, nowMs);
  return { ...pass, finishedAt: nowMs, nextRunAt: nowMs + intervalMs(pass) };
}

/** It begins once more after its time, with what will be the oldest then. */
function restartPass(pass: Pass, nowMs: number): Pass {
  const older = OLDER_PASSES[pass.pass as Exclude<PassName, "newest">];
  const nextRunAt = nowMs + older.everyMs;
  const windowMs = pass.windowMs === 0 ? OLDER_WINDOW_MAX_MS : pass.windowMs;
  const readUntil = nextRunAt - older.oldestMs;
  return { ...pass, readUntil, windowMs, nextRunAt, finishedAt: nowMs };
}

/** How long after its last end a pass of this name, over whichever list, is behind. */
export function lagAlertAfterMs(pass: PassName): number {
  return LAG_GRACE_MS + Math.max(...LIST_NAMES.map((list) => intervalMs({ list, pass })));
}

/** How much later than its time a pass comes to its end, in milliseconds; 0 while it keeps it. */
export function lagMs(pass: Pass, nowMs: number): number {
  const { finishedAt } = pass;
  if (finishedAt === null) return 0;
  const lateMs = nowMs - finishedAt - intervalMs(pass);
  return lateMs > LAG_GRACE_MS ? lateMs : 0;
}
