import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";
import { webhookHost } from "../../domain/events/webhook-target.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { findEventBody, findGroupRows } from "./delivery-group-repository.ts";
import { findOpenCircuits } from "./host-circuit-repository.ts";
import type { SealedSecrets } from "../signing/secrets.ts";

/** Events of an object that are read at first: more than one or two are seldom open. */
const INITIAL_EVENTS = 4;
/** Events of an object that are read at all. */
export const OBJECT_EVENTS_MAX = 1_000;

/** All undelivered events of one object on their way to one target. */
export interface DeliveryGroup {
  companyId: number;
  objectId: string;
  target: DeliveryRef["target"];
  /** Where the requested event goes; the others too, unless the URL was changed. */
  host: string;
  /** Oldest first. */
  open: OpenDelivery[];
  /** The event before those, whose delivery is over. */
  previous: DeliveryRow | null;
  /** The requested delivery, where it is open although the delivery of a newer event is over. */
  superseded: DeliveryRow | null;
}

export interface DueDelivery extends SealedSecrets {
  delivery: DeliveryRow;
  body: string;
  /** Nothing is sent to its host any more. */
  isCircuitOpen: boolean;
  /** Null where the company did not ask for it, and for companies with real money. */
  chaos: WebhookChaos | null;
}

/** A delivery that is due or will be; of a long row of them the body is read when it is sent (`withBody`). */
export type OpenDelivery = Omit<DueDelivery, "body"> & { body: string | null };

/** A delivery with the text that is sent. */
export async function withBody(env: Env, open: OpenDelivery): Promise<DueDelivery> {
  const { delivery, body } = open;
  if (body !== null) return { ...open, body };
  const stored = await findEventBody(env, delivery);
  assert(stored !== null, "an event with an open delivery is in D1");
  return { ...open, body: stored };
}

/** The open events of a delivery's object to its target; null where there is no such delivery. */
export function loadGroup(env: Env, ref: DeliveryRef): Promise<DeliveryGroup | null> {
  return readGroup(env, ref, INITIAL_EVENTS);
}

async function readGroup(
  env: Env,
  ref: DeliveryRef,
  eventLimit: number,
): Promise<DeliveryGroup | null> {
  const { companyId, target } = ref;
  // A long row of bodies is not held in memory at once.
  const { requested, newest, company, hasOpenCircuit } = await findGroupRows(env, ref, {
    eventLimit,
    withBodies: eventLimit <= INITIAL_EVENTS,
  });
  if (requested === undefined) return null;
  assert(company !== undefined, `company ${companyId} is in D1`);

  const toTarget = newest.flatMap(({ delivery, objectId, eventAt, body }) =>
    delivery === null ? [] : [{ delivery: Object.assign(delivery, { objectId, eventAt }), body }],
  );
  // Events go in their order, so those that are open are the newest.
  const lastClosed = toTarget.findLastIndex(({ delivery }) => delivery.nextAttemptAt === null);
  if (lastClosed === -1 && newest.length === eventLimit && eventLimit < OBJECT_EVENTS_MAX) {
    return readGroup(env, ref, OBJECT_EVENTS_MAX);
  }
  const open = toTarget.slice(lastClosed + 1);
  const hosts = [...new Set(open.map(({ delivery }) => webhookHost(delivery.url)))];
  const openCircuits = hasOpenCircuit ? await findOpenCircuits(env, companyId, hosts) : new Set();
  const { mode, chaos, ...secrets } = company;
  const isSuperseded =
    requested.nextAttemptAt !== null &&
    lastClosed !== -1 &&
    !open.some(({ delivery }) => delivery.companySequence === requested.companySequence);
  return {
    companyId,
    target,
    objectId: requested.objectId,
    host: webhookHost(requested.url),
    open: open.map(({ delivery, body }) =>
      Object.assign({}, secrets, {
        delivery,
        body,
        isCircuitOpen: openCircuits.has(webhookHost(delivery.url)),
        chaos: mode === "sandbox" ? chaos : null,
      }),
    ),
    previous: toTarget[lastClosed]?.delivery ?? null,
    superseded: isSuperseded ? requested : null,
  };
}
