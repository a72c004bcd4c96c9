import type { Merchant } from "../../../../tools/lib/merchant.ts";
import type { DeliveryOutcome, Inbox } from "../inbox.ts";
import { readByCursor } from "../observe.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

interface ListedEvent {
  id: string;
  companySequence: number;
  type: string;
  sequence: number;
  data: any;
}

export interface ListedDelivery {
  id: string;
  eventId: string;
  url: string;
  status: string;
}

/** A company's webhooks as the API lists them. */
export interface Webhooks {
  companyId: number;
  events: ListedEvent[];
  deliveries: ListedDelivery[];
}

export async function readWebhooks(merchant: Merchant): Promise<Webhooks> {
  return {
    companyId: merchant.companyId,
    events: await readByCursor(merchant, "/api/v1/events?"),
    deliveries: await readByCursor(merchant, "/api/v1/webhooks/deliveries?"),
  };
}

/**
 * Compares the API's events and deliveries with the received webhooks: no event is missing, each
 * delivered one was accepted, and only a rejected one was superseded by a newer one.
 */
export function deliveryProblems(
  { companyId, events, deliveries }: Webhooks,
  inbox: Pick<Inbox, "outcomes">,
): string[] {
  const problems: string[] = [];
  for (const [index, { id, companySequence }] of events.entries()) {
    if (companySequence !== index + 1) problems.push(`lost: ${id} is listed as ${index + 1}`);
  }
  const listed = new Map(events.map((event) => [event.id, event]));
  const told = new Set<DeliveryOutcome>();
  const accepted = new Map<string, number>();
  for (const { eventId, url, status } of deliveries) {
    const fate = inbox.outcomes(pathOf(url)).get(eventId);
    if (fate === undefined) continue;
    told.add(fate);
    const subject = `${pathOf(url)} ${fate.object}`;
    if (status === "delivered") {
      accepted.set(subject, Math.max(accepted.get(subject) ?? 0, fate.sequence));
    }
  }
  for (const { id, eventId, url, status } of deliveries) {
    const fate = inbox.outcomes(pathOf(url)).get(eventId);
    if (fate === undefined) {
      problems.push(`lost: ${id} is ${status} and never came`);
      continue;
    }
    const newest = accepted.get(`${pathOf(url)} ${fate.object}`) ?? 0;
    const superseded = status === "superseded" && fate.refused && newest > fate.sequence;
    if (status === "delivered" && fate.acceptedInRun === null) {
      problems.push(`lost: ${id} is delivered and was never accepted`);
    }
    if (status !== "delivered" && !superseded) problems.push(`lost: ${id} is ${status}`);
    if (contentKey(listed.get(eventId)) !== contentKey(fate)) {
      problems.push(`wrong: ${id} did not come as it is listed`);
    }
  }
  const paths = new Set(deliveries.map(({ url }) => pathOf(url)));
  for (const path of paths) {
    for (const fate of inbox.outcomes(path).values()) {
      if (fate.data.companyId !== companyId || told.has(fate)) continue;
      problems.push(`doubled: ${fate.id} came to ${path} and is no delivery`);
    }
  }
  return problems;
}

function contentKey(event: Pick<ListedEvent, "type" | "sequence" | "data"> | undefined): string {
  if (event === undefined) return "";
  const { type, sequence, data } = event;
  return JSON.stringify({ type, sequence, data });
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
