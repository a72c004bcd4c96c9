import {
  toCreateStatus,
  type ChargeStatus,
  type CreateStatus,
  type PaymentMethod,
} from "./charge-status.ts";
import { isoTime } from "../shared/clock.ts";
import { deliveryId, eventId, type DeliveryTarget } from "../events/delivery.ts";
import type { MovementType, Posting, TransactionMovementType } from "../ledger/ledger.ts";
import type { Cents } from "../shared/money.ts";
import type { Cause, CAUSE_KINDS, ChargeHistoryEntry } from "./charge-history.ts";

/** A movement of the ledger that is about a transaction, or a withdraw. */
export interface TimelineMovement<Type extends MovementType = TransactionMovementType> {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  type: Type;
  postings: Posting[];
  /** Covers the movement and the hash of the one before it. */
  hash: string;
}

/** A charge's past in the company's object; all empty before its first transition. */
export interface ChargeHistory {
  /** Events of the charge so far. */
  eventSequence: number;
  entries: ChargeHistoryEntry[];
  /** Oldest first, the newest where there are too many. */
  movements: TimelineMovement[];
  /** Whether there is more than this. */
  hasMore: boolean;
  /** Centavos that may still be refunded; null before a payment. An object of the release before does not say it. */
  refundable?: Cents | null;
}

export interface TimelineEvent {
  companySequence: number;
  type: string;
  sequence: number;
  at: number;
}

/** One attempt to deliver one of the events. */
export interface TimelineAttempt {
  companySequence: number;
  target: DeliveryTarget;
  number: number;
  at: number;
  durationMs: number;
  httpStatus: number | null;
  fault: string | null;
  /** The answer's first bytes. */
  answer: string;
}

/** A reminder to the payer that was sent, or could not be. */
interface TimelineReminder {
  at: number;
  status: "sent" | "failed";
}

/** The creation of a transaction: its request and its provider's answer. */
export interface ChargeCreation {
  companyId: number;
  amount: Cents;
  currency: string;
  paymentMethod: PaymentMethod;
  createdAt: number;
  expiresAt: number | null;
  /** Null while the provider has not answered. */
  answer: { at: number; status: ChargeStatus; reason: string | null } | null;
}

interface CauseView {
  kind: (typeof CAUSE_KINDS)[number];
  id: string | null;
  amount: Cents | null;
}

/** Why, by the id that the cause's own items carry. */
function causeView(cause: Cause): CauseView {
  if (!("id" in cause)) return { kind: cause.kind, id: null, amount: null };
  const { id, amount } = cause;
  const chargeback = cause.kind === "dispute" && cause.dispute === "CHARGEBACK";
  return { kind: chargeback ? "chargeback" : cause.kind, id, amount };
}

/** A credit's day came, whatever else is going on. */
const RELEASE: CauseView = { kind: "release", id: null, amount: null };

/** A transaction's events in D1, oldest first, the newest where there are too many. */
export interface TimelineEventLog {
  events: TimelineEvent[];
  attempts: TimelineAttempt[];
  /** Oldest first. */
  reminders: TimelineReminder[];
  /** Whether there is more than this. */
  hasMore: boolean;
}

/**
 * The whole history of a transaction as one list, oldest first. The object's items stand in the order of
 * its commits, a cause before its transition, movements and events. All of them are shown; the rest of
 * `limit` is filled with the newest attempts.
 */
export function timelineView(
  creation: ChargeCreation,
  history: ChargeHistory,
  eventLog: TimelineEventLog,
  limit: number,
) {
  const { companyId } = creation;
  const traced = new Set(history.entries.flatMap((entry) => entry.event?.companySequence ?? []));
  // Events newer than the object's answer are left to the next request, which has their causes.
  const events = eventLog.events.filter(({ sequence }) => sequence <= history.eventSequence);
  const known = new Set([...traced, ...events.map((event) => event.companySequence)]);
  const older = events.filter((event) => !traced.has(event.companySequence));
  const attempts = eventLog.attempts.filter((attempt) => known.has(attempt.companySequence));
  const from = creation.createdAt;
  const own = [
    ...withMonotonicTime(creationItems(creation, earliestAt(history, events)), from),
    ...withMonotonicTime(chargeItems(companyId, history), from),
    ...withMonotonicTime(
      older.map((event) => eventItem(companyId, event)),
      from,
    ),
    ...withMonotonicTime(eventLog.reminders.map(reminderItem), from),
  ];
  const room = Math.max(0, limit - own.length);
  const shown = attempts.slice(Math.max(0, attempts.length - room));
  const tried = withMonotonicTime(
    shown.map((attempt) => attemptItem(companyId, attempt)),
    from,
  );
  const items = [...own, ...tried].toSorted((left, right) => left.time - right.time);
  return {
    items: items.map(({ item }) => item),
    hasMore: history.hasMore || eventLog.hasMore || shown.length < attempts.length,
  };
}

