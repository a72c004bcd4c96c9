import type { RecordCursor } from "../shared/numbered-records.ts";

/** Where a comparison of all copies of a company is: each part starts after its own last row. */
export interface CopyCursor {
  /** The object's charges, by their ids. */
  afterTransaction: string;
  afterWithdraw: number;
  afterRecords: RecordCursor;
  /** `YYYY-MM-DD`; empty at the start. */
  afterDay: string;
  /** D1's transactions, by `seq`. */
  afterSeq: number;
  afterEvent: number;
}

export const FIRST_COPY: CopyCursor = {
  afterTransaction: "",
  afterWithdraw: 0,
  afterRecords: { dispute: "", payment: "", link: 0, subscription: 0, cycle: 0, contradiction: 0 },
  afterDay: "",
  afterSeq: 0,
  afterEvent: 0,
};

/** The cursor of what has one, such as a step's answer. */
export function cursorOf({
  afterTransaction,
  afterWithdraw,
  afterRecords,
  afterDay,
  afterSeq,
  afterEvent,
}: CopyCursor): CopyCursor {
  return { afterTransaction, afterWithdraw, afterRecords, afterDay, afterSeq, afterEvent };
}

/** Charges, withdraws, days, records and D1 rows that one step compares. */
export const ROWS_PER_STEP = 100;
/** Events that one step reads: of each only its number. */
export const EVENTS_PER_STEP = 1_000;

/** A company's present or last round: every copy is compared once. */
export interface ComparisonRound {
  /** Unix milliseconds. */
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** How many steps it takes, by the rows at its start. */
  steps: number;
  stepsDone: number;
  /** Where its next step begins. */
  after: CopyCursor;
  /** D1 rows that it compared, and copies that it rewrote. */
  rows: number;
  mended: number;
  /** Where the steps began that found what no rewriting ends: each check repeats them until they find nothing. */
  faulty: CopyCursor[];
}

/**
 * The pace: a round is spread over 25 days and the next begins then, so that each row is compared within 30 days even
 * if the cron or D1 is down for some.
 */
export const ROUND_MS = 25 * 86_400_000;

/** How many rows a company has of each kind that a step bounds. */
export interface CopyCounts {
  /** Transactions and numbered records, by kind. */
  rows: number[];
  events: number;
}

/** Whether a new round begins: the last one is over and its time too, or the clock or D1 was set back. */
export function isRoundDue(last: ComparisonRound | null, nowMs: number): boolean {
  if (last === null || last.startedAt > nowMs) return true;
  return last.endedAt !== null && nowMs - last.startedAt >= ROUND_MS;
}

export function newRound(
  last: ComparisonRound | null,
  counts: CopyCounts,
  nowMs: number,
): ComparisonRound {
  // A full step does not know that it is the last one.
  const steps =
    1 +
    Math.max(
      Math.floor(counts.events / EVENTS_PER_STEP),
      ...counts.rows.map((rows) => Math.floor(rows / ROWS_PER_STEP)),
    );
  const begun = { startedAt: nowMs, endedAt: null, steps, stepsDone: 0 };
  return { ...begun, after: FIRST_COPY, rows: 0, mended: 0, faulty: last?.faulty ?? [] };
}

/** Steps that a round should have taken by now, less those that it took. Unlimited once its time is over. */
export function dueSteps(round: ComparisonRound, nowMs: number): number {
  if (round.endedAt !== null) return 0;
  const passed = nowMs - round.startedAt;
  if (passed >= ROUND_MS) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor((round.steps * passed) / ROUND_MS) + 1 - round.stepsDone);
}

/** The part of a round that is done, from 0 to 1. */
export function shareOf({ endedAt, steps, stepsDone }: ComparisonRound): number {
  return endedAt === null ? stepsDone / Math.max(steps, stepsDone + 1) : 1;
}
