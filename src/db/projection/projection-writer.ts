import { and, eq, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import {
  contradictionEventData,
  type OperatorEvent,
} from "../../domain/reconciliation/contradiction.ts";
import { disputeEventData, evidenceEventData } from "../../domain/disputes/dispute.ts";
import {
  balanceEventData,
  paymentEventData,
  testEventData,
  withdrawEventData,
} from "../../domain/events/event-body.ts";
import {
  balanceSubject,
  disputeSubject,
  testSubject,
  unexpectedPaymentSubject,
  withdrawSubject,
} from "../../domain/shared/event-subject.ts";
import {
  tracesOf,
  EntryRejected,
  type BalanceEntry,
  type ContradictionEntry,
  type DisputeEntry,
  type OutboxEntry,
  type PaymentEntry,
  type TestEntry,
  type TransactionEntry,
  type WithdrawEntry,
} from "../../domain/events/outbox-entry.ts";
import type { WrittenEntries } from "../../domain/events/archived-change.ts";
import { storageEventData } from "../../domain/storage/storage-limits.ts";
import { issuerOf, type Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { withChangedBoleto } from "../../domain/charges/payment-details.ts";
import { transactionEventData } from "../../methods/transaction-view.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { databaseFor } from "../client.ts";
import { insertEmail, type NewEmail } from "../emails.ts";
import { requireSameEvents, type NewEvent } from "./event-writes.ts";
import {
  endpointsOf,
  eventStatements,
  insertStatements,
  selectCharges,
  selectEndpoints,
  type WriteContext,
} from "./write-context.ts";
import { anchorStatements, freezeStatements } from "./company-writes.ts";
import { linkStatements } from "./link-writes.ts";
import { erasureStatements, subscriptionStatements } from "./subscriptions/subscription-writes.ts";
import { settingsStatements } from "./settings-writes.ts";
import {
  chargeProjection,
  changeBoleto,
  contradictionRow,
  nextRunOf,
  withdrawProjection,
} from "./projected-rows.ts";
import { isRowRejected, runIdempotent } from "../storage-errors.ts";
import { companies } from "../schema/companies.ts";
import { contradictions, operatorEvents } from "../schema/contradictions.ts";
import { disputes } from "../schema/disputes.ts";
import { unexpectedPayments } from "../schema/payments.ts";
import { transactions } from "../schema/transactions.ts";
import { withdraws } from "../schema/withdraws.ts";
import { withTextsOfAll } from "../archive/archived-texts.ts";
import { dailyReportStatements, newestDailyTotals } from "./daily-reports.ts";
import { lackTexts, TEXTS_WAIT_MS, TextsWait } from "../archive/texts-wait.ts";
import { toTransactionRecord, type StoredTransaction } from "./transaction-mapper.ts";

/**
 * The outbox drain's writer: the projection, event and deliveries of all entries in one D1 batch. Safe to
 * repeat: an older `version` never overwrites a newer one, and an existing event stays. Its last statement
 * reads the entries' charges, so that the archive's copy is what this batch left. Throws `EntryRejected` if D1 rejects an entry's values, or has another event under
 * an event's number: then the object is older than D1, as after a restore (docs/restore.md). Throws
 * `TextsUnreachable` for `textsWaitMs` from the first write on that lacks the texts of an archived charge.
 */
export function projectionWriter(env: Env, { textsWaitMs = TEXTS_WAIT_MS } = {}) {
  const textsWait = new TextsWait(textsWaitMs);
  return {
    write: (companyId: number, entries: OutboxEntry[], nowMs: number): Promise<WrittenEntries> =>
      runIdempotent(async () => {
        const context = await loadContext(env, companyId, entries, nowMs);
        textsWait.pass(context.lacksTexts, nowMs);
        // Before the transactions, whose trigger counts fiscal keys in the reports' rows.
        const statements = [
          ...dailyReportStatements(context.db, companyId, newestDailyTotals(entries)),
          ...entries.flatMap((entry) => statementsOf(context, entry)),
          ...erasureStatements(context, entries),
        ];
        const { repeated, charges } = await writeAll(context, statements, entries);
        await requireSameEvents(context.db, repeated);
        return { due: context.due, change: { charges, entries } };
      }),
  };
}

/** Returns the events whose numbers D1 had before, and the entries' charges as they are then. */
async function writeAll(
  { db, inserts }: WriteContext,
  writes: BatchItem<"sqlite">[],
  entries: OutboxEntry[],
): Promise<{ repeated: NewEvent[]; charges: StoredTransaction[] }> {
  const statements = [...writes, selectCharges(db, entries)];
  try {
    const results = await db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
    const repeated = writes.flatMap((statement, index) => {
      const event = inserts.get(statement);
      return event === undefined || changesOf(results[index]) > 0 ? [] : [event];
    });
    return { repeated, charges: results.at(-1) as StoredTransaction[] };
  } catch (error) {
    if (!isRowRejected(error)) throw error;
    // drizzle's outer message repeats the values, which include the payer's personal data.
    const { cause } = error as Error;
    const message = cause instanceof Error ? cause.message : String(error);
    throw new EntryRejected(message.replace(/for value .*/s, "for a value"));
  }
}

function changesOf(result: unknown): number {
  return (result as D1Result).meta.changes;
}

function statementsOf(context: WriteContext, entry: OutboxEntry): BatchItem<"sqlite">[] {
  switch (entry.kind) {
    case "transaction":
      return transactionStatements(context, entry);
    case "withdraw":
      return withdrawStatements(context, entry);
    case "dispute":
      return disputeStatements(context, entry);
    case "payment":
      return paymentStatements(context, entry);
    case "payment_link":
      return linkStatements(context, entry);
    case "subscription":
      return subscriptionStatements(context, entry);
    case "settings":
      return settingsStatements(context, entry);
    case "balance":
      return balanceStatements(context, entry);
    case "test":
      return testStatements(context, entry);
    case "anchor":
      return anchorStatements(context, entry);
    case "freeze":
      return freezeStatements(context, entry);
    case "contradiction":
      return contradictionStatements(context, entry);
    case "storage":
      return [
        operatorEvent(context, entry.event, storageEventData(context.companyId, entry.bytes)),
      ];
  }
}

async function loadContext(
  env: Env,
  companyId: number,
  entries: OutboxEntry[],
  nowMs: number,
): Promise<WriteContext> {
  const db = databaseFor(env, companyId);
  const [[company], rows, others] = await db.batch([
    db
      .select({
        providerCompanyId: companies.providerCompanyId,
        webhookUrl: companies.webhookUrl,
        webhookEvents: companies.webhookEvents,
      })
      .from(companies)
      .where(eq(companies.id, companyId)),
    selectCharges(db, entries),
    selectEndpoints(db, companyId),
  ]);
  assert(company !== undefined, `company ${companyId} is in D1`);
  const withAllTexts = await withTextsOfAll(env, rows);
  const records = new Map(withAllTexts.map((row) => [row.id, toTransactionRecord(row)]));
  const issuer = issuerOf(env, company);
  const traces = tracesOf(entries);
  const inserts = new Map<BatchItem<"sqlite">, NewEvent>();
  const lacksTexts = lackTexts(entries, withAllTexts);
  return {
    db,
    companyId,
    issuer,
    endpoints: endpointsOf(company, others),
    records,
    lacksTexts,
    nowMs,
    traces,
    due: [],
    inserts,
  };
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
  const { boleto: changed } = entry;
  const record = { ...withChangedBoleto(created, changed), ...entry.state };
  // A later event of the batch shows it too.
  context.records.set(record.id, record);
  const isCharge = and(eq(transactions.companyId, companyId), eq(transactions.seq, record.seq));
  const projection = db
    .update(transactions)
    .set(chargeProjection(entry.state))
    .where(and(isCharge, lt(transactions.version, entry.state.version)));
  const projections = [
    projection,
    ...(changed === undefined ? [] : [changeBoleto(db, changed, entry.state.version, isCharge)]),
  ];
  if (entry.event === null) return projections;
  return [
    ...projections,
    ...eventStatements(
      context,
      {
        ...entry.event,
        objectId: record.id,
        data: transactionEventData(record, context.issuer, entry.event),
      },
      record.postbackUrl,
    ),
  ];
}

function withdrawStatements(context: WriteContext, entry: WithdrawEntry): BatchItem<"sqlite">[] {
  const { db } = context;
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
        failureCode: sql`excluded.failure_code`,
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
    }),
    ...(entry.event.type === "withdraw.awaiting_approval"
      ? [insertEmail(db, approvalEmail(entry.withdraw), context.nowMs)]
      : []),
  ];
}

