import {
  DELIVERY_LEASE_MS,
  type DeliveryLeaseRelease,
  type DeliveryLeaseResult,
  type DeliveryLeaseRequest,
} from "../../domain/events/delivery-lease.ts";
import { deliveryId, parseDeliveryId, type DeliveryRef } from "../../domain/events/delivery.ts";
import { isTestSubject } from "../../domain/shared/event-subject.ts";
import type { Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { attempt } from "./attempt.ts";
import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import { loadGroup, type DeliveryGroup } from "./delivery-group.ts";
import { isStillOpen, supersede } from "./repository.ts";
import type { SendDeps } from "./send.ts";
import { companyClock, type CompanyClock } from "../../domain/shared/clock.ts";

/** Passes over one group, so that a burst of events cannot occupy a consumer for ever. */
const MAX_PASSES = 10;
/** Clocks of two machines differ by less. A wake-up that is earlier belongs to another attempt. */
const CLOCK_SKEW_MS = 5_000;
/** No attempt begins after this: a new wake-up continues the group. */
const WORK_BUDGET_MS = 10_000;
/** Before a request, rows read longer ago are read again. */
const MAX_STALENESS_MS = 1_000;

/** The delivery leases of the company's object (`company/deliveries`). */
export interface DeliveryLeaseClient {
  acquire: (companyId: number, request: DeliveryLeaseRequest) => Promise<DeliveryLeaseResult>;
  release: (
    companyId: number,
    request: DeliveryLeaseRequest,
    keepLease: boolean,
  ) => Promise<DeliveryLeaseRelease>;
}

export interface DeliveryDeps extends SendDeps {
  /** From [0, 1): the jitter of the retry schedule. */
  jitter: () => number;
  /** Sends a wake-up message for the delivery after `delayMs`. */
  enqueueWakeUp: (ref: DeliveryRef, delayMs: number) => Promise<void>;
  leases: DeliveryLeaseClient;
}

/** A group under this sender's lease. */
interface HeldLease {
  ref: DeliveryRef;
  request: DeliveryLeaseRequest;
  group: DeliveryGroup;
  acquiredAt: number;
  /** When the open deliveries were last read. */
  readAt: number;
}

/**
 * Delivers the due events of the object and target of `ref`, in order. Each older event gets one more
 * attempt and ends `superseded` if it fails; then the newest is sent. So no older state follows a newer
 * one, and no event is dropped without an attempt.
 */
export async function deliver(env: Env, ref: DeliveryRef, deps: DeliveryDeps): Promise<void> {
  await tryDeliver(env, ref, deps);
}

/** As `deliver`; false if another sender has them. */
export async function tryDeliver(env: Env, ref: DeliveryRef, deps: DeliveryDeps): Promise<boolean> {
  const sendGroup = await acquireDelivery(env, ref, deps);
  if (sendGroup === "held") return false;
  await sendGroup?.();
  return true;
}

/**
 * Reads the due events and acquires the lease. Fast, so that the caller can wait for it. Returns the
 * sending itself, which is as slow as the receiver; `held` if another sender has the lease or the host has no free
 * permit; null if nothing is due.
 */
export async function acquireDelivery(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<(() => Promise<void>) | "held" | null> {
  const readAt = deps.platformClock.now();
  const group = await loadDue(env, ref, deps);
  if (group === null) return null;
  const acquiredAt = deps.platformClock.now();
  const request = leaseRequestOf(ref, group, acquiredAt + group.clockOffsetMs);
  const result = await deps.leases.acquire(ref.companyId, request);
  if (result.kind === "denied") return "held";
  if (result.kind === "retry_later") {
    await sendWakeUp(ref, result.waitMs, deps);
    return "held";
  }
  const lease: HeldLease = { ref, request, group, acquiredAt, readAt };
  // A lease held by another sender after the read may have sent these events.
  const isFresh = deps.platformClock.now() - readAt < result.idleMs;
  if (!isFresh && !(await withLease(lease, deps, () => reloadGroup(env, lease, deps)))) {
    await releaseLease(lease, deps);
    return null;
  }
  return () => withLease(lease, deps, () => deliverGroup(env, lease, deps));
}

/** The group of a delivery; null if nothing of it is due. */
async function loadDue(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<DeliveryGroup | null> {
  const group = await loadGroup(env, ref);
  if (group === null) return null;
  const clock = companyClock(deps.platformClock, group);
  if (group.superseded !== null) await supersede(env, group.superseded, clock.now());
  if (group.open.some(({ delivery }) => isDue(delivery, clock.now()))) return group;
  const newest = group.open.at(-1);
  if (newest !== undefined) await sendWakeUpIfSoon(newest.delivery, clock, deps);
  return null;
}

/** The request of a group's lease. A test event needs no permit of the host, so it never waits. */
function leaseRequestOf(
  ref: DeliveryRef,
  group: DeliveryGroup,
  nowMs: number,
): DeliveryLeaseRequest {
  const { objectId, target, host, open, previous } = group;
  // A forgotten holder may still send an event that has just ended.
  const hasJustEnded = previous !== null && previous.updatedAt > nowMs - DELIVERY_LEASE_MS;
  const openDeliveries = open.map(({ delivery }) => delivery);
  const events = hasJustEnded ? [previous, ...openDeliveries] : openDeliveries;
  return {
    permit: crypto.randomUUID(),
    deliveryId: deliveryId(ref),
    group: `${objectId} ${target}`,
    host: isTestSubject(objectId) ? null : host,
    events: events.length,
    oldestAt: Math.min(...events.map(({ eventAt }) => eventAt)),
  };
}

/** Runs work under the lease, which is released if the work fails. */
async function withLease<Answer>(
  lease: HeldLease,
  deps: DeliveryDeps,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    await releaseLease(lease, deps);
    throw error;
  }
}

async function releaseLease(
  lease: HeldLease,
  deps: DeliveryDeps,
  keepLease = false,
): Promise<boolean> {
  const released = await deps.leases.release(lease.ref.companyId, lease.request, keepLease);
  for (const id of released.next) {
    const ref = parseDeliveryId(id);
    if (ref !== null) await sendWakeUp(ref, 0, deps);
  }
  return released.continue;
}

/** Reads the group again; false if nothing of it is due. */
async function reloadGroup(env: Env, lease: HeldLease, deps: DeliveryDeps): Promise<boolean> {
  const readAt = deps.platformClock.now();
  const group = await loadDue(env, lease.ref, deps);
  if (group === null) return false;
  Object.assign(lease, { group, readAt });
  return true;
}

/** Sends a wake-up message. The sweep replaces a lost one. */
async function sendWakeUp(ref: DeliveryRef, delayMs: number, deps: DeliveryDeps): Promise<void> {
  try {
    await deps.enqueueWakeUp(ref, delayMs);
  } catch (error) {
    log("warn", "enqueue_failed", { ...errorFields(error), deliveryId: deliveryId(ref) });
  }
}

async function deliverGroup(env: Env, lease: HeldLease, deps: DeliveryDeps): Promise<void> {
  for (let pass = 1; ; pass++) {
    const outcome = await deliverInOrder(env, lease, deps);
    const canContinue = outcome === "offered" && pass < MAX_PASSES && isWithinBudget(lease, deps);
    // A sender that was denied meanwhile relies on this one for its event.
    const continues = await releaseLease(lease, deps, canContinue);
    if (outcome === "out_of_time") await sendWakeUp(lease.ref, 0, deps);
    if (!continues) return;
    if (!(await reloadGroup(env, lease, deps))) lease.group.open = [];
  }
}

/** Repeats a wake-up that came early because of clock skew. */
async function sendWakeUpIfSoon(
  { nextAttemptAt, ...ref }: DeliveryRow,
  clock: CompanyClock,
  deps: DeliveryDeps,
): Promise<void> {
  const remainingMs = (nextAttemptAt ?? 0) - clock.now();
  if (remainingMs > 0 && remainingMs <= CLOCK_SKEW_MS) await sendWakeUp(ref, remainingMs, deps);
}

/** `out_of_time`: the budget ended before the last event; `lost`: another sender has made an attempt. */
async function deliverInOrder(
  env: Env,
  lease: HeldLease,
  deps: DeliveryDeps,
): Promise<"offered" | "out_of_time" | "lost"> {
  const { open } = lease.group;
  const clock = companyClock(deps.platformClock, lease.group);
  for (const [index, due] of open.entries()) {
    if (index > 0 && !isWithinBudget(lease, deps)) return "out_of_time";
    const isNewest = index === open.length - 1;
    if (isNewest && !isDue(due.delivery, clock.now())) break;
    const holdsLease = () => stillHoldsLease(env, lease, due.delivery, deps);
    const nextAttemptAt = await attempt(env, due, { isNewest, holdsLease }, deps);
    if (nextAttemptAt === "lost") return "lost";
    if (nextAttemptAt !== null) await sendWakeUp(due.delivery, nextAttemptAt - clock.now(), deps);
    // An attempt takes long, so the rows must be read again before the next.
    lease.readAt = Number.NEGATIVE_INFINITY;
  }
  return "offered";
}

function isWithinBudget({ acquiredAt }: HeldLease, deps: DeliveryDeps): boolean {
  return deps.platformClock.now() - acquiredAt < WORK_BUDGET_MS;
}

/** Whether, right before a request, the lease still runs and the delivery is still open. */
async function stillHoldsLease(
  env: Env,
  lease: HeldLease,
  delivery: DeliveryRow,
  { platformClock }: DeliveryDeps,
): Promise<boolean> {
  for (;;) {
    const now = platformClock.now();
    if (now - lease.acquiredAt >= DELIVERY_LEASE_MS) return false;
    if (now - lease.readAt < MAX_STALENESS_MS) return true;
    lease.readAt = now;
    if (!(await isStillOpen(env, delivery))) return false;
  }
}

/** The only attempt of a test event is always due. */
function isDue({ objectId, nextAttemptAt }: DeliveryRow, nowMs: number): boolean {
  return nextAttemptAt !== null && (nextAttemptAt <= nowMs || isTestSubject(objectId));
}
