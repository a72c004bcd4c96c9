import type { Clock } from "../../domain/shared/clock.ts";
import { eventId } from "../../domain/events/delivery.ts";
import type { Config } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { traceparentOf } from "../../lib/trace/trace.ts";
import { postWebhook, type PostResult } from "./post.ts";
import { hostFault, type ResolveHost } from "./public-host.ts";
import type { DueDelivery } from "./delivery-group.ts";
import type { KeyRing } from "../../lib/secret-box.ts";
import { signatureHeader } from "../signing/sign.ts";

export interface SendDeps {
  platformClock: Clock;
  fetch: typeof fetch;
  /** Null in local development, which sends to loopback and may have no resolver. */
  resolve: ResolveHost | null;
}

/** The result of an attempt; `fault` also has the reasons of unsent requests. */
export type AttemptResult = Omit<PostResult, "fault"> & { fault: string | null };

/** The result of an attempt without a request; its fault has the reason. */
export const NOT_SENT = { httpStatus: null, answer: "", retryAfterMs: null, durationMs: 0 };
export const SIGNING_FAILED = "signing";

/**
 * Signs an event and posts it. Null if `holdsLease` is false right before the request. Errors of the
 * sending are returned as a fault.
 */
export async function send(
  { secretsKeys }: Pick<Config, "secretsKeys">,
  due: DueDelivery,
  deps: SendDeps,
  holdsLease: () => Promise<boolean> = async () => true,
): Promise<AttemptResult | null> {
  // DNS may change, so this fault is retried like any other.
  const fault = deps.resolve === null ? null : await hostFault(due.delivery.url, deps.resolve);
  if (fault !== null) return { ...NOT_SENT, fault };
  let request: Awaited<ReturnType<typeof signedRequest>>;
  try {
    request = await signedRequest(secretsKeys, due, deps.platformClock.now());
  } catch (error) {
    // A secret that cannot be unsealed fails only this attempt, which is retried.
    log("error", "webhook_signing_failed", {
      ...errorFields(error),
      companyId: due.delivery.companyId,
    });
    return { ...NOT_SENT, fault: SIGNING_FAILED };
  }
  if (!(await holdsLease())) return null;
  return postWebhook(request, { fetch: deps.fetch, now: () => deps.platformClock.now() });
}

async function signedRequest(secretsKeys: KeyRing, due: DueDelivery, nowMs: number) {
  const { body, delivery } = due;
  const { companyId, companySequence, eventTraceId } = delivery;
  const id = eventId(companyId, companySequence);
  const timestamp = Math.floor(nowMs / 1_000);
  return {
    url: delivery.url,
    body,
    headers: {
      ...(eventTraceId === null ? {} : { traceparent: traceparentOf(eventTraceId) }),
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signatureHeader(secretsKeys, due, { id, timestamp, body }, nowMs),
    },
  };
}
