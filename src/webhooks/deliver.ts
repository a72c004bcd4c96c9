import type { DeliveryRef } from "../domain/delivery.ts";
import { chaosPlan, type ChaosPlan } from "../domain/webhook-chaos.ts";
import { webhookTargetFault } from "../domain/webhook-target.ts";
import { configOf, type Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { log } from "../lib/log.ts";
import type { HostVerdict } from "./hosts.ts";
import {
  deliveryBefore,
  findGroup,
  leaseGroup,
  postponeDelivery,
  recordAttempt,
  recordRepeat,
  releaseGroup,
  renewLease,
  type AttemptRecord,
  type DeliveryGroup,
  type DeliveryRow,
  type DueDelivery,
} from "./repository.ts";
import { retryDelayMs } from "./schedule.ts";
import { NEVER_LEFT, send, SIGNING, type AttemptResult, type SendDeps } from "./send.ts";

/** Longer than one attempt can take (15 s), so that a lease only runs out when its holder is dead. */
const LEASE_MS = 30_000;
/** Rounds over one group, so that a burst of events cannot hold one consumer for good. */
const MAX_ROUNDS = 10;
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
  const slot = await deps.slots.take(ref, group.host);
  if (slot === null) return null;
  const giveBack = async () => {
    const next = await deps.slots.free(group.companyId, group.host, slot);
    if (next !== null) await deps.hintLater(next, 0);
  };
  let open: DueDelivery[] | null = null;
  try {
    open = await lease(env, group, deps);
  } finally {
    if (open === null) await giveBack();
  }
  if (open === null) return null;
  const taken = open;
  return async () => {
    try {
      await deliverGroup(env, group, taken, deps);
    } finally {
      await giveBack();
    }
  };
}

/** The group's open deliveries, oldest first; null where another holds them or there are none. */
async function lease(
  env: Env,
  group: DeliveryGroup,
  deps: DeliveryDeps,
): Promise<DueDelivery[] | null> {
  const now = deps.clock.now();
  const open = await leaseGroup(env, group, now, now + LEASE_MS);
  return open === null || open.length === 0 ? null : open;
}

async function deliverGroup(
  env: Env,
  group: DeliveryGroup,
  first: DueDelivery[],
  deps: DeliveryDeps,
): Promise<void> {
  const until = deps.clock.now() + WORK_MS;
  let open: DueDelivery[] | null = first;
  for (let round = 1; open !== null; round++) {
    const now = deps.clock.now();
    const newest = newestOf(open);
    if (open.some(({ delivery }) => isDue(delivery, now))) {
      await offerInOrder(env, group, open, until, deps);
    }
    // Whoever was refused while we held the lease left its event to us.
    const { dueNow } = await releaseGroup(env, group, newest.companySequence, deps.clock.now());
    if (!dueNow) return;
    if (round === MAX_ROUNDS || deps.clock.now() >= until) {
      await deps.hintLater(newest, 0);
      return;
    }
    open = await lease(env, group, deps);
  }
}

async function offerInOrder(
  env: Env,
  group: DeliveryGroup,
  open: DueDelivery[],
  until: number,
  deps: DeliveryDeps,
): Promise<void> {
  const newest = newestOf(open);
  const keep = () => renewLease(env, group, newest.companySequence, deps.clock.now() + LEASE_MS);
  for (const [index, due] of open.entries()) {
    if (index > 0) {
      if (deps.clock.now() >= until) return;
      await keep();
    }
    const isNewest = due.delivery === newest;
    if (isNewest && !isDue(due.delivery, deps.clock.now())) return;
    await attempt(env, due, isNewest, { ...deps, keep });
  }
}

interface AttemptDeps extends DeliveryDeps {
  /** Keeps the lease for one attempt more. */
  keep: () => Promise<void>;
}

