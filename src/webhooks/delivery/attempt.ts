import { isTestSubject } from "../../domain/shared/event-subject.ts";
import { chaosPlan, type ChaosPlan } from "../../domain/events/webhook-chaos.ts";
import { webhookHost, webhookTargetError } from "../../domain/events/webhook-target.ts";
import { configOf, type Env } from "../../config.ts";
import { log } from "../../lib/log.ts";
import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import { findOpenCircuits, type CircuitSignal } from "./host-circuit-repository.ts";
import { withBody, type DueDelivery, type OpenDelivery } from "./delivery-group.ts";
import {
  newestOfObject,
  postponeDelivery,
  recordAttempt,
  recordChaosAttempt,
  type AttemptRecord,
} from "./repository.ts";
import { retryDelayMs } from "./retry-schedule.ts";
import { NOT_SENT, send, SIGNING_FAILED, type AttemptResult, type SendDeps } from "./send.ts";
import { companyClock } from "../../domain/shared/clock.ts";
import { hasFault } from "../../domain/time/sandbox-fault.ts";

const CIRCUIT_OPEN = "host_off";
const ENDPOINT_DELETED = "endpoint_deleted";
const DROPPED: AttemptResult = { ...NOT_SENT, fault: "chaos_dropped" };
/** The receiver of a sandbox company is down, as its tester asked. */
const RECEIVER_DOWN: AttemptResult = { ...NOT_SENT, fault: "receiver_down" };
/** The archive has the event's body and could not be read, or has lost it. */
const UNREADABLE: AttemptResult = { ...NOT_SENT, fault: "archive" };

interface AttemptContext {
  /** Whether this is the object's newest event to the target. */
  isNewest: boolean;
  /** Whether the sender still holds the lease of the object and target. */
  holdsLease: () => Promise<boolean>;
}

interface AttemptDeps extends SendDeps {
  jitter: () => number;
}

/**
 * Makes one attempt at a delivery and records its outcome. Returns when the next one is due (Unix
 * milliseconds), null if the delivery is over, or `lost` if another sender has made an attempt.
 */
export async function attempt(
  env: Env,
  open: OpenDelivery,
  { isNewest, holdsLease }: AttemptContext,
  deps: AttemptDeps,
): Promise<number | null | "lost"> {
  const { delivery } = open;
  const clock = companyClock(deps.platformClock, open);
  const startedAt = clock.now();
  const config = configOf(env);
  const isTest = isTestSubject(delivery.objectId);
  if (open.isEndpointDeleted) return stop(env, open, ENDPOINT_DELETED, startedAt);
  const policyFault = webhookTargetError(delivery.url, config.allowHttpLoopbackWebhooks);
  if (policyFault !== null) return stop(env, open, policyFault, startedAt);
  // A test event ignores the circuit: it shows whether the host works again.
  if (!isTest && open.isCircuitOpen && (await isCircuitStillOpen(env, delivery))) {
    return stop(env, open, CIRCUIT_OPEN, startedAt);
  }
  const plan =
    open.chaos === null || isTest
      ? null
      : chaosPlan(open.chaos, delivery.companySequence, delivery.attempts + 1);
  const delayedUntil = plan === null ? 0 : delivery.eventAt + plan.delayMs;
  if (isNewest && delivery.attempts === 0 && delayedUntil > startedAt) {
    await postponeDelivery(env, delivery, delayedUntil);
    return delayedUntil;
  }
  const due = await withBody(env, open);
  const isDown = hasFault(open.faults, "receiver_down", startedAt);
  const result = isDown
    ? RECEIVER_DOWN
    : plan?.drop === true
      ? DROPPED
      : due === null
        ? UNREADABLE
        : await send(config, due, deps, holdsLease);
  if (result === null) return "lost";
  const jitter = plan?.jitter ?? deps.jitter();
  const outcome = outcomeOf(delivery, result, isNewest, jitter, clock.now());
  const circuitSignal = circuitSignalOf(delivery, result);
  const record = { delivery, startedAt, result, circuitSignal, ...outcome };
  const { recorded, openedCircuit } = await recordAttempt(env, record);
  if (openedCircuit !== null) {
    log("warn", "webhook_circuit_opened", { companyId: delivery.companyId, host: openedCircuit });
  }
  if (recorded === null) return "lost";
  if (plan !== null && due !== null && outcome.status === "delivered") {
    await injectChaos(env, { ...due, delivery: recorded }, plan, deps);
  }
  return outcome.nextAttemptAt;
}

