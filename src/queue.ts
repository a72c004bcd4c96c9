import { processOperation } from "./api/transactions/operations.ts";
import { systemDependencies } from "./dependencies.ts";
import { processPayout } from "./api/withdraws/tasks.ts";
import { processRecheck } from "./api/withdraws/recheck.ts";
import { parseDeliveryId } from "./domain/events/delivery.ts";
import {
  configOf,
  type DeliveryMessage,
  type Env,
  type PayoutMessage,
  type TaskMessage,
} from "./config.ts";
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
  webhooks: (env, body, inBackground) => handleDelivery(env, body as DeliveryMessage, inBackground),
  payouts: (env, body) => handlePayout(env, body as PayoutMessage),
  tasks: (env, body) => runTask(env, systemDependencies, body as TaskMessage),
  "webhooks-dead": (_env, body) => logDeadLetter("webhooks", body),
  "payouts-dead": (_env, body) => logDeadLetter("payouts", body),
  "tasks-dead": (_env, body) => logDeadLetter("tasks", body),
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
  message: DeliveryMessage,
  inBackground: Background,
): Promise<void> {
  const ref = parseDeliveryId(message.deliveryId);
  if (ref === null) throw new Error("invalid delivery id");
  const work = await acquireDelivery(env, ref, systemDependencies.sender(env));
  if (work !== null) inBackground(logFailure(work(), message));
}

/** Nothing is lost with work that failed: its row is still due and the sweep finds it. */
async function logFailure(work: Promise<void>, message: DeliveryMessage): Promise<void> {
  try {
    await work;
  } catch (error) {
    log("error", "delivery_failed", { ...errorFields(error), deliveryId: message.deliveryId });
  }
}

async function handlePayout(env: Env, message: PayoutMessage): Promise<void> {
  if ("withdrawId" in message) {
    await processPayout(
      env,
      systemDependencies.providers(env),
      message.companyId,
      message.withdrawId,
    );
    return;
  }
  if ("recheckId" in message) {
    await processRecheck(env, systemDependencies, message.companyId, message.recheckId);
    return;
  }
  await processOperation(env, systemDependencies, message.companyId, message.operationId);
}

/** Nothing is lost with a dead hint: the rows it pointed to are still due and a sweep finds them. */
async function logDeadLetter(queue: string, body: unknown): Promise<void> {
  log("error", "queue_message_dead_lettered", { queue, body: JSON.stringify(body).slice(0, 200) });
}
