import type { Language, Texts } from "../../texts.ts";
import type { Tone } from "../../ui/parts.tsx";

export const WEBHOOKS_PATH = "/console/webhooks";
export const DELIVERIES_PATH = `${WEBHOOKS_PATH}/deliveries`;

/** How a page speaks. */
export interface Words {
  texts: Texts;
  language: Language;
}

export type DeliveryStatus = keyof Texts["webhooks"]["statuses"];

/** The company's endpoint, as the API shows it. */
export interface Endpoint {
  url: string;
  failingHosts?: FailingHost[];
}

interface FailingHost {
  host: string;
  failingSince: string;
  lastFailureAt: string;
  lastFailure: string;
  offSince: string | null;
}

/** A delivery of an event to one target. */
export interface Delivery {
  id: string;
  eventId: string;
  target: "postback" | "endpoint";
  url: string;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: string | null;
  updatedAt: string;
}

export interface Attempt {
  number: number;
  createdAt: string;
  durationMs: number;
  httpStatus: number | null;
  fault: string | null;
  answer: string;
}

/** An event as the API shows it; `data` is null without the scope of its object. */
export interface WebhookEvent {
  id: string;
  companySequence: number;
  type: string;
  timestamp: string;
  sequence: number;
  data: Record<string, unknown> | null;
}

export interface EventDetail extends WebhookEvent {
  deliveries: (Delivery & { tries: Attempt[] })[];
}

export const TONES: Record<DeliveryStatus, Tone> = {
  pending: "open",
  delivered: "good",
  superseded: "quiet",
  stopped: "bad",
  exhausted: "bad",
};

/** What the API answers to the debugger. */
export interface Verdict {
  verified: boolean;
  cause: keyof Texts["webhooks"]["causes"] | null;
  detail: string;
  eventId: string | null;
}
