import { systemDependencies } from "../../../src/dependencies.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type { DeliveryMessage, Env, TaskMessage } from "../../../src/config.ts";
import type { Dependencies } from "../../../src/http/context.ts";
import { sweepTransactions } from "../../../src/api/transactions/sweep/tasks.ts";
import { handleScheduled, runTask } from "../../../src/scheduled.ts";
import { env } from "../builders/companies/env.ts";
import type { FakeBank } from "./fake-bank.ts";

export function cronDeps(clock: Clock, bank: FakeBank): Dependencies {
  return { ...systemDependencies, platformClock: clock, providers: () => bank.registry() };
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

/** The tasks that find what is due; the others look at every company, also at those of other tests. */
export const DUE_WORK = [
  "sweep_deliveries",
  "sweep_transactions",
  "sweep_callbacks",
  "credit_payments",
] as const;

/**
 * Runs one minute of some of the cron's tasks, all steps of each. Returns the delivery messages, which are not
 * sent.
 */
export function runCron(
  deps: Dependencies,
  environment: Env = env,
  tasks: readonly string[] = DUE_WORK,
): Promise<string[]> {
  const at = deps.platformClock.now();
  return receiveAll(deps, environment, async () =>
    tasks.map((task) => ({ task, at, step: 1, state: null })),
  );
}

/** Runs one minute of the whole cron, like `runCron`. */
export function runWholeCron(deps: Dependencies, environment: Env = env): Promise<string[]> {
  return receiveAll(deps, environment, async (around) => {
    await handleScheduled(around, deps);
    return [];
  });
}

async function receiveAll(
  deps: Dependencies,
  environment: Env,
  begin: (around: Env) => Promise<TaskMessage[]>,
): Promise<string[]> {
  const wakeUps: string[] = [];
  const WEBHOOKS = {
    sendBatch: async (messages: { body: DeliveryMessage }[]) =>
      void wakeUps.push(...messages.map((message) => message.body.deliveryId)),
  } as unknown as Env["WEBHOOKS"];
  const { TASKS, take } = taskQueue();
  const around = { ...environment, WEBHOOKS, TASKS };
  let received = [...(await begin(around)), ...take()];
  while (received.length > 0) {
    await Promise.all(received.map((message) => runTask(around, deps, message)));
    received = take();
  }
  return wakeUps;
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
