import { processOperation } from "./api/transactions/operations.ts";
import { systemDependencies } from "./dependencies.ts";
import { processPayout } from "./api/withdraws/payout.ts";
import { processRecheck } from "./api/withdraws/recheck.ts";
import { parseDeliveryId } from "./domain/events/delivery.ts";
import { configOf, type DeliveryHint, type Env, type PayoutHint, type TaskHint } from "./config.ts";
import { errorFields, log } from "./lib/log.ts";
import { runTask } from "./scheduled.ts";
import { acquireDelivery } from "./webhooks/delivery/deliver.ts";

/** Goes on after the batch was acknowledged (`queue_consumer_no_wait_for_wait_until`). */
type Background = (work: Promise<void>) => void;
type Handler = (env: Env, body: unknown, inBackground: Background) => Promise<void>;

/** How soon a hint that could not be followed comes again; the sweep is the net below. */
const RETRY_SECONDS = 10;

/** By the queue's name without the environment's prefix. */
const HANDLERS: Record<string, Handler> = {
  webhooks: (env, body, inBackground) => handleDelivery(env, body as DeliveryHint, inBackground),
  payouts: (env, body) => handlePayout(env, body as PayoutHint),
  tasks: (env, body) => runTask(env, systemDependencies, body as TaskHint),
  "webhooks-dead": (_env, body) => reportDead("webhooks", body),
  "payouts-dead": (_env, body) => reportDead("payouts", body),
  "tasks-dead": (_env, body) => reportDead("tasks", body),
};

/** Follows each hint by itself. A message is only ever a hint: what is due stands in storage. */
export async function handleQueue(
  batch: MessageBatch,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  configOf(env);
  const handler = HANDLERS[batch.queue.replace(/^(?:sandbox|production)-/, "")];
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        if (handler === undefined) throw new Error(`no handler for queue ${batch.queue}`);
        await handler(env, message.body, (work) => context.waitUntil(work));
        message.ack();
      } catch (error) {
        log("error", "queue_message_failed", { ...errorFields(error), queue: batch.queue });
        message.retry({ delaySeconds: RETRY_SECONDS });
      }
    }),
  );
}

/**
 * Acquires the delivery and leaves its attempts, which last as long as the receiver likes, to the
 * background: the next messages do not wait for them.
 */
async function handleDelivery(
  env: Env,
  hint: DeliveryHint,
  inBackground: Background,
): Promise<void> {
  const ref = parseDeliveryId(hint.deliveryId);
  if (ref === null) throw new Error("not a delivery id");
  const work = await acquireDelivery(env, ref, systemDependencies.sender(env));
  if (work !== null) inBackground(finished(work(), hint));
}

/** Nothing is lost with work that failed: its row is still due and the sweep finds it. */
async function finished(work: Promise<void>, hint: DeliveryHint): Promise<void> {
  try {
    await work;
  } catch (error) {
    log("error", "delivery_failed", { ...errorFields(error), deliveryId: hint.deliveryId });
  }
}

async function handlePayout(env: Env, hint: PayoutHint): Promise<void> {
  if ("withdrawId" in hint) {
    await processPayout(env, systemDependencies.providers(env), hint.companyId, hint.withdrawId);
    return;
  }
  if ("recheckId" in hint) {
    await processRecheck(env, systemDependencies, hint.companyId, hint.recheckId);
    return;
  }
  await processOperation(env, systemDependencies, hint.companyId, hint.operationId);
}

/** Nothing is lost with a dead hint: the rows it pointed to are still due and a sweep finds them. */
async function reportDead(queue: string, body: unknown): Promise<void> {
  log("error", "queue_message_dead", { queue, body: JSON.stringify(body).slice(0, 200) });
}
