import { configOf, type Env, type TaskMessage } from "./config.ts";
import { pagesOf, SINGLE_STEP, type TaskStep } from "./domain/shared/cron-step.ts";
import type { Dependencies } from "./http/context.ts";
import { recordMinute, recordRun } from "./db/watch/heartbeats.ts";
import { newTraceId } from "./http/tracing.ts";
import { errorFields, log } from "./lib/log.ts";
import { withTrace } from "./lib/trace/trace.ts";

/** Runs one step of a task; most tasks have a single step. */
export type Task = (env: Env, deps: Dependencies, step: TaskStep) => Promise<unknown>;

/** Tasks by their name in queue messages and logs. */
export type Tasks = Readonly<Record<string, Task>>;

/** Steps of one task a minute: 40 steps of the transaction sweep are 4,000 charges. */
const STEPS_MAX = 40;
/** No step is enqueued after this: the next minute's steps are about to start. */
const STEPS_TIME_MS = 50_000;
/** A message this old is skipped: the minutes since then have done its work. */
const EXPIRED_MS = 3 * 60_000;
const MINUTE_MS = 60_000;
/** Messages of one call to the queue: the platform's limit, with 256 KB in all. */
const SEND_BATCH_MAX = 100;

/**
 * Enqueues one message per task, so that each task runs in its own invocation: the platform allows an
 * invocation 1,000 calls to D1 and to objects. The watch and, in rotation, one task a minute run here instead, so that
 * they still run if the queue accepts messages and delivers none, which the watch tells. `neverBeside`: the task that
 * may need almost all of an invocation's calls itself. If the queue rejects them, the first step of every task runs here.
 */
export async function runMinute(
  tasks: Tasks,
  env: Env,
  deps: Dependencies,
  { watch, neverBeside }: { watch: string; neverBeside?: string },
): Promise<void> {
  configOf(env);
  const at = deps.platformClock.now();
  await beat(() => recordMinute(env, at));
  const messageOf = (task: string) => ({ task, at, step: 1, state: null });
  const messages = Object.keys(tasks)
    .filter((task) => task !== watch)
    .map(messageOf);
  const rotating = messages.filter(({ task }) => task !== neverBeside);
  const direct = rotating[Math.floor(at / MINUTE_MS) % rotating.length];
  // Before anything that may hang: it tells that it does.
  const watching = runMessage(tasks, env, deps, messageOf(watch));
  const isTaken = await enqueue(
    env,
    messages.filter((message) => message !== direct),
  );
  const here = direct === undefined ? [] : [direct];
  await Promise.all([
    watching,
    ...(isTaken
      ? here.map((message) => runMessage(tasks, env, deps, message))
      : messages.map(({ task }) => runStep(tasks, env, deps, task, SINGLE_STEP))),
  ]);
}

/** Returns whether the queue takes the messages; logs it if not. */
async function enqueue(env: Env, messages: TaskMessage[]): Promise<boolean> {
  try {
    await env.TASKS.sendBatch(messages.map((body) => ({ body })));
    return true;
  } catch (error) {
    log("error", "task_enqueue_failed", { ...errorFields(error), messages: messages.length });
    return false;
  }
}

/** Runs one step of a task, unless the message expired. Rejects if the task is unknown. */
export async function runMessage(
  tasks: Tasks,
  env: Env,
  deps: Dependencies,
  message: TaskMessage,
): Promise<void> {
  const { task, at, step, state } = message;
  if (tasks[task] === undefined) throw new Error("unknown task");
  if (deps.platformClock.now() - at > EXPIRED_MS) {
    log("warn", "cron_task_skipped", { task, step });
    return;
  }
  const isLast = () => step >= STEPS_MAX || deps.platformClock.now() - at > STEPS_TIME_MS;
  const enqueueNextStep = async (next: unknown) => {
    if (!isLast()) await env.TASKS.send({ task, at, step: step + 1, state: next });
  };
  const share = async (states: readonly unknown[]) => {
    if (isLast()) return;
    const parts = states.map((part) => ({ task, at, step: step + 1, state: part }));
    // The next minute finds the work of those that the queue does not take.
    for (const page of pagesOf(parts, SEND_BATCH_MAX)) await enqueue(env, page);
  };
  await runStep(tasks, env, deps, task, { state, continue: enqueueNextStep, share });
}

/** Logs a failure instead of rejecting: the next minute is the retry. */
async function runStep(
  tasks: Tasks,
  env: Env,
  deps: Dependencies,
  task: string,
  step: TaskStep,
): Promise<void> {
  const startedAt = deps.platformClock.now();
  const failed = await withTrace(newTraceId(deps.random), async () => {
    try {
      await tasks[task]?.(env, deps, step);
      return null;
    } catch (error) {
      const fields = errorFields(error);
      log("error", "cron_task_failed", { ...fields, task });
      return String(fields["error"]);
    }
  });
  // A minute's first step says that the task runs: its parts may be thousands.
  if (step.state !== null && failed === null) return;
  const endedAt = deps.platformClock.now();
  await beat(() => recordRun(env, { task, startedAt, endedAt, error: failed }));
}

/** A heartbeat that cannot be written stops no task: its age says so. */
async function beat(record: () => Promise<void>): Promise<void> {
  try {
    await record();
  } catch (error) {
    log("warn", "heartbeat_not_written", errorFields(error));
  }
}
