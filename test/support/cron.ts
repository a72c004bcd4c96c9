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
  await rewindLooks();
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
  await rewindLooks();
  await sweepTransactions(environment, deps);
}

/**
 * Each test's clock begins at the real time, and those before it in its file have taken theirs to days
 * beyond, where a cursor stays. So each cron of a test looks at all transactions.
 */
export async function rewindLooks(): Promise<void> {
  await env.DB.exec("DELETE FROM cursors WHERE name IN ('unanswered', 'open')");
}
