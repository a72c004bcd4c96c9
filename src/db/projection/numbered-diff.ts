import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { UnexpectedPayment } from "../../domain/charges/unexpected-payment.ts";
import type { DisputeRecord } from "../../domain/disputes/dispute.ts";
import type { PaymentLink } from "../../domain/links/payment-link.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import type {
  NumberedKind,
  NumberedRecords,
  RecordCursor,
} from "../../domain/shared/numbered-records.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { inList } from "../in-list.ts";
import { contradictions } from "../schema/contradictions.ts";
import { disputes } from "../schema/disputes.ts";
import { paymentLinks, unexpectedPayments } from "../schema/payments.ts";
import { subscriptionCycles, subscriptions } from "../schema/subscriptions/subscriptions.ts";
import { withdraws } from "../schema/withdraws.ts";
import { diffOf, type ProjectionDiff } from "./diff.ts";
import { contradictionRow, nextRunOf } from "./projected-rows.ts";

/** A difference of a numbered record. */
export interface NumberedDiff extends ProjectionDiff<{ number: number }> {
  kind: NumberedKind;
  /** Writes the original to D1, unless the projection has changed since it was read. */
  rewrite: BatchItem<"sqlite">;
}

/** Compares numbered records with their projections. Asks D1 nothing if there are none. */
export async function diffNumbered(
  db: Database,
  companyId: number,
  records: NumberedRecords,
): Promise<NumberedDiff[]> {
  if (Object.values(records).every(({ length }) => length === 0)) return [];
  const found = await db.batch([
    db
      .select()
      .from(disputes)
      .where(isNumbered(disputes, companyId, records.dispute)),
    db
      .select()
      .from(unexpectedPayments)
      .where(isNumbered(unexpectedPayments, companyId, records.payment)),
    db
      .select()
      .from(paymentLinks)
      .where(isNumbered(paymentLinks, companyId, records.link)),
    db
      .select()
      .from(subscriptions)
      .where(isNumbered(subscriptions, companyId, records.subscription)),
    db
      .select()
      .from(subscriptionCycles)
      .where(isNumbered(subscriptionCycles, companyId, records.cycle)),
    db
      .select()
      .from(contradictions)
      .where(isNumbered(contradictions, companyId, records.contradiction)),
  ]);
  const [disputeRows, paymentRows, linkRows, subscriptionRows, cycleRows, contradictionRows] =
    found;
  const writes = rewritesOf(db, companyId);
  const decided = records.contradiction.map(contradictionRow);
  return [
    ...differing("dispute", records.dispute, disputeRows, ["id"], writes.dispute),
    ...differing("payment", records.payment, paymentRows, ["paymentId"], writes.payment),
    ...differing("link", records.link, linkRows, ["id"], writes.link),
    ...differing(
      "subscription",
      records.subscription,
      subscriptionRows,
      ["id"],
      writes.subscription,
    ),
    ...differing("cycle", records.cycle, cycleRows, ["transactionId"], writes.cycle),
    // D1 has no `finding`; the same finding again is the same contradiction.
    ...differing(
      "contradiction",
      decided,
      contradictionRows,
      ["kind", "object"],
      writes.contradiction,
    ),
  ];
}

type NumberedTable =
  | typeof disputes
  | typeof unexpectedPayments
  | typeof paymentLinks
  | typeof subscriptions
  | typeof subscriptionCycles
  | typeof contradictions;

function isNumbered(table: NumberedTable, companyId: number, records: { number: number }[]) {
  const numbers = records.map(({ number }) => number);
  return and(eq(table.companyId, companyId), inList(table.number, numbers));
}

