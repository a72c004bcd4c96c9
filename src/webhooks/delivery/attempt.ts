import { isTestObject } from "../../domain/shared/object-id.ts";
import { chaosPlan, type ChaosPlan } from "../../domain/events/webhook-chaos.ts";
import { webhookHost, webhookTargetFault } from "../../domain/events/webhook-target.ts";
import { configOf, type Env } from "../../config.ts";
import { log } from "../../lib/log.ts";
import type { DeliveryRow } from "../../db/projection/event-rows.ts";
import { offHosts, type HostVerdict } from "./hosts.ts";
import type { DueDelivery } from "./delivery-group.ts";
import {
  newestOfObject,
  postponeDelivery,
  recordAttempt,
  recordRepeat,
  type AttemptRecord,
} from "./repository.ts";
import { retryDelayMs } from "./schedule.ts";
import { NEVER_LEFT, send, SIGNING, type AttemptResult, type SendDeps } from "./send.ts";

const HOST_OFF = "host_off";
const DROPPED: AttemptResult = { ...NEVER_LEFT, fault: "chaos_dropped" };

interface Turn {
  /** The newest of its object's events to the target. */
  isNewest: boolean;
  /** Whether the sender still holds the lease of the object and target. */
  holdsLease: () => Promise<boolean>;
}

interface AttemptDeps extends SendDeps {
  jitter: () => number;
}

/**
 * Makes one attempt at a delivery and records its outcome. Answers when the next one is due, null
 * where the delivery is over, or `lost` where another sender has made one since it was read.
 */
export async function attempt(
  env: Env,
  due: DueDelivery,
  { isNewest, holdsLease }: Turn,
  deps: AttemptDeps,
): Promise<number | null | "lost"> {
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
  const heldUntil = plan === null ? 0 : delivery.eventAt + plan.heldMs;
  if (isNewest && delivery.attempts === 0 && heldUntil > startedAt) {
    await postponeDelivery(env, delivery, heldUntil);
    return heldUntil;
  }
  const result = plan?.drop === true ? DROPPED : await send(config, due, deps, holdsLease);
  if (result === null) return "lost";
  const jitter = plan?.jitter ?? deps.jitter();
  const verdict = judge(delivery, result, isNewest, jitter, deps.clock.now());
  const host = hostVerdict(delivery, result);
  const record = { delivery, startedAt, result, host, ...verdict };
  const { recorded, switchedOff } = await recordAttempt(env, record);
  if (switchedOff !== null) {
    log("warn", "webhook_host_off", { companyId: delivery.companyId, host: switchedOff });
  }
  if (recorded === null) return "lost";
  if (plan !== null && verdict.status === "delivered") {
    await injectChaos(env, { ...due, delivery: recorded }, plan, deps);
  }
  return verdict.nextAttemptAt;
}

/** Whether the host is off now: it may have been switched on since the lease. */
async function isStillOff(env: Env, { companyId, url }: DeliveryRow): Promise<boolean> {
  const off = await offHosts(env, companyId, [webhookHost(url)]);
  return off.size > 0;
}

/** Ends a delivery that may not be sent, and says why in an attempt that never left. */
async function stop(
  env: Env,
  { delivery }: DueDelivery,
  fault: string,
  startedAt: number,
): Promise<null | "lost"> {
  const result = { ...NEVER_LEFT, fault };
  const host = { kind: "silent" } as const;
  const verdict = { status: "stopped", nextAttemptAt: null } as const;
  const record = { delivery, startedAt, result, host, ...verdict };
  const { recorded } = await recordAttempt(env, record);
  return recorded === null ? "lost" : null;
}

/** The object's event before, where it arrived at the same URL. */
async function eventBefore(env: Env, due: DueDelivery): Promise<DueDelivery | null> {
  const { delivery } = due;
  const before = await newestOfObject(env, delivery, delivery.companySequence);
  const hasArrived =
    before?.delivery.status === "delivered" && before.delivery.url === delivery.url;
  return hasArrived ? { ...due, ...before } : null;
}

/** The chaos a sandbox company asked for: the same event again, and the object's last one after it. */
async function injectChaos(
  env: Env,
  sent: DueDelivery,
  plan: ChaosPlan,
  deps: AttemptDeps,
): Promise<void> {
  const again = [plan.duplicate ? sent : null, plan.reorder ? await eventBefore(env, sent) : null];
  for (const repeated of again) {
    if (repeated === null) continue;
    const startedAt = deps.clock.now();
    const result = await send(configOf(env), repeated, deps);
    if (result === null) continue;
    await recordRepeat(env, { delivery: repeated.delivery, startedAt, result });
  }
}

function judge(
  delivery: DeliveryRow,
  result: AttemptResult,
  newest: boolean,
  jitter: number,
  nowMs: number,
): Pick<AttemptRecord, "status" | "nextAttemptAt"> {
  const { httpStatus } = result;
  if (isSuccess(httpStatus)) return { status: "delivered", nextAttemptAt: null };
  if (httpStatus === 410) return { status: "stopped", nextAttemptAt: null };
  if (!newest) return { status: "superseded", nextAttemptAt: null };
  // Whoever tests wants to know now, not in two days.
  const delayMs = isTestObject(delivery.objectId)
    ? null
    : retryDelayMs(delivery.attempts + 1, jitter, result.retryAfterMs);
  return delayMs === null
    ? { status: "exhausted", nextAttemptAt: null }
    : { status: "pending", nextAttemptAt: nowMs + delayMs };
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
