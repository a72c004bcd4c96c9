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
import { loadGroup, withBody, type DeliveryGroup } from "./delivery-group.ts";
import { isStillOpen, supersede } from "./repository.ts";
import type { SendDeps } from "./send.ts";

/** Rounds over one group, so that a burst of events cannot hold one consumer for good. */
const MAX_PASSES = 10;
/** Clocks of two machines differ by less; a hint that is earlier than this is another's. */
const CLOCK_SKEW_MS = 5_000;
/** No attempt is begun after this: what is left of the group goes on under a hint of its own. */
const WORK_BUDGET_MS = 10_000;
/** What D1 said longer ago is asked once more before it is acted upon. */
const MAX_STALENESS_MS = 1_000;

/** Who may send at the moment (`company/send-slots.ts`). */
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
  /** Hints the queue that the delivery is due after `delayMs`. */
  enqueueWakeUp: (ref: DeliveryRef, delayMs: number) => Promise<void>;
  leases: DeliveryLeaseClient;
}

/** A group that is ours alone until its lease ends. */
interface HeldLease {
  ref: DeliveryRef;
  request: DeliveryLeaseRequest;
  group: DeliveryGroup;
  acquiredAt: number;
  /** When it was last known what is open, at the latest. */
  readAt: number;
}

/**
 * Delivers what is due of the object and target that `ref` belongs to, in order: every older event
 * is offered once more, then the newest goes, whatever the answer. An older one that fails ends
 * `superseded`: an old state is never sent after a newer one, and none is dropped unoffered.
 */
export async function deliver(env: Env, ref: DeliveryRef, deps: DeliveryDeps): Promise<void> {
  const work = await acquireDelivery(env, ref, deps);
  await work?.();
}

/**
 * Reads what is due and takes lease and slot: quick, so that its caller can wait for it. Answers the
 * work itself, as slow as the receiver; null where another is at it, no slot is free or nothing is
 * left to do. Writes nothing.
 */
export async function acquireDelivery(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<(() => Promise<void>) | null> {
  const readAt = deps.clock.now();
  const group = await loadDue(env, ref, deps);
  if (group === null) return null;
  const acquiredAt = deps.clock.now();
  const request = leaseRequestOf(ref, group, acquiredAt);
  const answer = await deps.leases.acquire(ref.companyId, request);
  if (answer.kind === "denied") return null;
  if (answer.kind === "retry_later") {
    await sendWakeUp(ref, answer.waitMs, deps);
    return null;
  }
  const lease: HeldLease = { ref, request, group, acquiredAt, readAt };
  // Whoever had the lease after we read may have sent what we take to be open.
  const isFresh = deps.clock.now() - readAt < answer.idleMs;
  if (!isFresh && !(await withLease(lease, deps, () => reloadGroup(env, lease, deps)))) {
    await releaseLease(lease, deps);
    return null;
  }
  return () => withLease(lease, deps, () => deliverGroup(env, lease, deps));
}

/** The group of a delivery where something of it is due; null where nothing is. */
async function loadDue(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<DeliveryGroup | null> {
  const group = await loadGroup(env, ref);
  if (group === null) return null;
  if (group.superseded !== null) await supersede(env, group.superseded, deps.clock.now());
  if (group.open.some(({ delivery }) => isDue(delivery, deps.clock.now()))) return group;
  const newest = group.open.at(-1);
  if (newest !== undefined) await sendWakeUpIfSoon(newest.delivery, deps);
  return null;
}

/** Who tests a busy host is not kept waiting for a slot. */
function leaseRequestOf(
  ref: DeliveryRef,
  group: DeliveryGroup,
  nowMs: number,
): DeliveryLeaseRequest {
  const { objectId, target, host, open, previous } = group;
  // A holder that was forgotten may still take what has just ended for open.
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

/** Does something with the lease, which is given back where that fails. */
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

/** Whether something of the group is due still. */
async function reloadGroup(env: Env, lease: HeldLease, deps: DeliveryDeps): Promise<boolean> {
  const readAt = deps.clock.now();
  const group = await loadDue(env, lease.ref, deps);
  if (group === null) return false;
  Object.assign(lease, { group, readAt });
  return true;
}

/** A hint that is lost is made up for by the sweep. */
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
    // Whoever was refused while we held the lease left its event to us.
    const continues = await releaseLease(lease, deps, canContinue);
    if (outcome === "out_of_time") await sendWakeUp(lease.ref, 0, deps);
    if (!continues) return;
    if (!(await reloadGroup(env, lease, deps))) lease.group.open = [];
  }
}

/** A hint that came a little early, by a clock that is a little ahead, comes again in time. */
async function sendWakeUpIfSoon(
  { nextAttemptAt, ...ref }: DeliveryRow,
  deps: DeliveryDeps,
): Promise<void> {
  const remainingMs = (nextAttemptAt ?? 0) - deps.clock.now();
  if (remainingMs > 0 && remainingMs <= CLOCK_SKEW_MS) await sendWakeUp(ref, remainingMs, deps);
}

/** `late`: not all of them, for the time is up; `lost`: another is at them. */
async function deliverInOrder(
  env: Env,
  lease: HeldLease,
  deps: DeliveryDeps,
): Promise<"offered" | "out_of_time" | "lost"> {
  const { open } = lease.group;
  for (const [index, due] of open.entries()) {
    if (index > 0 && !isWithinBudget(lease, deps)) return "out_of_time";
    const isNewest = index === open.length - 1;
    if (isNewest && !isDue(due.delivery, deps.clock.now())) break;
    const holdsLease = () => stillHoldsLease(env, lease, due.delivery, deps);
    const dueWithBody = await withBody(env, due);
    const nextAttemptAt = await attempt(env, dueWithBody, { isNewest, holdsLease }, deps);
    if (nextAttemptAt === "lost") return "lost";
    if (nextAttemptAt !== null)
      await sendWakeUp(due.delivery, nextAttemptAt - deps.clock.now(), deps);
    // An attempt lasts, and what was read before it is old.
    lease.readAt = Number.NEGATIVE_INFINITY;
  }
  return "offered";
}

function isWithinBudget({ acquiredAt }: HeldLease, deps: DeliveryDeps): boolean {
  return deps.clock.now() - acquiredAt < WORK_BUDGET_MS;
}

/** Checked right before a request goes out: it is still open, and no other sender can hold the lease. */
async function stillHoldsLease(
  env: Env,
  lease: HeldLease,
  delivery: DeliveryRow,
  { clock }: DeliveryDeps,
): Promise<boolean> {
  for (;;) {
    const now = clock.now();
    if (now - lease.acquiredAt >= DELIVERY_LEASE_MS) return false;
    if (now - lease.readAt < MAX_STALENESS_MS) return true;
    lease.readAt = now;
    if (!(await isStillOpen(env, delivery))) return false;
  }
}

/** A test's one attempt is due whatever its object's clock said. */
function isDue({ objectId, nextAttemptAt }: DeliveryRow, nowMs: number): boolean {
  return nextAttemptAt !== null && (nextAttemptAt <= nowMs || isTestSubject(objectId));
}