/** When the first thing is known to have happened to the charge, in epoch milliseconds. */
function earliestAt({ entries, movements }: ChargeHistory, events: TimelineEvent[]): number {
  const firsts = [entries[0], movements[0], events[0]].flatMap((first) => first?.at ?? []);
  return Math.min(...firsts);
}

/** Raises each item's time to at least that of the item before it, so that sorting keeps the order. */
function withMonotonicTime<Item extends { at: string }>(items: Item[], from: number) {
  let time = from;
  return items.map((item) => {
    time = Math.max(time, Date.parse(item.at));
    return { time, item };
  });
}

/** The answer is saved after its effects, but is shown before them. */
function creationItems({ answer, ...creation }: ChargeCreation, first: number) {
  const { amount, currency, paymentMethod, expiresAt } = creation;
  const created = {
    kind: "created" as const,
    at: isoTime(creation.createdAt),
    amount,
    currency,
    paymentMethod,
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  };
  if (answer === null) return [created];
  const { status, reason } = answer;
  const at = isoTime(Math.max(creation.createdAt, Math.min(answer.at, first)));
  return [created, { kind: "answered" as const, at, status: toCreateStatus(status), reason }];
}

/** Merges the history and the ledger's movements by the movements' numbers. */
function chargeItems(companyId: number, { entries, movements }: ChargeHistory) {
  let next = 0;
  const take = (wanted: (movement: TimelineMovement) => boolean, cause: Cause | null) => {
    const begin = next;
    while (movements[next] !== undefined && wanted(movements[next]!)) next += 1;
    return movements.slice(begin, next).map((movement) => movementItem(movement, cause));
  };
  const traced = entries.flatMap((entry) => [
    ...take(({ number, type }) => number <= entry.movement && type === "credit_released", null),
    ...causeItems(entry),
    ...transitionItems(entry),
    ...take(({ number }) => number <= entry.movement, entry.cause),
    ...(entry.event === null ? [] : [eventItem(companyId, { ...entry.event, at: entry.at })]),
  ]);
  return [...traced, ...take(() => true, null)];
}

/** A withdraw's movements, events and attempts as one list, oldest first. */
export function withdrawTimelineView(
  companyId: number,
  movements: readonly TimelineMovement<MovementType>[],
  { events, attempts }: Pick<TimelineEventLog, "events" | "attempts">,
) {
  const items = [
    ...movements.map(({ number, at, type, postings }) => {
      return { kind: "movement" as const, at: isoTime(at), number, type, postings };
    }),
    ...events.map((event) => eventItem(companyId, event)),
    ...attempts.map((attempt) => attemptItem(companyId, attempt)),
  ];
  return { items: items.toSorted((left, right) => left.at.localeCompare(right.at)) };
}

function movementItem({ number, at, type, postings }: TimelineMovement, cause: Cause | null) {
  const booked = cause === null ? null : causeView(cause);
  return {
    kind: "movement" as const,
    at: isoTime(at),
    number,
    type,
    cause: type === "credit_released" ? RELEASE : booked,
    postings,
  };
}

function causeItems({ cause, ...entry }: ChargeHistoryEntry) {
  const at = isoTime(entry.at);
  switch (cause.kind) {
    case "payment": {
      const { id: paymentId, amount, paidAt, expected } = cause;
      const payment = { paymentId, amount, paidAt: isoTime(paidAt), expected };
      return [{ kind: "payment" as const, at, ...payment }];
    }
    case "refund":
    case "cancel":
    case "capture":
    case "return":
    case "due_date": {
      const { kind: operation, id, amount, status, reason, dueDate } = cause;
      const changed = dueDate === undefined ? {} : { dueDate };
      return [
        { kind: "operation" as const, at, operation, id, amount, status, reason, ...changed },
      ];
    }
    case "dispute": {
      const { id, amount, status } = cause;
      return [{ kind: "dispute" as const, at, id, type: cause.dispute, amount, status }];
    }
    case "authorization":
    case "expiry":
    case "refusal":
    case "provider_cancel":
      return [];
  }
}

function transitionItems({ at, from, to, cause }: ChargeHistoryEntry) {
  if (from === to) return [];
  const words: { from: CreateStatus; to: CreateStatus } = {
    from: toCreateStatus(from),
    to: toCreateStatus(to),
  };
  return [{ kind: "move" as const, at: isoTime(at), ...words, cause: causeView(cause) }];
}

function eventItem(companyId: number, { companySequence, type, sequence, at }: TimelineEvent) {
  const id = eventId(companyId, companySequence);
  return { kind: "event" as const, at: isoTime(at), id, type, sequence, companySequence };
}

function attemptItem(companyId: number, { at, companySequence, ...attempt }: TimelineAttempt) {
  return {
    kind: "attempt" as const,
    at: isoTime(at),
    eventId: eventId(companyId, companySequence),
    deliveryId: deliveryId({ companyId, companySequence, target: attempt.target }),
    ...attempt,
  };
}

function reminderItem({ at, status }: TimelineReminder, index: number) {
  return { kind: "reminder" as const, at: isoTime(at), number: index + 1, status };
}
