import type { EndpointId } from "./webhook-endpoint.ts";

/** Where an event goes: the transaction's `postbackUrl`, or an endpoint of the company. */
export type DeliveryTarget = "postback" | EndpointId;

export interface DeliveryRef {
  companyId: number;
  companySequence: number;
  target: DeliveryTarget;
}

const DELIVERY_ID = /^dlv_(\d{1,8})_(\d{1,15})_(postback|endpoint(?:_[1-9]\d{0,8})?)$/;

/** `webhook-id` of an event, the same over every retry and target (Standard Webhooks 1.0). */
export function eventId(companyId: number, companySequence: number): string {
  return `evt_${companyId}_${companySequence}`;
}

const EVENT_ID = /^evt_(\d{1,8})_(\d{1,15})$/;

/** The company and event number in an event id; null for any other text. */
export function parseEventId(id: string): { companyId: number; companySequence: number } | null {
  const match = EVENT_ID.exec(id);
  if (match === null) return null;
  return { companyId: Number(match[1]), companySequence: Number(match[2]) };
}

/** A delivery's id: one event to one target. */
export function deliveryId(ref: DeliveryRef): string {
  return `dlv_${ref.companyId}_${ref.companySequence}_${ref.target}`;
}

/** The parts of a delivery id; null for any other text. */
export function parseDeliveryId(id: string): DeliveryRef | null {
  const match = DELIVERY_ID.exec(id);
  if (match === null) return null;
  return {
    companyId: Number(match[1]),
    companySequence: Number(match[2]),
    target: match[3] as DeliveryTarget,
  };
}
