import type { Backlog } from "../../../company/outbox/outbox-store.ts";
import type { Snapshot } from "../../../company/snapshot.ts";
import {
  storedInRange,
  type StoredRecord,
  type WalkedRange,
} from "../../../db/projection/numbered-diff.ts";
import {
  eventsAfter,
  transactionVersionsAfter,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import {
  EVENTS_PER_STEP,
  FIRST_COPY,
  ROWS_PER_STEP,
  type CopyCursor,
} from "../../../domain/reconciliation/comparison-round.ts";
import { keysOf } from "../../../domain/shared/numbered-records.ts";
import type { Env } from "../../../config.ts";
import { COPY_NAMES, EMPTY_QUERY, fetchSnapshot, persistentDifferences } from "./service.ts";

/** Rows of D1 that one step names as never made. */
const NAMED_MAX = 20;

/** What one step of a comparison found. */
export interface ComparedCopies {
  /** Where the next step begins. */
  after: CopyCursor;
  isDone: boolean;
  /** Originals that were compared. */
  compared: number;
  /** Rows of D1 that were compared. */
  rows: number;
  differences: ProjectionDiffs;
  /** What no rewriting ends: rows that the object does not know, and transactions that D1 lost. */
  violations: string[];
  /** Events that D1 lacks: the first and last number of each gap. */
  missingEvents: [first: number, last: number][];
  /** The newest event of an object that is older than D1; null of any other. */
  eventsEndAt: number | null;
  snapshot: Snapshot;
}

/**
 * One bounded step of a comparison of all copies in D1 with the company's object: originals with their copies, rows
 * that the object does not have, and gaps in the events. With `archived`, events before the first stored one are not
 * missing.
 */
export async function compareCopies(
  env: Env,
  companyId: number,
  from: CopyCursor,
  archived = false,
): Promise<ComparedCopies> {
  const { afterSeq, afterEvent, ...originals } = from;
  // Before the object is asked, so that it knows of every change that D1 has.
  const stored = await transactionVersionsAfter(env, companyId, afterSeq, ROWS_PER_STEP);
  const movedInD1 = stored.filter((row) => row.hasTransitioned).map((row) => row.id);
  const query = { ...originals, movedInD1, limit: ROWS_PER_STEP };
  const snapshot = await fetchSnapshot(env, companyId, query);
  const { charges, withdraws, dailyTotals, numbered, walkedRecords, withdrawCount } = snapshot;
  const days = [...new Set(dailyTotals.map(({ day }) => day))];
  const records = keysOf(numbered);
  const differences = await persistentDifferences(
    env,
    companyId,
    {
      transactionIds: charges.map((charge) => charge.transactionId),
      withdrawIds: withdraws.map((withdraw) => withdraw.id),
      days,
      records,
    },
    snapshot,
  );
  const events = await checkEvents(env, companyId, { afterEvent, archived, snapshot });
  const lastWithdraw = Math.min(from.afterWithdraw + ROWS_PER_STEP, withdrawCount);
  const recordCount = Object.values(records).reduce((sum, keys) => sum + keys.length, 0);
  return {
    after: {
      afterTransaction: charges.at(-1)?.transactionId ?? from.afterTransaction,
      afterWithdraw: Math.max(from.afterWithdraw, lastWithdraw),
      afterRecords: walkedRecords?.after ?? from.afterRecords,
      afterDay: days.at(-1) ?? from.afterDay,
      afterSeq: stored.at(-1)?.seq ?? afterSeq,
      afterEvent: events.last,
    },
    isDone:
      charges.length < ROWS_PER_STEP &&
      lastWithdraw === withdrawCount &&
      walkedRecords?.isDone !== false &&
      days.length < ROWS_PER_STEP &&
      stored.length < ROWS_PER_STEP &&
      events.done,
    compared: charges.length + withdraws.length + recordCount,
    rows: stored.length + withdraws.length + recordCount + dailyTotals.length + events.rows,
    differences,
    violations: [
      ...snapshot.unknownCharges.map(
        (id) => `I9 D1 says that transaction ${id} has moved, which it has not`,
      ),
      // Of a charge that has not changed yet, D1 has the only row.
      ...gapsIn(
        stored.map(({ seq }) => seq),
        afterSeq + 1,
      ).map(([first, last]) => `I7 D1 lacks its transactions ${first} to ${last}`),
      ...(await findNeverMade(env, companyId, rangeOf(from, snapshot, lastWithdraw), snapshot)),
    ],
    missingEvents: events.missing,
    eventsEndAt: events.endAt,
    snapshot,
  };
}

/** The gaps in ascending numbers that should begin at `first`: the first and last number of each. */
function gapsIn(numbers: number[], first: number): [number, number][] {
  return numbers.flatMap((number, index): [number, number][] => {
    const expected = index === 0 ? first : (numbers[index - 1] ?? 0) + 1;
    return number === expected ? [] : [[expected, number - 1]];
  });
}

/** Gaps in the events of one step and, in the last step, events missing at the end or beyond it. */
async function checkEvents(
  env: Env,
  companyId: number,
  {
    afterEvent,
    archived,
    snapshot: { companySequence, backlog },
  }: { afterEvent: number; archived: boolean; snapshot: Snapshot },
): Promise<{
  last: number;
  rows: number;
  done: boolean;
  missing: [number, number][];
  endAt: number | null;
}> {
  const found = await eventsAfter(env, companyId, afterEvent, EVENTS_PER_STEP);
  const last = found.at(-1)?.companySequence ?? afterEvent;
  const done = found.length < EVENTS_PER_STEP;
  const oldest = archived && afterEvent === 0 ? found[0] : undefined;
  const gaps = gapsIn(
    found.map((event) => event.companySequence),
    oldest?.companySequence ?? afterEvent + 1,
  );
  if (done && backlog.entries === backlog.rejected && last < companySequence) {
    gaps.push([last + 1, companySequence]);
  }
  const missing = gaps.filter(([first, end]) => !areAllRejected(first, end, backlog));
  // An event may have been written between the two reads.
  const beyond = done && last > companySequence;
  const now = beyond ? (await fetchSnapshot(env, companyId, EMPTY_QUERY)).companySequence : last;
  return { last, rows: found.length, done, missing, endAt: last > now ? now : null };
}

/** Whether all of these events are rejected entries: D1 refused them. */
function areAllRejected(from: number, to: number, { rejectedEvents: rejected }: Backlog): boolean {
  return rejected.filter((number) => number >= from && number <= to).length === to - from + 1;
}

/** The range of D1's records that a walk over the object's has passed. */
function rangeOf(
  { afterRecords, afterWithdraw }: CopyCursor,
  { walkedRecords, withdrawCount }: Snapshot,
  lastWithdraw: number,
): WalkedRange {
  return {
    // A round of before a kind was there has no cursor of it.
    after: { ...FIRST_COPY.afterRecords, ...afterRecords, withdraw: afterWithdraw },
    upTo: {
      withdraw: lastWithdraw === withdrawCount ? null : lastWithdraw,
      records: walkedRecords?.isDone === false ? walkedRecords.after : null,
    },
  };
}

/** Withdraws and numbered records that D1 has in the range of a walk, and the object does not have. */
async function findNeverMade(
  env: Env,
  companyId: number,
  range: WalkedRange,
  walked: Snapshot,
): Promise<string[]> {
  const stored = await storedInRange(env, companyId, range);
  const strangers = unknownTo(walked, stored);
  if (strangers.length === 0) return [];
  // One may have been made between the two reads.
  const keysOfKind = (kind: StoredRecord["kind"]) =>
    strangers.filter((record) => record.kind === kind).map(({ key }) => key);
  const again = await fetchSnapshot(env, companyId, {
    transactionIds: [],
    withdrawIds: keysOfKind("withdraw").map(Number),
    records: {
      dispute: keysOfKind("dispute").map(String),
      payment: keysOfKind("payment").map(String),
      link: keysOfKind("link").map(Number),
      subscription: keysOfKind("subscription").map(Number),
      cycle: keysOfKind("cycle").map(Number),
      contradiction: keysOfKind("contradiction").map(Number),
    },
  });
  return unknownTo(again, strangers)
    .slice(0, NAMED_MAX)
    .map(({ kind, number }) => `I9 D1 has a ${COPY_NAMES[kind]} ${number} that was never made`);
}

/** The stored ones that a snapshot does not have, or has under another number. */
function unknownTo({ withdraws, numbered }: Snapshot, stored: StoredRecord[]): StoredRecord[] {
  const numbers: Record<StoredRecord["kind"], Map<string | number, number>> = {
    withdraw: new Map(withdraws.map(({ id }) => [id, id])),
    dispute: new Map(numbered.dispute.map(({ id, number }) => [id, number])),
    payment: new Map(numbered.payment.map(({ paymentId, number }) => [paymentId, number])),
    link: new Map(numbered.link.map(({ number }) => [number, number])),
    subscription: new Map(numbered.subscription.map(({ number }) => [number, number])),
    cycle: new Map(numbered.cycle.map(({ number }) => [number, number])),
    contradiction: new Map(numbered.contradiction.map(({ number }) => [number, number])),
  };
  return stored.filter(({ kind, number, key }) => numbers[kind].get(key) !== number);
}
