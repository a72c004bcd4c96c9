import { queueNotifier } from "../../company/outbox/queue-notifier.ts";
import type { DeliveryMessage, Env } from "../../config.ts";
import { deliveryId, parseDeliveryId } from "../../domain/events/delivery.ts";
import { webhookHost } from "../../domain/events/webhook-target.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { acquireDelivery } from "../../webhooks/delivery/deliver.ts";
import { OverdueScan } from "../../webhooks/delivery/overdue-scan.ts";

/** Messages per sweep: five of a queue's largest batches. */
const DELIVERIES_MAX = 500;
/** Messages per host of a company before its other deliveries wait for those of other hosts. */
const DELIVERIES_PER_HOST = 50;
/** Overdue deliveries per read, and reads per sweep; the next sweep continues a longer backlog. */
const DELIVERIES_PAGE = 500;
const DELIVERIES_PAGES_MAX = 10;
/** A delivery that became due this recently still has its message in the queue. */
const DELIVERY_GRACE_MS = 5_000;

/**
 * Queue handler: acquires a delivery and sends it in the background, so that a slow receiver does not delay
 * the next messages. Throws if the id is malformed.
 */
export async function handleDelivery(
  env: Env,
  deps: Pick<Dependencies, "sender">,
  message: DeliveryMessage,
  inBackground: (work: Promise<void>) => void,
): Promise<void> {
  const ref = parseDeliveryId(message.deliveryId);
  if (ref === null) throw new Error("invalid delivery id");
  const work = await acquireDelivery(env, ref, deps.sender(env));
  if (work !== null && work !== "held") inBackground(logFailure(work(), message));
}

/** A failed delivery is not lost: its row is still due, and the sweep finds it. */
async function logFailure(work: Promise<void>, message: DeliveryMessage): Promise<void> {
  try {
    await work;
  } catch (error) {
    log("error", "delivery_failed", { ...errorFields(error), deliveryId: message.deliveryId });
  }
}

/** Cron task: enqueues overdue deliveries, whose message was lost in a queue or a crash. */
export async function sweepDeliveries(env: Env, deps: Dependencies): Promise<void> {
  const scan = await OverdueScan.begin(env, deps.platformClock.now() - DELIVERY_GRACE_MS);
  const withinShare: string[] = [];
  const beyondShare: string[] = [];
  const countByHost = new Map<string, number>();
  for (let page = 0; page < DELIVERIES_PAGES_MAX && !scan.isComplete; page++) {
    const due = await scan.next(DELIVERIES_PAGE);
    for (const delivery of due) {
      const host = `${delivery.companyId} ${webhookHost(delivery.url)}`;
      const count = (countByHost.get(host) ?? 0) + 1;
      countByHost.set(host, count);
      (count > DELIVERIES_PER_HOST ? beyondShare : withinShare).push(deliveryId(delivery));
    }
    if (withinShare.length >= DELIVERIES_MAX) break;
  }
  await queueNotifier(env).notifyDeliveries(
    [...withinShare, ...beyondShare].slice(0, DELIVERIES_MAX),
  );
  await scan.saveCursors();
}
