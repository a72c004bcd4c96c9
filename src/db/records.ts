import { and, eq, inArray, lt, sql, type Placeholder, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isOpenCharge } from "../domain/charge-status.ts";
import { deliveryId, type DeliveryTarget } from "../domain/delivery.ts";
import {
  balanceEventData,
  eventBody,
  testEventData,
  transactionEventData,
  withdrawEventData,
} from "../domain/event-body.ts";
import type { EventType } from "../domain/event-types.ts";
import { balanceObject, testObject, withdrawObject } from "../domain/object-id.ts";
import type {
  BalanceEntry,
  OutboxEntry,
  TestEntry,
  TransactionEntry,
  WithdrawEntry,
} from "../domain/outbox.ts";
import type { ChargeState, TransactionRecord } from "../domain/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { builtOnce, everyColumn, type Slots } from "./built-once.ts";
import { storedBody } from "./event-bodies.ts";
import { newDelivery, withNumber } from "./event-rows.ts";
import { databaseFor, type Database } from "./client.ts";
import { runIdempotent } from "./faults.ts";
import { companies } from "./schema/companies.ts";
import { transactions } from "./schema/transactions.ts";
import { events, type StoredDelivery } from "./schema/webhooks.ts";
import { withdraws } from "./schema/withdraws.ts";
import { toTransactionRecord } from "./transaction-mapper.ts";

interface Context {
  db: Database;
  companyId: number;
  providerCompanyId: string;
  webhookUrl: string;
  records: Map<string, TransactionRecord>;
  nowMs: number;
  /** Ids of the deliveries the batch makes due. */
  due: string[];
}

interface Announcement {
  type: EventType;
  companySequence: number;
  sequence: number;
  timestamp: number;
  objectId: string;
  data: object;
  targets: { target: DeliveryTarget; url: string }[];
  /** Left out where somebody else sees to the first attempt. */
  unhinted?: true;
}

/**
 * The drain's writer: copy, event and deliveries of each entry in one D1 batch. The `version` guard
 * keeps an older state from overwriting a newer one, and an event that is there stays as it is, so
 * that running it twice changes nothing.
 */
export function recordsOf(env: Env) {
  return {
    apply: (companyId: number, entries: OutboxEntry[], nowMs: number): Promise<string[]> =>
      runIdempotent(async () => {
        const context = await loadContext(databaseFor(env, companyId), companyId, entries, nowMs);
        const statements = entries.flatMap((entry) => statementsOf(context, entry));
        await context.db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
        return context.due;
      }),
  };
}

function statementsOf(context: Context, entry: OutboxEntry): BatchItem<"sqlite">[] {
  switch (entry.kind) {
    case "transaction":
      return transactionStatements(context, entry);
    case "withdraw":
      return withdrawStatements(context, entry);
    case "balance":
      return balanceStatements(context, entry);
    case "test":
      return testStatements(context, entry);
  }
}