async function attempt(
  env: Env,
  due: DueDelivery,
  newest: boolean,
  deps: AttemptDeps,
): Promise<void> {
  const { delivery } = due;
  const startedAt = deps.clock.now();
  const config = configOf(env);
  const policyFault = webhookTargetFault(delivery.url, config.allowHttpLoopbackWebhooks);
  if (policyFault !== null) return stop(env, due, policyFault, startedAt);
  // A test is how a merchant shows that its host is well again.
  if (due.hostOff && !isTest(due)) return stop(env, due, HOST_OFF, startedAt);
  const plan =
    due.chaos === null
      ? null
      : chaosPlan(due.chaos, delivery.companySequence, delivery.attempts + 1);
  const heldUntil = due.createdAt + (plan?.heldMs ?? 0);
  if (newest && delivery.attempts === 0 && heldUntil > startedAt) {
    await postponeDelivery(env, delivery, heldUntil);
    return deps.hintLater(delivery, heldUntil - startedAt);
  }
  const result = plan?.drop === true ? DROPPED : await send(config, due, deps);
  const jitter = plan?.jitter ?? deps.jitter();
  const verdict = judge(due, result, newest, jitter, deps.clock.now());
  const host = hostVerdict(due, result);
  const record = { delivery, startedAt, result, host, ...verdict };
  const { switchedOff } = await recordAttempt(env, record);
  if (switchedOff !== null) {
    log("warn", "webhook_host_off", { companyId: delivery.companyId, host: switchedOff });
  }
  if (verdict.dueAt !== null) await deps.hintLater(delivery, verdict.dueAt - deps.clock.now());
  if (plan !== null && verdict.status === "delivered") await mistreat(env, due, plan, deps);
}

/** Ends a delivery that may not be sent, and says why in an attempt that never left. */
async function stop(env: Env, due: DueDelivery, fault: string, startedAt: number): Promise<void> {
  const result = { ...NEVER_LEFT, fault };
  const host = { kind: "silent" } as const;
  const { delivery } = due;
  await recordAttempt(env, { delivery, startedAt, result, host, status: "stopped", dueAt: null });
}

/** What a sandbox company asked for: the same event again, and the object's last one after it. */
async function mistreat(
  env: Env,
  due: DueDelivery,
  plan: ChaosPlan,
  deps: AttemptDeps,
): Promise<void> {
  const { delivery } = due;
  const sent = { ...due, delivery: { ...delivery, attempts: delivery.attempts + 1 } };
  const again = [
    plan.duplicate ? sent : null,
    plan.reorder ? await deliveryBefore(env, due) : null,
  ];
  for (const repeated of again) {
    if (repeated === null) continue;
    await deps.keep();
    const startedAt = deps.clock.now();
    const result = await send(configOf(env), repeated, deps);
    await recordRepeat(env, { delivery: repeated.delivery, startedAt, result });
  }
}

function judge(
  { delivery, type }: Pick<DueDelivery, "delivery" | "type">,
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
  const delayMs = isTest({ type })
    ? null
    : retryDelayMs(delivery.attempts + 1, jitter, result.retryAfterMs);
  return delayMs === null
    ? { status: "exhausted", dueAt: null }
    : { status: "pending", dueAt: nowMs + delayMs };
}

/** Only what was sent says something of the host, and a test that fails was a try and no event. */
function hostVerdict(
  due: Pick<DueDelivery, "type">,
  { httpStatus, fault }: AttemptResult,
): HostVerdict {
  if (isSuccess(httpStatus)) return { kind: "answered" };
  if (isTest(due) || fault === SIGNING || fault === DROPPED.fault) return { kind: "silent" };
  return { kind: "failed", failure: httpStatus === null ? String(fault) : String(httpStatus) };
}

function isSuccess(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

function isTest({ type }: Pick<DueDelivery, "type">): boolean {
  return type === "webhook.test";
}

function newestOf(open: DueDelivery[]): DeliveryRow {
  const newest = open.at(-1);
  assert(newest !== undefined, "what was leased is not empty");
  return newest.delivery;
}

function isDue(delivery: DeliveryRow, nowMs: number): boolean {
  return delivery.dueAt !== null && delivery.dueAt <= nowMs;
}
