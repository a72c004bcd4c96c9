import { configOf, type Env } from "./config.ts";
import { keepDeadLetter } from "./db/watch/dead-letters.ts";
import { systemClock, systemRandom } from "./domain/shared/clock.ts";
import { newTraceId } from "./http/tracing.ts";
import { errorFields, log } from "./lib/log.ts";
import { withTrace } from "./lib/trace/trace.ts";

/** Runs work after its message is acknowledged (`queue_consumer_no_wait_for_wait_until`). */
type Background = (work: Promise<void>) => void;

/** Handles one message; a rejection has the queue deliver the message again. */
type QueueHandler = (
  env: Env,
  body: unknown,
  inBackground: Background,
  messageId: string,
) => Promise<void>;

export type QueueHandlers = Readonly<Record<string, QueueHandler>>;

/** Delay before a failed message is delivered again. */
const RETRY_SECONDS = 10;

/**
 * Handles each message of a batch independently: acknowledges it, or asks for a retry if its handler fails.
 * A message is only a wake-up: the due work is stored, and a cron sweep finds it without the message.
 */
export async function consumeBatch(
  handlers: QueueHandlers,
  batch: MessageBatch,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  configOf(env);
  const handler = handlerOf(handlers, batch.queue);
  await Promise.all(
    batch.messages.map((message) =>
      withTrace(traceOf(message.body), async () => {
        try {
          if (handler === undefined) throw new Error(`no handler for queue ${batch.queue}`);
          await handler(env, message.body, (work) => context.waitUntil(work), message.id);
          message.ack();
        } catch (error) {
          log("error", "queue_message_failed", {
            ...errorFields(error),
            queue: batch.queue,
            messageId: message.id,
            ...idsOf(message.body),
          });
          message.retry({ delaySeconds: RETRY_SECONDS });
        }
      }),
    ),
  );
}

/** The handler whose name the queue's name ends with: before it stand the names of the Worker and the environment. */
function handlerOf(handlers: QueueHandlers, queue: string): QueueHandler | undefined {
  return Object.entries(handlers).find(
    ([name]) => queue === name || queue.endsWith(`-${name}`),
  )?.[1];
}

/** What a message is about, by which its lines of the log are found. */
const IDS = new Set([
  "companyId",
  "withdrawId",
  "operationId",
  "recheckId",
  "deliveryId",
  "task",
  "step",
]);

function idsOf(body: unknown): Record<string, string | number> {
  const named = Object.entries(body ?? {}).filter(([name]) => IDS.has(name));
  return Object.fromEntries(
    named.filter((entry): entry is [string, string | number] =>
      ["string", "number"].includes(typeof entry[1]),
    ),
  );
}

/** The trace that a message carries; a new one for a message of the cron. */
function traceOf(body: unknown): string {
  const { traceId } = (body ?? {}) as { traceId?: unknown };
  return typeof traceId === "string" ? traceId : newTraceId(systemRandom);
}

/**
 * Keeps the dead letters of a queue for operators, and logs them. Their work is not lost: its row is still due for
 * a sweep.
 */
export function deadLetterKeeper(queue: string): QueueHandler {
  return async (env, body, _inBackground, id) => {
    log("error", "queue_message_dead_lettered", {
      queue,
      messageId: id,
      ...idsOf(body),
      body: JSON.stringify(body).slice(0, 200),
    });
    await keepDeadLetter(env, { id, queue, body, receivedAt: systemClock.now() });
  };
}
