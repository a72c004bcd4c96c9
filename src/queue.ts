import { processOperation } from "./api/transactions/operations.ts";
import { processPayout } from "./api/withdraws/payout.ts";
import { systemClock } from "./domain/clock.ts";
import { deliveryId, parseDeliveryId } from "./domain/delivery.ts";
import { configOf, type DeliveryHint, type Env, type PayoutHint } from "./env.ts";
import { errorFields, log } from "./lib/log.ts";
import { providerRegistry } from "./providers/registry.ts";
import { deliver, type DeliveryDeps } from "./webhooks/deliver.ts";
import { queueDelaySeconds } from "./webhooks/schedule.ts";

type Handler = (env: Env, body: unknown) => Promise<void>;

/** How soon a hint that could not be followed comes again; the sweep is the net below. */
const RETRY_SECONDS = 10;

/** By the queue's name without the environment's prefix. */
const HANDLERS: Record<string, Handler> = {
  webhooks: (env, body) => handleDelivery(env, body as DeliveryHint),
  payouts: (env, body) => handlePayout(env, body as PayoutHint),
  "webhooks-dead": (_env, body) => reportDead("webhooks", body),
  "payouts-dead": (_env, body) => reportDead("payouts", body),
};

/** Follows each hint by itself. A message is only ever a hint: what is due stands in storage. */
export async function handleQueue(batch: MessageBatch, env: Env): Promise<void> {
  configOf(env);
  const handler = HANDLERS[batch.queue.replace(/^(?:sandbox|production)-/, "")];
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        if (handler === undefined) throw new Error(`no handler for queue ${batch.queue}`);
        await handler(env, message.body);
        message.ack();
      } catch (error) {
        log("error", "queue_message_failed", { ...errorFields(error), queue: batch.queue });
        message.retry({ delaySeconds: RETRY_SECONDS });
      }
    }),
  );
}

function deliveryDeps(env: Env): DeliveryDeps {
  return {
    clock: systemClock,
    fetch: (input, init) => fetch(input, init),
    jitter: () => Math.random(),
    hintLater: async (ref, delayMs) => {
      const delaySeconds = queueDelaySeconds(delayMs);
      if (delaySeconds === null) return;
      await env.WEBHOOKS.send({ deliveryId: deliveryId(ref) }, { delaySeconds });
    },
  };
}

async function handleDelivery(env: Env, hint: DeliveryHint): Promise<void> {
  const ref = parseDeliveryId(hint.deliveryId);
  if (ref === null) throw new Error("not a delivery id");
  await deliver(env, ref, deliveryDeps(env));
}

async function handlePayout(env: Env, hint: PayoutHint): Promise<void> {
  if ("withdrawId" in hint) {
    await processPayout(env, providerRegistry(env), hint.companyId, hint.withdrawId);
    return;
  }
  const deps = { clock: systemClock, providers: (bindings: Env) => providerRegistry(bindings) };
  await processOperation(env, deps, hint.companyId, hint.operationId);
}

/** Nothing is lost with a dead hint: the rows it pointed to are still due and the sweep finds them. */
async function reportDead(queue: string, body: unknown): Promise<void> {
  log("error", "queue_message_dead", { queue, body: JSON.stringify(body).slice(0, 200) });
}
