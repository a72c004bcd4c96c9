import {
  disputeHeadView,
  disputeView,
  type DisputeRecord,
} from "../../../domain/disputes/dispute.ts";
import { deliveryId, eventId } from "../../../domain/events/delivery.ts";
import {
  timelineView,
  type ChargeCreation,
  type ChargeHistory,
  type TimelineMovement,
} from "../../../domain/charges/timeline.ts";
import type { TransactionRecord } from "../../../domain/charges/transaction.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { creationView, type Issuer } from "../../../methods/transaction-view.ts";
import type { DossierEvents } from "./repository.ts";

/** The most that a dossier has of each list; what is between the oldest and the newest half is left out. */
export const DOSSIER_MAX = { timeline: 200, postings: 100, webhooks: 100, items: 100 } as const;

/** A disputed transaction with its past. */
export interface DisputedCharge {
  record: TransactionRecord;
  creation: ChargeCreation;
  history: ChargeHistory;
}

/** What a dossier is made of, masked as its reader may see it. */
export interface DossierParts {
  company: { id: number; name: string } & Issuer;
  dispute: DisputeRecord;
  /** Null for a dispute about a payment that nobody expected. */
  charge: DisputedCharge | null;
  log: DossierEvents;
  /** Whether the reader may see deliveries. */
  showsWebhooks: boolean;
}

/** All that speaks for the merchant, as JSON values. Centavos. */
export function dossierDocument(parts: DossierParts, nowMs: number) {
  const { company, dispute, charge, log } = parts;
  const timeline = halves(charge === null ? [] : timelineOf(charge, log), DOSSIER_MAX.timeline);
  const postings = halves((charge?.history.movements ?? []).map(postingView), DOSSIER_MAX.postings);
  const items = halves(charge?.record.items ?? [], DOSSIER_MAX.items);
  const webhooks = halves(webhookViews(company.id, log), DOSSIER_MAX.webhooks);
  return {
    type: "dispute_dossier" as const,
    company: { id: company.id, name: company.name },
    dispute: disputeHeadView(dispute),
    transaction: charge === null ? null : creationView(charge.record, company),
    payer: charge === null ? null : payerView(charge.record),
    items: items.kept,
    timeline: timeline.kept,
    postings: postings.kept,
    webhooks: parts.showsWebhooks ? webhooks.kept : null,
    evidence: disputeView(dispute).evidence,
    leftOut: {
      timeline: timeline.leftOut,
      postings: postings.leftOut,
      webhooks: webhooks.leftOut,
      items: items.leftOut,
    },
    createdAt: isoTime(nowMs),
  };
}

export type DossierDocument = ReturnType<typeof dossierDocument>;

function payerView({ payer, paidBy, payerMatch }: TransactionRecord) {
  return { ...payer, paidBy, payerMatch };
}

/** The transaction's own items; its attempts are in `webhooks`. */
function timelineOf({ record, creation, history }: DisputedCharge, log: DossierEvents) {
  const events = log.events
    .filter(({ objectId }) => objectId === record.id)
    .map((event) => Object.assign({ at: event.createdAt }, event));
  const { items } = timelineView(
    creation,
    history,
    { events, attempts: [], reminders: [], hasMore: false },
    DOSSIER_MAX.timeline,
  );
  return items;
}

function postingView({ number, at, type, postings, hash }: TimelineMovement) {
  return { movement: number, at: isoTime(at), type, postings, hash };
}

function webhookViews(companyId: number, { events, deliveries }: DossierEvents) {
  const byEvent = Map.groupBy(deliveries, ({ companySequence }) => companySequence);
  return events.map(({ companySequence, type, sequence, createdAt }) => ({
    id: eventId(companyId, companySequence),
    type,
    sequence,
    at: isoTime(createdAt),
    deliveries: (byEvent.get(companySequence) ?? []).map(({ target, status, attempts, log }) => ({
      id: deliveryId({ companyId, companySequence, target }),
      target,
      status,
      attempts,
      tries: log.map(({ number, at, durationMs, httpStatus, fault }) => ({
        number,
        at: isoTime(at),
        durationMs,
        httpStatus,
        fault,
      })),
    })),
  }));
}

/** The oldest and the newest half of a list that is longer than `max`. */
function halves<Item>(list: Item[], max: number): { kept: Item[]; leftOut: number } {
  const leftOut = Math.max(0, list.length - max);
  if (leftOut === 0) return { kept: list, leftOut };
  return { kept: [...list.slice(0, max / 2), ...list.slice(-max / 2)], leftOut };
}
