import { handleDelivery } from "./api/webhooks/tasks.ts";
import { handlePayoutMessage } from "./api/withdraws/tasks.ts";
import type { DeliveryMessage, Env, PayoutMessage, TaskMessage } from "./config.ts";
import { systemDependencies } from "./dependencies.ts";
import { consumeBatch, deadLetterKeeper, type QueueHandlers } from "./queue-consumer.ts";
import { runTask } from "./scheduled.ts";

/** The handler of each queue, by the queue's name without the environment's prefix. */
const HANDLERS: QueueHandlers = {
  webhooks: (env, body, inBackground) =>
    handleDelivery(env, systemDependencies, body as DeliveryMessage, inBackground),
  payouts: (env, body) => handlePayoutMessage(env, systemDependencies, body as PayoutMessage),
  tasks: (env, body) => runTask(env, systemDependencies, body as TaskMessage),
  "webhooks-dead": deadLetterKeeper("webhooks"),
  "payouts-dead": deadLetterKeeper("payouts"),
  "tasks-dead": deadLetterKeeper("tasks"),
};

/** The Worker's `queue` handler. */
export function handleQueue(
  batch: MessageBatch,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  return consumeBatch(HANDLERS, batch, env, context);
}
