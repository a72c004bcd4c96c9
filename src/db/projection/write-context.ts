import { inArray } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import type { Issuer } from "../../methods/transaction-view.ts";
import type { Database } from "../client.ts";
import { transactions } from "../schema/transactions.ts";
import { insertEventStatements, type NewEvent } from "./event-writes.ts";

/** What the writer of the projection knows of the company and of the batch. */
export interface WriteContext {
  db: Database;
  companyId: number;
  issuer: Issuer;
  webhookUrl: string;
  records: Map<string, TransactionRecord>;
  /** Whether an event is about a charge of `records` whose texts the archive does not give now. */
  lacksTexts: boolean;
  nowMs: number;
  /** The trace ids of the batch's events, by their `companySequence`. */
  traces: ReadonlyMap<number, string>;
  /** Ids of the deliveries that the batch makes due. */
  due: string[];
  /** The statement that inserts each event of the batch. */
  inserts: Map<BatchItem<"sqlite">, NewEvent>;
}

/** The query for the charges of entries, as D1 has them. */
export function selectCharges(db: Database, entries: OutboxEntry[]) {
  const ids = entries.flatMap((entry) =>
    entry.kind === "transaction" ? [entry.transactionId] : [],
  );
  // One parameter for each id: one JSON list would cost two more rows read.
  return db
    .select()
    .from(transactions)
    .where(inArray(transactions.id, [...new Set(ids)]));
}

/** The delivery to the company's endpoint, if it has one. */
export function endpointTargets(webhookUrl: string): NewEvent["targets"] {
  return webhookUrl === "" ? [] : [{ target: "endpoint", url: webhookUrl }];
}

/** The statements of an event, whose deliveries are added to `context.due`. */
export function eventStatements(
  context: WriteContext,
  event: Omit<NewEvent, "companyId">,
): BatchItem<"sqlite">[] {
  const { companyId } = context;
  for (const { target } of event.targets) {
    context.due.push(deliveryId({ ...event, companyId, target }));
  }
  const traceId = context.traces.get(event.companySequence) ?? null;
  return insertStatements(context, { ...event, companyId, traceId });
}

/** The statements of an event whose deliveries another caller makes. */
export function insertStatements(context: WriteContext, event: NewEvent): BatchItem<"sqlite">[] {
  const statements = insertEventStatements(context.db, event, context.nowMs);
  const insert = statements.at(-1);
  if (insert !== undefined) context.inserts.set(insert, event);
  return statements;
}
