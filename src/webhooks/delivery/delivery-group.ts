import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";
import type { SandboxFault } from "../../domain/time/sandbox-fault.ts";
import { webhookHost } from "../../domain/events/webhook-target.ts";
import type { Env } from "../../config.ts";
import { findEventBody, findGroupRows } from "./delivery-group-repository.ts";
import { findOpenCircuits } from "./host-circuit-repository.ts";
import type { SealedSecrets } from "../signing/secrets.ts";

/** Events of an object read at first: rarely more than two are open. */
const INITIAL_EVENTS = 4;
/** Events of an object read at most. */
export const OBJECT_EVENTS_MAX = 1_000;

/** The open deliveries of one object to one target. */
export interface DeliveryGroup {
  companyId: number;
  /** How far the company's clock is ahead of the platform's, in milliseconds. */
  clockOffsetMs: number;
  objectId: string;
  target: DeliveryRef["target"];
  /** The host of the requested delivery; the others share it unless the URL changed. */
  host: string;
  /** Oldest first. */
  open: OpenDelivery[];
  /** The newest delivery before them, which is over; null if none. */
  previous: DeliveryRow | null;
  /** The requested delivery, if it is open although a newer event's delivery is over; else null. */
  superseded: DeliveryRow | null;
}

/** A delivery with everything that sending needs; its secrets are its endpoint's. */
export interface DueDelivery extends SealedSecrets {
  delivery: DeliveryRow;
  /** How far the company's clock is ahead of the platform's, in milliseconds. */
  clockOffsetMs: number;
  body: string;
  /** Whether the host's circuit is open, so that nothing is sent. */
  isCircuitOpen: boolean;
  /** Whether the endpoint was deleted, so that nothing is sent. */
  isEndpointDeleted: boolean;
  /** Null unless a sandbox company asked for it. */
  chaos: WebhookChaos | null;
  /** Those of a sandbox company, by its clock. */
  faults: readonly SandboxFault[];
}

/** A delivery that is due or will be. In a large group, and of an archived event, the body is null until it is sent (`withBody`). */
export type OpenDelivery = Omit<DueDelivery, "body"> & { body: string | null };

/** Reads the body of a delivery that lacks it; null where the archive has it and could not be read. */
export async function withBody(env: Env, open: OpenDelivery): Promise<DueDelivery | null> {
  const { delivery } = open;
  const body = open.body ?? (await findEventBody(env, delivery));
  return body === null ? null : { ...open, body };
}

/** The group of a delivery; null if there is no such delivery. */
export function loadGroup(env: Env, ref: DeliveryRef): Promise<DeliveryGroup | null> {
  return readGroup(env, ref, INITIAL_EVENTS);
}

async function readGroup(
  env: Env,
  ref: DeliveryRef,
  eventLimit: number,
): Promise<DeliveryGroup | null> {
  const { companyId, target } = ref;
  // The bodies of a large group are not held in memory at once.
  const found = await findGroupRows(env, ref, {
    eventLimit,
    withBodies: eventLimit <= INITIAL_EVENTS,
  });
  const { requested, newest, mode, clockOffsetMs, chaos, faults, secrets } = found;
  const { isEndpointDeleted, hasOpenCircuit } = found;
  if (requested === undefined) return null;

  const toTarget = newest.flatMap(({ delivery, body, ...event }) =>
    delivery === null ? [] : [{ delivery: Object.assign(delivery, event), body }],
  );
  // Deliveries end in order, so the open ones are the newest.
  const lastClosed = toTarget.findLastIndex(({ delivery }) => delivery.nextAttemptAt === null);
  if (lastClosed === -1 && newest.length === eventLimit && eventLimit < OBJECT_EVENTS_MAX) {
    return readGroup(env, ref, OBJECT_EVENTS_MAX);
  }
  const open = toTarget.slice(lastClosed + 1);
  const hosts = [...new Set(open.map(({ delivery }) => webhookHost(delivery.url)))];
  const openCircuits = hasOpenCircuit ? await findOpenCircuits(env, companyId, hosts) : new Set();
  const isSuperseded =
    requested.nextAttemptAt !== null &&
    lastClosed !== -1 &&
    !open.some(({ delivery }) => delivery.companySequence === requested.companySequence);
  return {
    companyId,
    clockOffsetMs,
    target,
    objectId: requested.objectId,
    host: webhookHost(requested.url),
    open: open.map(({ delivery, body }) =>
      Object.assign({}, secrets, {
        delivery,
        clockOffsetMs,
        body,
        isCircuitOpen: openCircuits.has(webhookHost(delivery.url)),
        isEndpointDeleted,
        chaos: mode === "sandbox" ? chaos : null,
        faults: mode === "sandbox" ? (faults ?? []) : [],
      }),
    ),
    previous: toTarget[lastClosed]?.delivery ?? null,
    superseded: isSuperseded ? requested : null,
  };
}
