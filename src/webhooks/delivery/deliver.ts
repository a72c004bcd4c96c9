import {
  LEASE_MS,
  type FreedSlot,
  type SlotAnswer,
  type SlotRequest,
} from "../../domain/events/send-slot.ts";
import { deliveryId, parseDeliveryId, type DeliveryRef } from "../../domain/events/delivery.ts";
import { isTestObject } from "../../domain/shared/object-id.ts";
import type { Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { attempt } from "./attempt.ts";
import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import { loadGroup, withBody, type DeliveryGroup } from "./delivery-group.ts";
import { isStillOpen, supersede } from "./repository.ts";
import type { SendDeps } from "./send.ts";

/** Rounds over one group, so that a burst of events cannot hold one consumer for good. */
const MAX_ROUNDS = 10;
/** Clocks of two machines differ by less; a hint that is earlier than this is another's. */
const SOON_MS = 5_000;
/** No attempt is begun after this: what is left of the group goes on under a hint of its own. */
const WORK_MS = 10_000;
/** What D1 said longer ago is asked once more before it is acted upon. */
const FRESH_MS = 1_000;

/** Who may send at the moment (`company/send-slots.ts`). */
export interface Slots {
  take: (companyId: number, request: SlotRequest) => Promise<SlotAnswer>;
  free: (companyId: number, request: SlotRequest, goOn: boolean) => Promise<FreedSlot>;
}

export interface DeliveryDeps extends SendDeps {
  /** From [0, 1): the jitter of the retry schedule. */
  jitter: () => number;
  /** Hints the queue that the delivery is due after `delayMs`. */
  hintLater: (ref: DeliveryRef, delayMs: number) => Promise<void>;
  slots: Slots;
}

/** A group that is ours alone until its lease ends. */
interface Held {
  ref: DeliveryRef;
  request: SlotRequest;
  group: DeliveryGroup;
  takenAt: number;
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
  const takenAt = deps.clock.now();
  const request = requestOf(ref, group, takenAt);
  const answer = await deps.slots.take(ref.companyId, request);
  if (answer.kind === "refused") return null;
  if (answer.kind === "early") {
    await hint(ref, answer.waitMs, deps);
    return null;
  }
  const held: Held = { ref, request, group, takenAt, readAt };
  // Whoever had the lease after we read may have sent what we take to be open.
  const isCurrent = deps.clock.now() - readAt < answer.quietMs;
  if (!isCurrent && !(await whileHeld(held, deps, () => readAgain(env, held, deps)))) {
    await giveBack(held, deps);
    return null;
  }
  return () => whileHeld(held, deps, () => deliverGroup(env, held, deps));
}

/** The group of a delivery where something of it is due; null where nothing is. */
async function loadDue(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<DeliveryGroup | null> {
  const group = await loadGroup(env, ref);
  if (group === null) return null;
  if (group.overtaken !== null) await supersede(env, group.overtaken, deps.clock.now());
  if (group.open.some(({ delivery }) => isDue(delivery, deps.clock.now()))) return group;
  const newest = group.open.at(-1);
  if (newest !== undefined) await hintIfSoon(newest.delivery, deps);
  return null;
}

/** Who tests a busy host is not kept waiting for a slot. */
function requestOf(ref: DeliveryRef, group: DeliveryGroup, nowMs: number): SlotRequest {
  const { objectId, target, host, open, before } = group;
  // A holder that was forgotten may still take what has just ended for open.
  const hasJustEnded = before !== null && before.updatedAt > nowMs - LEASE_MS;
  const still = open.map(({ delivery }) => delivery);
  const events = hasJustEnded ? [before, ...still] : still;
  return {
    slot: crypto.randomUUID(),
    deliveryId: deliveryId(ref),
    group: `${objectId} ${target}`,
    host: isTestObject(objectId) ? null : host,
    events: events.length,
    oldestAt: Math.min(...events.map(({ eventAt }) => eventAt)),
  };
}

/** Does something with the lease, which is given back where that fails. */
async function whileHeld<Answer>(
  held: Held,
  deps: DeliveryDeps,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    await giveBack(held, deps);
    throw error;
  }
}

async function giveBack(held: Held, deps: DeliveryDeps, goOn = false): Promise<boolean> {
  const freed = await deps.slots.free(held.ref.companyId, held.request, goOn);
  for (const id of freed.next) {
    const ref = parseDeliveryId(id);
    if (ref !== null) await hint(ref, 0, deps);
  }
  return freed.goOn;
}

/** Whether something of the group is due still. */
async function readAgain(env: Env, held: Held, deps: DeliveryDeps): Promise<boolean> {
  const readAt = deps.clock.now();
  const group = await loadDue(env, held.ref, deps);
  if (group === null) return false;
  Object.assign(held, { group, readAt });
  return true;
}

/** A hint that is lost is made up for by the sweep. */
async function hint(ref: DeliveryRef, delayMs: number, deps: DeliveryDeps): Promise<void> {
  try {
    await deps.hintLater(ref, delayMs);
  } catch (error) {
    log("warn", "delivery_not_hinted", { ...errorFields(error), deliveryId: deliveryId(ref) });
  }
}

async function deliverGroup(env: Env, held: Held, deps: DeliveryDeps): Promise<void> {
  for (let round = 1; ; round++) {
    const ended = await deliverInOrder(env, held, deps);
    const canGoOn = ended === "offered" && round < MAX_ROUNDS && isInTime(held, deps);
    // Whoever was refused while we held the lease left its event to us.
    const goesOn = await giveBack(held, deps, canGoOn);
    if (ended === "late") await hint(held.ref, 0, deps);
    if (!goesOn) return;
    if (!(await readAgain(env, held, deps))) held.group.open = [];
  }
}

/** A hint that came a little early, by a clock that is a little ahead, comes again in time. */
async function hintIfSoon(
  { nextAttemptAt, ...ref }: DeliveryRow,
  deps: DeliveryDeps,
): Promise<void> {
  const early = (nextAttemptAt ?? 0) - deps.clock.now();
  if (early > 0 && early <= SOON_MS) await hint(ref, early, deps);
}

/** `late`: not all of them, for the time is up; `lost`: another is at them. */
async function deliverInOrder(
  env: Env,
  held: Held,
  deps: DeliveryDeps,
): Promise<"offered" | "late" | "lost"> {
  const { open } = held.group;
  for (const [index, due] of open.entries()) {
    if (index > 0 && !isInTime(held, deps)) return "late";
    const isNewest = index === open.length - 1;
    if (isNewest && !isDue(due.delivery, deps.clock.now())) break;
    const holdsLease = () => stillHoldsLease(env, held, due.delivery, deps);
    const whole = await withBody(env, due);
    const attempted = await attempt(env, whole, { isNewest, holdsLease }, deps);
    if (attempted === "lost") return "lost";
    if (attempted !== null) await hint(due.delivery, attempted - deps.clock.now(), deps);
    // An attempt lasts, and what was read before it is old.
    held.readAt = Number.NEGATIVE_INFINITY;
  }
  return "offered";
}

function isInTime({ takenAt }: Held, deps: DeliveryDeps): boolean {
  return deps.clock.now() - takenAt < WORK_MS;
}

/** Checked right before a request goes out: it is still open, and no other sender can hold the lease. */
async function stillHoldsLease(
  env: Env,
  held: Held,
  delivery: DeliveryRow,
  { clock }: DeliveryDeps,
): Promise<boolean> {
  for (;;) {
    const now = clock.now();
    if (now - held.takenAt >= LEASE_MS) return false;
    if (now - held.readAt < FRESH_MS) return true;
    held.readAt = now;
    if (!(await isStillOpen(env, delivery))) return false;
  }
}

/** A test's one attempt is due whatever its object's clock said. */
function isDue({ objectId, nextAttemptAt }: DeliveryRow, nowMs: number): boolean {
  return nextAttemptAt !== null && (nextAttemptAt <= nowMs || isTestObject(objectId));
}
