import type { Env } from "../../config.ts";
import { parseDeliveryId } from "../../domain/events/delivery.ts";
import type { Notifier } from "./ports.ts";

/** Messages of one `sendBatch`; the platform takes at most 100. */
const SEND_BATCH_MAX = 100;

/** The notifier over Cloudflare Queues. */
export function queueNotifier(env: Env): Notifier {
  return {
    notifyDeliveries: (ids, traces) =>
      sendAll(
        env.WEBHOOKS,
        ids.map((deliveryId) => ({
          deliveryId,
          ...traceOf(traces, parseDeliveryId(deliveryId)?.companySequence),
        })),
      ),
    notifyPayouts: (
      companyId,
      { withdrawIds, operationIds, recheckIds, subscriptions = [], traces },
    ) =>
      sendAll(env.PAYOUTS, [
        ...withdrawIds.map((withdrawId) => ({
          companyId,
          withdrawId,
          ...traceOf(traces, withdrawId),
        })),
        ...operationIds.map((operationId) => ({ companyId, operationId })),
        ...recheckIds.map((recheckId) => ({ companyId, recheckId })),
        ...subscriptions.map((subscription) => ({ companyId, subscription })),
      ]),
  };
}

function traceOf(
  traces: ReadonlyMap<number, string> | undefined,
  number: number | undefined,
): { traceId?: string } {
  const traceId = number === undefined ? undefined : traces?.get(number);
  return traceId === undefined ? {} : { traceId };
}

async function sendAll<Body>(queue: Queue<Body>, bodies: Body[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += SEND_BATCH_MAX) {
    await queue.sendBatch(bodies.slice(start, start + SEND_BATCH_MAX).map((body) => ({ body })));
  }
}
