import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import {
  contradictionEventData,
  type OperatorEvent,
} from "../../domain/reconciliation/contradiction.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import {
  anchorEventData,
  balanceEventData,
  testEventData,
  withdrawEventData,
} from "../../domain/events/event-body.ts";
import {
  balanceSubject,
  ledgerSubject,
  testSubject,
  withdrawSubject,
} from "../../domain/shared/event-subject.ts";
import {
  EntryRejected,
  type AnchorEntry,
  type BalanceEntry,
  type ContradictionEntry,
  type OutboxEntry,
  type TestEntry,
  type TransactionEntry,
  type WithdrawEntry,
} from "../../domain/events/outbox.ts";
import { storageEventData } from "../../domain/shared/storage.ts";
import type { ChargeState, TransactionRecord } from "../../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { transactionEventData } from "../../methods/transaction-view.ts";
import { databaseFor, type Database } from "../client.ts";
import { insertEventStatements, type NewEvent } from "./event-writes.ts";
import { isRowRejected, runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";
import { contradictions, operatorEvents } from "../schema/contradictions.ts";
import { transactions } from "../schema/transactions.ts";
import { withdraws } from "../schema/withdraws.ts";
import { toTransactionRecord } from "./transaction-mapper.ts";

interface WriteContext {
  db: Database;
  companyId: number;
  providerCompanyId: string;
  webhookUrl: string;
  records: Map<string, TransactionRecord>;
  nowMs: number;
  /** Ids of the deliveries the batch makes due. */
  due: string[];
}

/**
 * The drain's writer: copy, event and deliveries of each entry in one D1 batch. The `version` guard
 * keeps an older state from overwriting a newer one, and an event that is there stays as it is, so
 * that running it twice changes nothing. Throws `EntryRejected` where D1 answers that it cannot.
 */
export function projectionWriter(env: Env) {
  return {
    write: (companyId: number, entries: OutboxEntry[], nowMs: number): Promise<string[]> =>
      runIdempotent(async () => {
        const context = await loadContext(databaseFor(env, companyId), companyId, entries, nowMs);
        const statements = entries.flatMap((entry) => statementsOf(context, entry));
        await writeAll(context.db, statements);
        return context.due;
      }),
  };
}

async function writeAll(db: Database, statements: BatchItem<"sqlite">[]): Promise<void> {
  try {
    await db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
  } catch (error) {
    if (!isRowRejected(error)) throw error;
    // Of drizzle's two messages the inner one: the outer repeats the values, a payer's among them.
    const { cause } = error as Error;
    const message = cause instanceof Error ? cause.message : String(error);
    throw new EntryRejected(message.replace(/for value .*/s, "for a value"));
  }
}

function statementsOf(context: WriteContext, entry: OutboxEntry): BatchItem<"sqlite">[] {
  switch (entry.kind) {
    case "transaction":
      return transactionStatements(context, entry);
    case "withdraw":
      return withdrawStatements(context, entry);
    case "balance":
      return balanceStatements(context, entry);
    case "test":
      return testStatements(context, entry);
    case "anchor":
      return anchorStatements(context, entry);
    case "contradiction":
      return contradictionStatements(context, entry);
    case "storage":
      return [
        operatorEvent(context, entry.event, storageEventData(context.companyId, entry.bytes)),
      ];
  }
}

async function loadContext(
  db: Database,
  companyId: number,
  entries: OutboxEntry[],
  nowMs: number,
): Promise<WriteContext> {
  const ids = entries.flatMap((entry) =>
    entry.kind === "transaction" ? [entry.transactionId] : [],
  );
  const [[company], rows] = await db.batch([
    db
      .select({
        providerCompanyId: companies.providerCompanyId,
        webhookUrl: companies.webhookUrl,
      })
      .from(companies)
      .where(eq(companies.id, companyId)),
    // Its text has one parameter for each: as one list of JSON they would cost two more rows to read.
    db
      .select()
      .from(transactions)
      .where(inArray(transactions.id, [...new Set(ids)])),
  ]);
  assert(company !== undefined, `company ${companyId} is in D1`);
  const { providerCompanyId, webhookUrl } = company;
  const records = new Map(rows.map((row) => [row.id, toTransactionRecord(row)]));
  return { db, companyId, providerCompanyId, webhookUrl, records, nowMs, due: [] };
}

function transactionStatements(
  context: WriteContext,
  entry: TransactionEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const created = context.records.get(entry.transactionId);
  if (created === undefined) {
    throw new EntryRejected(`transaction ${entry.transactionId} is not in D1`);
  }
  const record = { ...created, ...entry.state };
  const isCharge = and(eq(transactions.companyId, companyId), eq(transactions.seq, record.seq));
  const projection = db
    .update(transactions)
    .set(chargeProjection(entry.state))
    .where(and(isCharge, lt(transactions.version, entry.state.version)));
  if (entry.event === null) return [projection];
  return [
    projection,
    ...eventStatements(context, {
      ...entry.event,
      objectId: record.id,
      data: transactionEventData(record, context.providerCompanyId, entry.event),
      targets: transactionTargets(record.postbackUrl, context.webhookUrl),
    }),
  ];
}

function withdrawStatements(context: WriteContext, entry: WithdrawEntry): BatchItem<"sqlite">[] {
  const { db, webhookUrl } = context;
  const row = withdrawProjection(entry.withdraw);
  const projection = db
    .insert(withdraws)
    .values(row)
    .onConflictDoUpdate({
      target: [withdraws.companyId, withdraws.id],
      set: {
        status: sql`excluded.status`,
        version: sql`excluded.version`,
        endToEndId: sql`excluded.end_to_end_id`,
        failureReason: sql`excluded.failure_reason`,
        returnedAmount: sql`excluded.returned_amount`,
        updatedAt: sql`excluded.updated_at`,
      },
      setWhere: sql`${withdraws.version} < excluded.version`,
    });
  if (entry.event === null) return [projection];
  return [
    projection,
    ...eventStatements(context, {
      ...entry.event,
      objectId: withdrawSubject(row.id),
      data: withdrawEventData(entry.withdraw, entry.event),
      targets: webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }],
    }),
  ];
}