/** Whether the host's circuit is still open: it may have closed since the group was read. */
async function isCircuitStillOpen(env: Env, { companyId, url }: DeliveryRow): Promise<boolean> {
  const openCircuits = await findOpenCircuits(env, companyId, [webhookHost(url)]);
  return openCircuits.size > 0;
}

/** Stops a delivery that may not be sent, with an attempt that has the reason and no request. */
async function stop(
  env: Env,
  { delivery }: OpenDelivery,
  fault: string,
  startedAt: number,
): Promise<null | "lost"> {
  const result = { ...NOT_SENT, fault };
  const circuitSignal = { kind: "no_signal" } as const;
  const outcome = { status: "stopped", nextAttemptAt: null } as const;
  const record = { delivery, startedAt, result, circuitSignal, ...outcome };
  const { recorded } = await recordAttempt(env, record);
  return recorded === null ? "lost" : null;
}

/** The object's previous event, if it was delivered to the same URL; else null. */
async function findPreviousDelivered(env: Env, due: DueDelivery): Promise<DueDelivery | null> {
  const { delivery } = due;
  const previous = await newestOfObject(env, delivery, delivery.companySequence);
  const wasDelivered =
    previous?.delivery.status === "delivered" && previous.delivery.url === delivery.url;
  return wasDelivered ? withBody(env, { ...due, ...previous }) : null;
}

/** Sends the duplicate and the out-of-order event that a sandbox company asked for. */
async function injectChaos(
  env: Env,
  sent: DueDelivery,
  plan: ChaosPlan,
  deps: AttemptDeps,
): Promise<void> {
  const repeats = [
    plan.duplicate ? sent : null,
    plan.reorder ? await findPreviousDelivered(env, sent) : null,
  ];
  for (const repeated of repeats) {
    if (repeated === null) continue;
    const startedAt = companyClock(deps.platformClock, repeated).now();
    const result = await send(configOf(env), repeated, deps);
    if (result === null) continue;
    await recordChaosAttempt(env, { delivery: repeated.delivery, startedAt, result });
  }
}

function outcomeOf(
  delivery: DeliveryRow,
  result: AttemptResult,
  isNewest: boolean,
  jitter: number,
  nowMs: number,
): Pick<AttemptRecord, "status" | "nextAttemptAt"> {
  const { httpStatus } = result;
  if (isSuccess(httpStatus)) return { status: "delivered", nextAttemptAt: null };
  if (httpStatus === 410) return { status: "stopped", nextAttemptAt: null };
  if (!isNewest) return { status: "superseded", nextAttemptAt: null };
  // A test event is never retried: the merchant waits for the result.
  const delayMs = isTestSubject(delivery.objectId)
    ? null
    : retryDelayMs(delivery.attempts + 1, jitter, result.retryAfterMs);
  return delayMs === null
    ? { status: "exhausted", nextAttemptAt: null }
    : { status: "pending", nextAttemptAt: nowMs + delayMs };
}

/** Unsent attempts and failed test events say nothing about the host. */
function circuitSignalOf(
  { objectId }: DeliveryRow,
  { httpStatus, fault }: AttemptResult,
): CircuitSignal {
  if (isSuccess(httpStatus)) return { kind: "succeeded" };
  const hasNoSignal =
    isTestSubject(objectId) ||
    fault === SIGNING_FAILED ||
    fault === DROPPED.fault ||
    fault === UNREADABLE.fault;
  if (hasNoSignal) return { kind: "no_signal" };
  return { kind: "failed", failure: httpStatus === null ? String(fault) : String(httpStatus) };
}

function isSuccess(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}
