import { deliveryId, type DeliveryRef } from "../domain/delivery.ts";
import { isTestObject } from "../domain/object-id.ts";
import { chaosPlan, type ChaosPlan } from "../domain/webhook-chaos.ts";
import { webhookHost, webhookTargetFault } from "../domain/webhook-target.ts";
import { configOf, type Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { errorFields, log } from "../lib/log.ts";
import { offHosts, type HostVerdict } from "./hosts.ts";
import {
  findGroup,
  leaseGroup,
  newestOfObject,
  postponeDelivery,
  recordAttempt,
  recordRepeat,
  releaseGroup,
  renewLease,
  type AttemptRecord,
  type DeliveryGroup,
  type DeliveryRow,
  type DueDelivery,
  type HeldGroup,
} from "./repository.ts";
import { retryDelayMs } from "./schedule.ts";
import { NEVER_LEFT, send, SIGNING, type AttemptResult, type SendDeps } from "./send.ts";

/** Longer than one attempt can take (17 s), so that a lease only runs out when its holder is dead. */
const LEASE_MS = 30_000;
/** Rounds over one group, so that a burst of events cannot hold one consumer for good. */
const MAX_ROUNDS = 10;
/** Clocks of two machines differ by less; a hint that is earlier than this is another's. */
const SOON_MS = 5_000;
/** No attempt is begun after this: what is left of the group goes on under a hint of its own. */
const WORK_MS = 10_000;

/** How many deliveries may be under way to one host of a company's (`company/send-slots.ts`). */
export interface Slots {
  /** Names the slot taken; null where none is free, and then the delivery is hinted once one is. */
  take: (ref: DeliveryRef, host: string) => Promise<string | null>;
  /** Answers the delivery whose turn it is now, if one waits. */
  free: (companyId: number, host: string, slot: string) => Promise<DeliveryRef | null>;
}

export interface DeliveryDeps extends SendDeps {
  /** From [0, 1): the jitter of the retry schedule. */
  jitter: () => number;
  /** Hints the queue that the delivery is due after `delayMs`. */
  hintLater: (ref: DeliveryRef, delayMs: number) => Promise<void>;
  slots: Slots;
}

const HOST_OFF = "host_off";
const DROPPED: AttemptResult = { ...NEVER_LEFT, fault: "chaos_dropped" };

/**
 * Delivers what is due of the object and target that `ref` belongs to, in order: every older event
 * is offered once more, then the newest goes, whatever the answer. An older one that fails ends
 * `superseded`: an old state is never sent after a newer one, and none is dropped unoffered.
 */
export async function deliver(env: Env, ref: DeliveryRef, deps: DeliveryDeps): Promise<void> {
  const taken = await takeUp(env, ref, deps);
  await taken?.();
}

/**
 * Takes a slot at the host and the lease of the group: quick, so that its caller can wait for it.
 * Answers the work itself, as slow as the receiver; null where another is at it, no slot is free
 * or nothing is left to do.
 */
export async function takeUp(
  env: Env,
  ref: DeliveryRef,
  deps: DeliveryDeps,
): Promise<(() => Promise<void>) | null> {
  const group = await findGroup(env, ref);
  if (group === null) return null;
  const giveBack = await takeSlot(ref, group, deps);
  if (giveBack === null) return null;
  let taken: Lease | null = null;
  try {
    taken = await lease(env, group, deps);
  } finally {
    if (taken === null) await giveBack();
  }
  if (taken === null) return null;
  const first = taken;
  return async () => {
    try {
      await deliverGroup(env, group, first, deps);
    } finally {
      await giveBack();
    }
  };
}

/** How to give the slot back; null where none is free. Who tests a busy host is not kept waiting. */
async function takeSlot(
  ref: DeliveryRef,
  group: DeliveryGroup,
  deps: DeliveryDeps,
): Promise<(() => Promise<void>) | null> {
  if (isTestObject(group.objectId)) return async () => undefined;
  const slot = await deps.slots.take(ref, group.host);
  if (slot === null) return null;
  return async () => {
    const next = await deps.slots.free(group.companyId, group.host, slot);
    if (next !== null) await hint(next, 0, deps);
  };
}

/** A group that is ours alone until its lease ends. */
interface Lease {
  /** Its undelivered events, oldest first; never empty. */
  open: DueDelivery[];
  until: number;
}

/** Null where another holds the group, or nothing of it is open. */
async function lease(env: Env, group: DeliveryGroup, deps: DeliveryDeps): Promise<Lease | null> {
  const now = deps.clock.now();
  const until = now + LEASE_MS;
  const open = await leaseGroup(env, group, now, until);
  return open === null || open.length === 0 ? null : { open, until };
}

/** A hint that is lost is made up for by the sweep. */
async function hint(ref: DeliveryRef, delayMs: number, deps: DeliveryDeps): Promise<void> {
  try {
    await deps.hintLater(ref, delayMs);
  } catch (error) {
    log("warn", "delivery_not_hinted", { ...errorFields(error), deliveryId: deliveryId(ref) });
  }
}

async function deliverGroup(
  env: Env,
  group: DeliveryGroup,
  first: Lease,
  deps: DeliveryDeps,
): Promise<void> {
  const endsAt = deps.clock.now() + WORK_MS;
  let held: Lease | null = first;
  for (let round = 1; held !== null; round++) {
    const newest = newestOf(held);
    if (held.open.some(({ delivery }) => isDue(delivery, deps.clock.now()))) {
      await offerInOrder(env, group, held, endsAt, deps);
    } else await hintIfSoon(newest, deps);
    // Whoever was refused while we held the lease left its event to us.
    const { dueNow } = await releaseGroup(env, heldBy(group, held), deps.clock.now());
    if (!dueNow) return;
    if (round === MAX_ROUNDS || deps.clock.now() >= endsAt) return hint(newest, 0, deps);
    held = await lease(env, group, deps);
  }
}

/** A hint that came a little early, by a clock that is a little ahead, comes again in time. */
async function hintIfSoon({ dueAt, ...ref }: DeliveryRow, deps: DeliveryDeps): Promise<void> {
  const early = (dueAt ?? 0) - deps.clock.now();
  if (early > 0 && early <= SOON_MS) await hint(ref, early, deps);
}

async function offerInOrder(
  env: Env,
  group: DeliveryGroup,
  held: Lease,
  endsAt: number,
  deps: DeliveryDeps,
): Promise<void> {
  const newest = newestOf(held);
  for (const [index, due] of held.open.entries()) {
    if (index > 0) {
      if (deps.clock.now() >= endsAt) return;
      if (!(await keep(env, group, held, deps))) return;
    }
    const isNewest = due.delivery === newest;
    if (isNewest && !isDue(due.delivery, deps.clock.now())) return;
    await attempt(env, due, isNewest, deps);
  }
}

/** Keeps the lease for one attempt more; false where it is another's by now. */
async function keep(
  env: Env,
  group: DeliveryGroup,
  held: Lease,
  deps: DeliveryDeps,
): Promise<boolean> {
  const until = deps.clock.now() + LEASE_MS;
  const isOurs = await renewLease(env, heldBy(group, held), until);
  held.until = until;
  return isOurs;
}

async function attempt(
  env: Env,
  due: DueDelivery,
  newest: boolean,
  deps: DeliveryDeps,
): Promise<void> {
  const { delivery } = due;
  const startedAt = deps.clock.now();
  const config = configOf(env);
  const isTest = isTestObject(delivery.objectId);
  const policyFault = webhookTargetFault(delivery.url, config.allowHttpLoopbackWebhooks);
  if (policyFault !== null) return stop(env, due, policyFault, startedAt);
  // A test is how a merchant shows that its host is well again.
  if (!isTest && due.hostOff && (await isStillOff(env, delivery))) {
    return stop(env, due, HOST_OFF, startedAt);
  }
  const plan =
    due.chaos === null || isTest
      ? null
      : chaosPlan(due.chaos, delivery.companySequence, delivery.attempts + 1);
  const heldUntil = plan === null ? 0 : due.createdAt + plan.heldMs;
  if (newest && delivery.attempts === 0 && heldUntil > startedAt) {
    await postponeDelivery(env, delivery, heldUntil);
    return hint(delivery, heldUntil - startedAt, deps);
  }
  const result = plan?.drop === true ? DROPPED : await send(config, due, deps);
  const jitter = plan?.jitter ?? deps.jitter();
  const verdict = judge(delivery, result, newest, jitter, deps.clock.now());
  const host = hostVerdict(delivery, result);
  const record = { delivery, startedAt, result, host, ...verdict };
  const { switchedOff } = await recordAttempt(env, record);
  if (switchedOff !== null) {
    log("warn", "webhook_host_off", { companyId: delivery.companyId, host: switchedOff });
  }
  if (verdict.dueAt !== null) await hint(delivery, verdict.dueAt - deps.clock.now(), deps);
  if (plan !== null && verdict.status === "delivered") await mistreat(env, due, plan, deps);
}

/** Whether the host is off now: it may have been switched on since the lease. */
async function isStillOff(env: Env, { companyId, url }: DeliveryRow): Promise<boolean> {
  const off = await offHosts(env, companyId, [webhookHost(url)]);
  return off.size > 0;
}

/** Ends a delivery that may not be sent, and says why in an attempt that never left. */
async function stop(env: Env, due: DueDelivery, fault: string, startedAt: number): Promise<void> {
  const result = { ...NEVER_LEFT, fault };
  const host = { kind: "silent" } as const;
  const { delivery } = due;
  await recordAttempt(env, { delivery, startedAt, result, host, status: "stopped", dueAt: null });
}

/** The object's event before, where it arrived at the same URL. */
async function eventBefore(env: Env, due: DueDelivery): Promise<DueDelivery | null> {
  const { delivery } = due;
  const before = await newestOfObject(env, delivery, delivery.companySequence);
  const hasArrived =
    before?.delivery.status === "delivered" && before.delivery.url === delivery.url;
  return hasArrived ? { ...due, ...before } : null;
}

/** What a sandbox company asked for: the same event again, and the object's last one after it. */
async function mistreat(
  env: Env,
  due: DueDelivery,
  plan: ChaosPlan,
  deps: DeliveryDeps,
): Promise<void> {
  const { delivery } = due;
  const sent = { ...due, delivery: { ...delivery, attempts: delivery.attempts + 1 } };
  const again = [plan.duplicate ? sent : null, plan.reorder ? await eventBefore(env, due) : null];
  for (const repeated of again) {
    if (repeated === null) continue;
    const startedAt = deps.clock.now();
    const result = await send(configOf(env), repeated, deps);
    await recordRepeat(env, { delivery: repeated.delivery, startedAt, result });
  }
}

function judge(
  delivery: DeliveryRow,
  result: AttemptResult,
  newest: boolean,
  jitter: number,
  nowMs: number,
): Pick<AttemptRecord, "status" | "dueAt"> {
  const { httpStatus } = result;
  if (isSuccess(httpStatus)) return { status: "delivered", dueAt: null };
  if (httpStatus === 410) return { status: "stopped", dueAt: null };
  if (!newest) return { status: "superseded", dueAt: null };
  // Whoever tests wants to know now, not in two days.
  const delayMs = isTestObject(delivery.objectId)
    ? null
    : retryDelayMs(delivery.attempts + 1, jitter, result.retryAfterMs);
  return delayMs === null
    ? { status: "exhausted", dueAt: null }
    : { status: "pending", dueAt: nowMs + delayMs };
}

/** Only what was sent says something of the host, and a test that fails was a try and no event. */
function hostVerdict({ objectId }: DeliveryRow, { httpStatus, fault }: AttemptResult): HostVerdict {
  if (isSuccess(httpStatus)) return { kind: "answered" };
  const isSilent = isTestObject(objectId) || fault === SIGNING || fault === DROPPED.fault;
  if (isSilent) return { kind: "silent" };
  return { kind: "failed", failure: httpStatus === null ? String(fault) : String(httpStatus) };
}

function isSuccess(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

function heldBy(group: DeliveryGroup, held: Lease): HeldGroup {
  return { ...group, newest: newestOf(held).companySequence, until: held.until };
}

function newestOf({ open }: Lease): DeliveryRow {
  const newest = open.at(-1);
  assert(newest !== undefined, "what was leased is not empty");
  return newest.delivery;
}

/** A test's one attempt is due whatever its object's clock said. */
function isDue({ objectId, dueAt }: DeliveryRow, nowMs: number): boolean {
  return dueAt !== null && (dueAt <= nowMs || isTestObject(objectId));
}