async function loadContext(
  db: Database,
  companyId: number,
  entries: OutboxEntry[],
  nowMs: number,
): Promise<Context> {
  const ids = entries.flatMap((entry) =>
    entry.kind === "transaction" ? [entry.transactionId] : [],
  );
  const [[company], rows] = await db.batch([
    selectCompany(db, { companyId }),
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

const selectCompany = builtOnce((db, slots: Slots<{ companyId: number }>) =>
  db
    .select({
      providerCompanyId: companies.providerCompanyId,
      webhookUrl: companies.webhookUrl,
    })
    .from(companies)
    .where(eq(companies.id, slots.companyId)),
);

function transactionStatements(context: Context, entry: TransactionEntry): BatchItem<"sqlite">[] {
  const { db, companyId } = context;
  const created = context.records.get(entry.transactionId);
  assert(created !== undefined, `transaction ${entry.transactionId} is in D1`);
  const record = { ...created, ...entry.state };
  const number = entry.event?.companySequence;
  const { eventNumbers } = transactions;
  const numbers = number === undefined ? {} : { eventNumbers: withNumber(eventNumbers, number) };
  const isCharge = and(eq(transactions.companyId, companyId), eq(transactions.seq, record.seq));
  const copy = db
    .update(transactions)
    .set({ ...chargeCopy(entry.state), ...numbers })
    .where(and(isCharge, lt(transactions.version, entry.state.version)));
  if (entry.event === null) return [copy];
  const { companySequence } = entry.event;
  return [
    copy,
    db
      .update(transactions)
      .set(numbers)
      .where(and(isCharge, isNotIn(eventNumbers, companySequence))),
    ...announce(context, {
      ...entry.event,
      objectId: record.id,
      data: transactionEventData(record, context.providerCompanyId, entry.event),
      targets: transactionTargets(record.postbackUrl, context.webhookUrl),
    }),
  ];
}

function withdrawStatements(context: Context, entry: WithdrawEntry): BatchItem<"sqlite">[] {
  const { db, webhookUrl } = context;
  const row = withdrawRow(entry.withdraw);
  if (entry.event === null) return [copyOfWithdraw(db, { ...row, eventNumbers: [] })];
  const { companyId, id } = row;
  const number = entry.event.companySequence;
  return [
    copyWithEvent(db, { ...row, number, eventNumbers: [number] }),
    addToWithdraw(db, { companyId, id, number }),
    ...announce(context, {
      ...entry.event,
      objectId: withdrawObject(id),
      data: withdrawEventData(entry.withdraw, entry.event),
      targets: webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }],
    }),
  ];
}

type WithdrawRow = Required<typeof withdraws.$inferInsert>;

const copyOfWithdraw = builtOnce((db, slots: Slots<WithdrawRow>) => upsertWithdraw(db, slots, {}));

const copyWithEvent = builtOnce((db, slots: Slots<WithdrawRow & { number: number }>) =>
  upsertWithdraw(db, slots, { eventNumbers: withNumber(withdraws.eventNumbers, slots.number) }),
);

function upsertWithdraw(
  db: Database,
  slots: Slots<WithdrawRow>,
  numbers: { eventNumbers?: SQL },
): BatchItem<"sqlite"> {
  return db
    .insert(withdraws)
    .values(everyColumn(withdraws, slots))
    .onConflictDoUpdate({
      target: [withdraws.companyId, withdraws.id],
      set: {
        status: sql`excluded.status`,
        version: sql`excluded.version`,
        endToEndId: sql`excluded.end_to_end_id`,
        failureReason: sql`excluded.failure_reason`,
        updatedAt: sql`excluded.updated_at`,
        ...numbers,
      },
      setWhere: sql`${withdraws.version} < excluded.version`,
    });
}

const addToWithdraw = builtOnce(
  (db, slots: Slots<{ companyId: number; id: number; number: number }>) => {
    const { eventNumbers } = withdraws;
    const isWithdraw = and(eq(withdraws.companyId, slots.companyId), eq(withdraws.id, slots.id));
    return db
      .update(withdraws)
      .set({ eventNumbers: withNumber(eventNumbers, slots.number) })
      .where(and(isWithdraw, isNotIn(eventNumbers, slots.number)));
  },
);

/** What D1 is told of a charge. One that is still open is still to be looked at when it expires. */
export function chargeCopy(state: ChargeState) {
  return isOpenCharge(state.status) ? state : { ...state, nextSweepAt: null };
}

/** What of a withdraw is copied for operators: nothing a merchant wrote into it. */
export function withdrawRow(withdraw: WithdrawRecord) {
  const { idempotencyKey: _key, description: _text, metadata: _metadata, ...row } = withdraw;
  return row;
}

/** A balance has no copy in D1: the object answers for it. */
function balanceStatements(context: Context, entry: BalanceEntry): BatchItem<"sqlite">[] {
  const { companyId, webhookUrl } = context;
  return announce(context, {
    ...entry.event,
    objectId: balanceObject(entry.currency),
    data: balanceEventData(companyId, entry, entry.event),
    targets: webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }],
  });
}

/** Whoever asked for a test makes its attempt; the sweep does where that one died. */
function testStatements(context: Context, entry: TestEntry): BatchItem<"sqlite">[] {
  const { testNumber, target, url, event } = entry;
  return announce(context, {
    ...event,
    objectId: testObject(testNumber),
    data: testEventData(context.companyId, entry, event),
    targets: [{ target, url }],
    unhinted: true,
  });
}

/** Both targets of a transaction; one delivery where they are the same address. */
function transactionTargets(postbackUrl: string, webhookUrl: string): Announcement["targets"] {
  const targets: Announcement["targets"] = [];
  if (postbackUrl !== "") targets.push({ target: "postback", url: postbackUrl });
  if (webhookUrl !== "" && webhookUrl !== postbackUrl) {
    targets.push({ target: "endpoint", url: webhookUrl });
  }
  return targets;
}

/** Each target's delivery stands in the event's row, due at once. */
function announce(context: Context, event: Announcement): BatchItem<"sqlite">[] {
  const { db, companyId, nowMs } = context;
  const { objectId, companySequence, sequence, type, timestamp } = event;
  const deliveries: Partial<Record<DeliveryTarget, StoredDelivery>> = {};
  for (const { target, url } of event.targets) {
    deliveries[target] = newDelivery(url, nowMs, timestamp);
    if (event.unhinted !== true) {
      context.due.push(deliveryId({ companyId, companySequence, target }));
    }
  }
  const row = { companyId, companySequence, type, objectId, sequence, createdAt: timestamp };
  const body = storedBody(eventBody(event), row);
  return [insertEvent(db, { ...row, body, postback: null, endpoint: null, ...deliveries })];
}

type EventRow = Required<typeof events.$inferInsert>;

const insertEvent = builtOnce((db, slots: Slots<EventRow>) =>
  db.insert(events).values(everyColumn(events, slots)).onConflictDoNothing(),
);

/** Where the copy was newer than the event, as after a repair, its object still knows the event. */
function isNotIn(
  column: typeof transactions.eventNumbers | typeof withdraws.eventNumbers,
  number: number | Placeholder,
) {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${number})`;
}
