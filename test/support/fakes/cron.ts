import { systemDependencies } from "../../../src/dependencies.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type { DeliveryMessage, Env, TaskMessage } from "../../../src/config.ts";
import type { Dependencies } from "../../../src/http/context.ts";
import { sweepTransactions } from "../../../src/api/transactions/sweep.ts";
import { handleScheduled, runTask } from "../../../src/scheduled.ts";
import { env } from "../builders/companies/env.ts";
import type { FakeBank } from "./fake-bank.ts";

export function cronDeps(clock: Clock, bank: FakeBank): Dependencies {
  return { ...systemDependencies, clock, providers: () => bank.registry() };
}

/** A task queue in memory that keeps its messages until they are taken. */
export function taskQueue(): { TASKS: Env["TASKS"]; take: () => TaskMessage[] } {
  let wakeUps: TaskMessage[] = [];
  const TASKS = {
    send: async (wakeUp: TaskMessage) => void wakeUps.push(serializedCopy(wakeUp)),
    sendBatch: async (messages: { body: TaskMessage }[]) =>
      void wakeUps.push(...messages.map(({ body }) => serializedCopy(body))),
  } as unknown as Env["TASKS"];
  const take = () => {
    const taken = wakeUps;
    wakeUps = [];
    return taken;
  };
  return { TASKS, take };
}

/** A copy as a queue message serializes it. */
function serializedCopy(wakeUp: TaskMessage): TaskMessage {
  return JSON.parse(JSON.stringify(wakeUp)) as TaskMessage;
}

/**
 * Runs one minute's cron with its task messages. Returns the delivery messages, which are not
 * sent.
 */
export async function runCron(deps: Dependencies, environment: Env = env): Promise<string[]> {
  const wakeUps: string[] = [];
  const WEBHOOKS = {
    sendBatch: async (messages: { body: DeliveryMessage }[]) =>
      void wakeUps.push(...messages.map((message) => message.body.deliveryId)),
  } as unknown as Env["WEBHOOKS"];
  const { TASKS, take } = taskQueue();
  const around = { ...environment, WEBHOOKS, TASKS };
  await handleScheduled(around, deps);
  for (let received = take(); received.length > 0; received = take()) {
    await Promise.all(received.map((wakeUp) => runTask(around, deps, wakeUp)));
  }
  return wakeUps;
}

/**
 * Runs one minute of some of the cron's tasks, all steps of each. The other tasks look at every company of
 * the database, so a test that needs only some runs only these.
 */
export async function runCronTasks(
  names: readonly string[],
  deps: Dependencies,
  environment: Env = env,
): Promise<void> {
  const { TASKS, take } = taskQueue();
  const around = { ...environment, TASKS };
  const at = deps.clock.now();
  let messages: TaskMessage[] = names.map((task) => ({ task, at, step: 1, state: null }));
  while (messages.length > 0) {
    await Promise.all(messages.map((message) => runTask(around, deps, message)));
    messages = take();
  }
}

/** Runs every step of one minute's sweep of transactions. */
export async function runSweep(deps: Dependencies, environment: Env = env): Promise<void> {
  const states: unknown[] = [null];
  while (states.length > 0) {
    const state = states.shift();
    const goOn = async (next: unknown) => void states.push(next);
    const share = async (others: readonly unknown[]) => void states.push(...others);
    await sweepTransactions(environment, deps, { state, continue: goOn, share });
  }
}
