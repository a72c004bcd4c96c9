import type { Clock } from "../domain/clock.ts";
import { webhookSecretContext } from "../domain/company.ts";
import { eventId, type DeliveryRef } from "../domain/delivery.ts";
import { webhookTargetFault } from "../domain/webhook-target.ts";
import { configOf, type Env } from "../env.ts";
import { errorFields, log } from "../lib/log.ts";
import { unseal } from "../lib/secret-box.ts";
import { postWebhook, type PostResult } from "./post.ts";
import {
  findGroup,
  leaseGroup,
  recordAttempt,
  releaseGroup,
  renewLease,
  type AttemptRecord,
  type DeliveryGroup,
  type DeliveryRow,
  type DueDelivery,
} from "./repository.ts";
import { retryDelayMs } from "./schedule.ts";
import { signWebhook } from "./sign.ts";

/** Longer than one attempt can take (15 s), so that a lease only runs out when its holder is dead. */
const LEASE_MS = 30_000;
/** Rounds over one group, so that a burst of events cannot hold one consumer for good. */
const MAX_ROUNDS = 10;

export interface DeliveryDeps {
  clock: Clock;
  fetch: typeof fetch;
  /** From [0, 1): the jitter of the retry schedule. */
  jitter: () => number;
  /** Hints the queue that the delivery is due after `delayMs`. */
  hintLater: (ref: DeliveryRef, delayMs: number) => Promise<void>;
}

type AttemptResult = Omit<PostResult, "fault"> & { fault: string | null };

/**
 * Delivers what is due of the object and target that `ref` belongs to, in order: every older event
 * is offered once more, then the newest goes, whatever the answer. An older one that fails ends
 * `superseded`: an old state is never sent after a newer one, and none is dropped unoffered.
 */
export async function deliver(env: Env, ref: DeliveryRef, deps: DeliveryDeps): Promise<void> {
  const group = await findGroup(env, ref);
  if (group === null) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = deps.clock.now();
    const open = await leaseGroup(env, group, now, now + LEASE_MS);
    const newest = open?.at(-1)?.delivery.companySequence;
    if (open === null || newest === undefined) return;
    if (open.some(({ delivery }) => isDue(delivery, now))) {
      await offerInOrder(env, group, open, deps);
    }
    // Whoever was refused while we held the lease left its event to us.
    const { dueNow } = await releaseGroup(env, group, newest, deps.clock.now());
    if (!dueNow) return;
  }
}

async function offerInOrder(
  env: Env,
  group: DeliveryGroup,
  open: DueDelivery[],
  deps: DeliveryDeps,
): Promise<void> {
  const last = open.at(-1)?.delivery.companySequence ?? 0;
  for (const [index, due] of open.entries()) {
    if (index > 0) await renewLease(env, group, last, deps.clock.now() + LEASE_MS);
    const newest = index === open.length - 1;
    if (newest && !isDue(due.delivery, deps.clock.now())) return;
    await attempt(env, due, newest, deps);
  }
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
  const policyFault = webhookTargetFault(delivery.url, config.allowHttpLoopbackWebhooks);
  if (policyFault !== null) {
    const result = { httpStatus: null, fault: policyFault, answer: "", durationMs: 0 };
    await recordAttempt(env, { delivery, startedAt, result, status: "stopped", dueAt: null });
    return;
  }
  const result = await signAndPost(config.secretsKey, due, startedAt, deps);
  const verdict = judge(delivery, result, newest, deps);
  await recordAttempt(env, { delivery, startedAt, result, ...verdict });
  if (verdict.dueAt !== null) await deps.hintLater(delivery, verdict.dueAt - deps.clock.now());
}

/** A secret that cannot be opened fails this attempt like any other, so that it waits its turn. */
async function signAndPost(
  secretsKey: string,
  due: DueDelivery,
  startedAt: number,
  deps: DeliveryDeps,
): Promise<AttemptResult> {
  let request: Awaited<ReturnType<typeof signedRequest>>;
  try {
    request = await signedRequest(secretsKey, due, startedAt);
  } catch (error) {
    log("error", "webhook_not_signed", {
      ...errorFields(error),
      companyId: due.delivery.companyId,
    });
    return { httpStatus: null, fault: "signing", answer: "", retryAfterMs: null, durationMs: 0 };
  }
  return postWebhook(request, { fetch: deps.fetch, now: () => deps.clock.now() });
}

async function signedRequest(secretsKey: string, due: DueDelivery, nowMs: number) {
  const { body, delivery } = due;
  const { companyId, companySequence } = delivery;
  const secret = await unseal(
    secretsKey,
    due.webhookSecretSealed,
    webhookSecretContext(due.providerCompanyId),
  );
  const id = eventId(companyId, companySequence);
  const timestamp = Math.floor(nowMs / 1_000);
  return {
    url: delivery.url,
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signWebhook(secret, id, timestamp, body),
    },
  };
}

function judge(
  delivery: DeliveryRow,
  result: AttemptResult,
  newest: boolean,
  deps: DeliveryDeps,
): Pick<AttemptRecord, "status" | "dueAt"> {
  const { httpStatus } = result;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
    return { status: "delivered", dueAt: null };
  }
  if (httpStatus === 410) return { status: "stopped", dueAt: null };
  if (!newest) return { status: "superseded", dueAt: null };
  const delayMs = retryDelayMs(delivery.attempts + 1, deps.jitter(), result.retryAfterMs);
  return delayMs === null
    ? { status: "exhausted", dueAt: null }
    : { status: "pending", dueAt: deps.clock.now() + delayMs };
}

function isDue(delivery: DeliveryRow, nowMs: number): boolean {
  return delivery.dueAt !== null && delivery.dueAt <= nowMs;
}
