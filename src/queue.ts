import { handleDelivery } from "./api/webhooks/tasks.ts";
import { handlePayoutMessage } from "./api/withdraws/tasks.ts";
import type { DeliveryMessage, Env, PayoutMessage, TaskMessage } from "./config.ts";
import { systemDependencies } from "./dependencies.ts";
import { parseDeliveryId } from "./domain/events/delivery.ts";
import type { Dependencies } from "./http/context.ts";
import { consumeBatch, deadLetterKeeper, type QueueHandlers } from "./queue-consumer.ts";
import { runTask } from "./scheduled.ts";

/** Until then a deploy has ended; without it the rows are due for a sweep of the newer code. */
const NEWER_DELAY_SECONDS = 60;

/** The handler of each queue, by the end of the queue's name. */
const HANDLERS: QueueHandlers = {
  webhooks: (env, body, inBackground) => {
    const message = body as DeliveryMessage;
    const companyId = parseDeliveryId(message.deliveryId)?.companyId ?? 0;
    return unlessPaused(env, companyId, () =>
      handleDelivery(env, systemDependencies, message, inBackground),
    );
  },
  payouts: (env, body) => {
    const message = body as PayoutMessage;
    return unlessPaused(env, message.companyId, () =>
      handlePayoutMessage(env, systemDependencies, message),
    );
  },
  tasks: (env, body) => runTask(env, systemDependencies, body as TaskMessage),
  "webhooks-dead": deadLetterKeeper("webhooks"),
  "payouts-dead": deadLetterKeeper("payouts"),
  "tasks-dead": deadLetterKeeper("tasks"),
};

/** A pause has a message forgotten: its row stays due, and is found once the service goes on. */
async function unlessPaused(
  env: Env,
  companyId: number,
  handle: () => Promise<void>,
): Promise<void> {
  if ((await systemDependencies.pauses.of(env, companyId)) === null) await handle();
}

/** The Worker's `queue` handler. Code that is older than a database has the messages delivered again. */
export async function handleQueue(
  batch: MessageBatch,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  { schemaVersions }: Pick<Dependencies, "schemaVersions"> = systemDependencies,
): Promise<void> {
  if (await schemaVersions.isNewer(env)) batch.retryAll({ delaySeconds: NEWER_DELAY_SECONDS });
  else await consumeBatch(HANDLERS, batch, env, context);
}