/** To all who may approve; the cron makes one for each of them. */
function approvalEmail({ companyId, id }: WithdrawRecord): NewEmail {
  return { companyId, id: `approval:${id}`, kind: "approval", subject: String(id), userId: "" };
}

/** The projection of a dispute, its event, and the operator event about new evidence. */
function disputeStatements(
  context: WriteContext,
  { dispute, event, operatorEvent: evidenceEvent }: DisputeEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const { number: _number, id: _id, kind: _kind, openedAt: _openedAt, ...changing } = dispute;
  const projection = db
    .insert(disputes)
    .values({ companyId, ...dispute })
    .onConflictDoUpdate({
      target: [disputes.companyId, disputes.number],
      set: changing,
      setWhere: lt(disputes.version, dispute.version),
    });
  const forOperators =
    evidenceEvent === null
      ? []
      : [operatorEvent(context, evidenceEvent, evidenceEventData(companyId, dispute))];
  if (event === null) return [projection, ...forOperators];
  return [
    projection,
    ...eventStatements(context, {
      ...event,
      objectId: disputeSubject(dispute.id),
      data: disputeEventData(companyId, dispute, event),
    }),
    ...forOperators,
  ];
}

/** The projection of an unexpected payment; the cron makes the transaction that a credit waits for. */
function paymentStatements(
  context: WriteContext,
  { payment, updatedAt, event }: PaymentEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const nextRunAt = nextRunOf(payment, updatedAt);
  const projection = db
    .insert(unexpectedPayments)
    .values({ companyId, ...payment, updatedAt, nextRunAt })
    .onConflictDoUpdate({
      target: [unexpectedPayments.companyId, unexpectedPayments.number],
      set: {
        transactionId: sql`excluded.transaction_id`,
        status: sql`excluded.status`,
        requestedBy: sql`excluded.requested_by`,
        approval: sql`excluded.approval`,
        updatedAt: sql`excluded.updated_at`,
        version: sql`excluded.version`,
        nextRunAt: sql`excluded.next_run_at`,
      },
      setWhere: sql`${unexpectedPayments.version} < excluded.version`,
    });
  if (event === null) return [projection];
  return [
    projection,
    ...eventStatements(context, {
      ...event,
      objectId: unexpectedPaymentSubject(payment.paymentId),
      data: paymentEventData(context.companyId, payment, event),
    }),
  ];
}

/** Only the event: a balance has no projection. */
function balanceStatements(context: WriteContext, entry: BalanceEntry): BatchItem<"sqlite">[] {
  const { companyId } = context;
  return eventStatements(context, {
    ...entry.event,
    objectId: balanceSubject(entry.currency),
    data: balanceEventData(companyId, entry, entry.event),
  });
}

/** Adds no due delivery: the caller of a test makes the attempt, and the sweep does if the caller died. */
function testStatements(context: WriteContext, entry: TestEntry): BatchItem<"sqlite">[] {
  const { companyId } = context;
  const { testNumber, target, url, event } = entry;
  const test = {
    ...event,
    companyId,
    objectId: testSubject(testNumber),
    data: testEventData(companyId, entry, event),
    targets: [{ target, url }],
    traceId: context.traces.get(event.companySequence) ?? null,
  };
  return insertStatements(context, test);
}

/** The projection of a contradiction, and the operator event about the change. */
function contradictionStatements(
  context: WriteContext,
  { contradiction, event }: ContradictionEntry,
): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const row = { companyId, ...contradictionRow(contradiction) };
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
