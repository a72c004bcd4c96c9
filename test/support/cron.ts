import { systemDependencies } from "../../src/dependencies.ts";
import type { Clock } from "../../src/domain/clock.ts";
import type { DeliveryHint, Env } from "../../src/env.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { sweepTransactions } from "../../src/api/transactions/sweep.ts";
import { handleScheduled } from "../../src/scheduled.ts";
import { fileBeganAt } from "./beginning.ts";
import { env } from "./env.ts";
import type { FakeBank } from "./fake-bank.ts";

export function cronDeps(clock: Clock, bank: FakeBank): Dependencies {
  return { ...systemDependencies, clock, providers: () => bank.registry() };
}

/** One minute's cron. Answers the delivery hints that it gave, which go nowhere by themselves. */
export async function runCron(deps: Dependencies, environment: Env = env): Promise<string[]> {
  await followClock(deps.clock);
  return runNextCron(deps, environment);
}

/** The same, and its looks go on where those before it ended. */
export async function runNextCron(deps: Dependencies, environment: Env = env): Promise<string[]> {
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
  await followClock(deps.clock);
  await sweepTransactions(environment, deps);
}

let followed: Clock | null = null;

/**
 * Each test's clock begins at the real time, and those before it in its file have taken theirs to days
 * beyond, where a cursor stays. So the first cron of a clock looks at all transactions and charges of its file.
 */
async function followClock(clock: Clock): Promise<void> {
  if (clock === followed) return;
  followed = clock;
  await env.DB.prepare(
    "INSERT OR REPLACE INTO cursors (name, value) VALUES ('unanswered', ?1), ('open', ?1), ('sandbox', ?1)",
  )
    .bind(fileBeganAt())
    .run();
}
