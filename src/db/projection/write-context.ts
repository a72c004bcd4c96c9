import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { deliveryId } from "../../domain/events/delivery.ts";
import type { EventType } from "../../domain/events/event-types.ts";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import {
  ALL_EVENTS,
  endpointId,
  FIRST_ENDPOINT,
  takesEvent,
  type EndpointEvent,
  type EndpointId,
} from "../../domain/events/webhook-endpoint.ts";
import type { Issuer } from "../../methods/transaction-view.ts";
import type { Database } from "../client.ts";
import { transactions } from "../schema/transactions.ts";
import { webhookEndpoints } from "../schema/webhooks.ts";
import { insertEventStatements, type NewEvent } from "./event-writes.ts";

/** A webhook endpoint of the company that has a URL. */
export interface Endpoint {
  id: EndpointId;
  url: string;
  events: readonly EndpointEvent[];
}

/** What the writer of the projection knows of the company and of the batch. */
export interface WriteContext {
  db: Database;
  companyId: number;
  issuer: Issuer;
  endpoints: Endpoint[];
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

/** A company's endpoints: the first is of its own row, the others have theirs. */
export function endpointsOf(
  first: { webhookUrl: string; webhookEvents: EndpointEvent[] | null },
  others: { number: number; url: string; events: EndpointEvent[] }[],
): Endpoint[] {
  const { webhookUrl: url, webhookEvents } = first;
  return [
    ...(url === "" ? [] : [{ id: endpointId(1), url, events: webhookEvents ?? [ALL_EVENTS] }]),
    ...others.map(({ number, ...endpoint }) => ({ id: endpointId(number), ...endpoint })),
  ];
}

/** The query for a company's endpoints after its first. */
export function selectEndpoints(db: Database, companyId: number) {
  const { number, url, events, deletedAt } = webhookEndpoints;
  return db
    .select({ number, url, events })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.companyId, companyId), isNull(deletedAt)))
    .orderBy(asc(number));
}

/**
 * Where an event goes: its object's `postbackUrl`, if it has one, and each endpoint that takes its type. The first
 * endpoint is left out at the same URL: a postback has its secret, so the two would be equal.
 */
function targetsOf(
  { endpoints }: WriteContext,
  type: EventType,
  postbackUrl: string,
): NewEvent["targets"] {
  const taking = endpoints.filter(
    ({ id, url, events }) =>
      takesEvent(events, type) && !(id === FIRST_ENDPOINT && url === postbackUrl),
  );
  return [
    ...(postbackUrl === "" ? [] : [{ target: "postback" as const, url: postbackUrl }]),
    ...taking.map(({ id, url }) => ({ target: id, url })),
  ];
}

/** The statements of an event, whose deliveries are added to `context.due`. */
export function eventStatements(
  context: WriteContext,
  event: Omit<NewEvent, "companyId" | "targets">,
  postbackUrl = "",
): BatchItem<"sqlite">[] {
  const { companyId } = context;
  const targets = targetsOf(context, event.type, postbackUrl);
  for (const { target } of targets) {
    context.due.push(deliveryId({ ...event, companyId, target }));
  }
  const traceId = context.traces.get(event.companySequence) ?? null;
  return insertStatements(context, { ...event, companyId, targets, traceId });
}

/** The statements of an event whose deliveries another caller makes. */
export function insertStatements(context: WriteContext, event: NewEvent): BatchItem<"sqlite">[] {
  const statements = insertEventStatements(context.db, event, context.nowMs);
  const insert = statements.at(-1);
  if (insert !== undefined) context.inserts.set(insert, event);
  return statements;
}