/** The statements that write a record to D1, unless its projection has changed since a version. */
function rewritesOf(db: Database, companyId: number) {
  return {
    dispute: (row: DisputeRecord, version: number) =>
      db
        .insert(disputes)
        .values({ companyId, ...row })
        .onConflictDoUpdate({
          target: [disputes.companyId, disputes.number],
          set: row,
          setWhere: eq(disputes.version, version),
        }),
    payment: (payment: UnexpectedPayment, version: number) => {
      const row = { ...payment, nextRunAt: nextRunOf(payment, payment.receivedAt) };
      return db
        .insert(unexpectedPayments)
        .values({ companyId, ...row, updatedAt: row.receivedAt })
        .onConflictDoUpdate({
          target: [unexpectedPayments.companyId, unexpectedPayments.number],
          set: row,
          setWhere: eq(unexpectedPayments.version, version),
        });
    },
    link: (row: PaymentLink, version: number) =>
      db
        .insert(paymentLinks)
        .values({ companyId, ...row })
        .onConflictDoUpdate({
          target: [paymentLinks.companyId, paymentLinks.number],
          set: row,
          setWhere: eq(paymentLinks.version, version),
        }),
    subscription: (row: Subscription, version: number) =>
      db
        .insert(subscriptions)
        .values({ companyId, ...row })
        .onConflictDoUpdate({
          target: [subscriptions.companyId, subscriptions.number],
          set: row,
          setWhere: eq(subscriptions.version, version),
        }),
    cycle: (row: SubscriptionCycle, version: number) =>
      db
        .insert(subscriptionCycles)
        .values({ companyId, ...row })
        .onConflictDoUpdate({
          target: [subscriptionCycles.companyId, subscriptionCycles.number],
          set: row,
          setWhere: eq(subscriptionCycles.version, version),
        }),
    contradiction: (row: ReturnType<typeof contradictionRow>, version: number) =>
      db
        .insert(contradictions)
        .values({ companyId, ...row })
        .onConflictDoUpdate({
          target: [contradictions.companyId, contradictions.number],
          set: row,
          setWhere: eq(contradictions.version, version),
        }),
  };
}

function differing<Row extends { number: number; version: number }>(
  kind: NumberedKind,
  originals: Row[],
  rows: Row[],
  identity: readonly (keyof Row & string)[],
  rewrite: (row: Row, projectedVersion: number) => BatchItem<"sqlite">,
): NumberedDiff[] {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return originals.flatMap((original) =>
    diffOf(original, original, byNumber.get(original.number), identity).map((diff) =>
      Object.assign(diff, { kind, rewrite: rewrite(original, diff.projectedVersion ?? 0) }),
    ),
  );
}

/** Where a walk over withdraws and numbered records began and ended; `upTo` is null where it came to the end. */
export interface WalkedRange {
  after: RecordCursor & { withdraw: number };
  upTo: { withdraw: number | null; records: RecordCursor | null };
}

/** A withdraw or numbered record of D1, and what the object finds it by. */
export interface StoredRecord {
  kind: NumberedKind | "withdraw";
  number: number;
  key: string | number;
}

/** Rows of each kind that one look at a range reads, of which the object's walk has fewer. */
const RANGE_MAX = 1_000;

/** The withdraws and numbered records that D1 has in the range of a walk over the object's. */
export async function storedInRange(
  env: Env,
  companyId: number,
  { after, upTo }: WalkedRange,
): Promise<StoredRecord[]> {
  const db = databaseFor(env, companyId);
  const { records } = upTo;
  const walked = (
    table: NumberedTable | typeof withdraws,
    [number, key]: [SQLiteColumn, SQLiteColumn],
    [first, last]: [string | number, string | number | null],
  ) =>
    db
      .select({
        number: sql<number>`${number}`.as("record_number"),
        // Named: a row of D1 has one column of each name.
        key: sql<string | number>`${key}`.as("record_key"),
      })
      .from(table)
      .where(
        and(
          eq(table.companyId, companyId),
          gt(key, first),
          last === null ? undefined : lte(key, last),
        ),
      )
      .orderBy(asc(key))
      .limit(RANGE_MAX);
  const ofNumber = (
    table: Exclude<NumberedTable, typeof disputes | typeof unexpectedPayments>,
    kind: "link" | "subscription" | "cycle" | "contradiction",
  ) => walked(table, [table.number, table.number], [after[kind], records && records[kind]]);
  const [withdraw, dispute, payment, link, subscription, cycle, contradiction] = await db.batch([
    walked(withdraws, [withdraws.id, withdraws.id], [after.withdraw, upTo.withdraw]),
    walked(disputes, [disputes.number, disputes.id], [after.dispute, records && records.dispute]),
    walked(
      unexpectedPayments,
      [unexpectedPayments.number, unexpectedPayments.paymentId],
      [after.payment, records && records.payment],
    ),
    ofNumber(paymentLinks, "link"),
    ofNumber(subscriptions, "subscription"),
    ofNumber(subscriptionCycles, "cycle"),
    ofNumber(contradictions, "contradiction"),
  ]);
  const found = { withdraw, dispute, payment, link, subscription, cycle, contradiction };
  return (Object.keys(found) as (keyof typeof found)[]).flatMap((kind) =>
    found[kind].map((row) => Object.assign(row, { kind })),
  );
}