/** What D1 is told of a charge. One that is still open is still to be looked at when it expires. */
export function chargeProjection(state: ChargeState) {
  return isOpenCharge(state.status) ? state : { ...state, nextSweepAt: null };
}

/** What of a withdraw is copied for operators: nothing a merchant wrote into it. */
export function withdrawProjection(withdraw: WithdrawRecord) {
  const {
    idempotencyKey: _key,
    description: _text,
    metadata: _metadata,
    account: _account,
    ...row
  } = withdraw;
  return row;
}

/** A balance has no copy in D1: the object answers for it. */
function balanceStatements(context: WriteContext, entry: BalanceEntry): BatchItem<"sqlite">[] {
  const { companyId, webhookUrl } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: balanceSubject(entry.currency),
    data: balanceEventData(companyId, entry, entry.event),
    targets: webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }],
  });
}

/** An anchor is in D1 already, where it was made: only the company is told. */
function anchorStatements(context: WriteContext, entry: AnchorEntry): BatchItem<"sqlite">[] {
  const { companyId, webhookUrl } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: ledgerSubject(entry.currency),
    data: anchorEventData(companyId, entry, entry.event),
    targets: webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }],
  });
}

/** The caller of a test makes its attempt and needs no wake-up; the sweep does where the caller died. */
function testStatements(context: WriteContext, entry: TestEntry): BatchItem<"sqlite">[] {
  const { db, companyId, nowMs } = context;
  const { testNumber, target, url, event } = entry;
  const test = {
    ...event,
    companyId,
    objectId: testSubject(testNumber),
    data: testEventData(companyId, entry, event),
    targets: [{ target, url }],
  };
  return insertEventStatements(db, test, nowMs);
}

/** Operators' copy of it, and what they are told of the change. */
function contradictionStatements(
  context: WriteContext,
  { contradiction, event }: ContradictionEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const { finding: _finding, ...state } = contradiction;
  const row = { companyId, ...state };
  return [
    db
      .insert(contradictions)
      .values(row)
      .onConflictDoUpdate({
        target: [contradictions.companyId, contradictions.number],
        set: {
          status: sql`excluded.status`,
          proposal: sql`excluded.proposal`,
          decision: sql`excluded.decision`,
          version: sql`excluded.version`,
        },
        setWhere: sql`${contradictions.version} < excluded.version`,
      }),
    operatorEvent(context, event, contradictionEventData(companyId, contradiction)),
  ];
}

function operatorEvent(
  { db, companyId }: WriteContext,
  event: OperatorEvent,
  data: Record<string, unknown>,
): BatchItem<"sqlite"> {
  return db
    .insert(operatorEvents)
    .values({ companyId, ...event, data })
    .onConflictDoNothing();
}

/** Both targets of a transaction; one delivery where they are the same address. */
function transactionTargets(postbackUrl: string, webhookUrl: string): NewEvent["targets"] {
  const targets: NewEvent["targets"] = [];
  if (postbackUrl !== "") targets.push({ target: "postback", url: postbackUrl });
  if (webhookUrl !== "" && webhookUrl !== postbackUrl) {
    targets.push({ target: "endpoint", url: webhookUrl });
  }
  return targets;
}

/** Writes an event with its deliveries, and notes them to be woken up for. */
function eventStatements(
  context: WriteContext,
  event: Omit<NewEvent, "companyId">,
): BatchItem<"sqlite">[] {
  const { db, companyId, nowMs } = context;
  for (const { target } of event.targets) {
    context.due.push(deliveryId({ ...event, companyId, target }));
  }
  return insertEventStatements(db, { ...event, companyId }, nowMs);
}
