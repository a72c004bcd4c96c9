import type { Clock } from "../../domain/shared/clock.ts";
import { eventId } from "../../domain/events/delivery.ts";
import type { Config } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { postWebhook, type PostResult } from "./post.ts";
import { resolvesToPublicHost, type ResolveHost } from "./public-host.ts";
import type { DueDelivery } from "./delivery-group.ts";
import { signatureHeader } from "../signing/sign.ts";

export interface SendDeps {
  clock: Clock;
  fetch: typeof fetch;
  resolve: ResolveHost;
}

export type AttemptResult = Omit<PostResult, "fault"> & { fault: string | null };

/** Of a request that was never made; its fault says why. */
export const NOT_SENT = { httpStatus: null, answer: "", retryAfterMs: null, durationMs: 0 };
export const SIGNING_FAILED = "signing";

/**
 * Signs an event as it is due now and posts it, unless `holdsLease` says at the last moment that it
 * may not go: then null. What is wrong with the sending is a fault.
 */
export async function send(
  { secretsKey }: Pick<Config, "secretsKey">,
  due: DueDelivery,
  deps: SendDeps,
  holdsLease: () => Promise<boolean> = async () => true,
): Promise<AttemptResult | null> {
  // A name may lead elsewhere tomorrow, so this is retried like any other fault.
  if (!(await resolvesToPublicHost(due.delivery.url, deps.resolve))) {
    return { ...NOT_SENT, fault: "private_address" };
  }
  let request: Awaited<ReturnType<typeof signedRequest>>;
  try {
    request = await signedRequest(secretsKey, due, deps.clock.now());
  } catch (error) {
    // A secret that cannot be opened fails this attempt like any other, so that it waits its turn.
    log("error", "webhook_signing_failed", {
      ...errorFields(error),
      companyId: due.delivery.companyId,
    });
    return { ...NOT_SENT, fault: SIGNING_FAILED };
  }
  if (!(await holdsLease())) return null;
  return postWebhook(request, { fetch: deps.fetch, now: () => deps.clock.now() });
}

async function signedRequest(secretsKey: string, due: DueDelivery, nowMs: number) {
  const { body, delivery } = due;
  const { companyId, companySequence } = delivery;
  const id = eventId(companyId, companySequence);
  const timestamp = Math.floor(nowMs / 1_000);
  return {
    url: delivery.url,
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signatureHeader(secretsKey, due, { id, timestamp, body }, nowMs),
    },
  };
}
