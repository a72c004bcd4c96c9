import { systemDependencies } from "../../src/dependencies.ts";
import type { Clock } from "../../src/domain/clock.ts";
import type { DeliveryHint, Env } from "../../src/env.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { sweepTransactions } from "../../src/api/transactions/sweep.ts";
import { handleScheduled } from "../../src/scheduled.ts";
import { env } from "./env.ts";
import type { FakeBank } from "./fake-bank.ts";

export function cronDeps(clock: Clock, bank: FakeBank): Dependencies {
  return { ...systemDependencies, clock, providers: () => bank.registry() };
}

/** One minute's cron. Answers the delivery hints that it gave, which go nowhere by themselves. */
export async function runCron(deps: Dependencies, environment: Env = env): Promise<string[]> {
  const hints: string[] = [];
  const WEBHOOKS = {
    sendBatch: async (messages: { body: DeliveryHint }[]) =>
      void hints.push(...messages.map((message) => message.body.deliveryId)),
  } as unknown as Env["WEBHOOKS"];
  await handleScheduled({ ...environment, WEBHOOKS }, deps);
  return hints;
}

/** What one minute's cron does for transactions. */
export async function runSweep(deps: Dependencies, environment: Env = env): Promise<void> {
  await sweepTransactions(environment, deps);
}
