import type { Fault } from "../faults/fault.ts";
import type { OnCall } from "./on-call.ts";
import type { Shop } from "./shop.ts";
import { Stage } from "./stage.ts";
import type { Site } from "./site.ts";
import { until } from "./until.ts";

/** A fault that nobody hears of until then is not found: nearly twice the slowest alarm. */
const FOUND_WITHIN_MS = 20 * 60_000;
const OVER_WITHIN_MS = 25 * 60_000;
/** A payment whose callback was lost is found by the PSP's lists within ten minutes. */
const BOOKED_WITHIN_MS = 15 * 60_000;
/** The suite waits for less, also on a loaded machine: a message is dead after some 50 s. */
const SHORT_MS = 120_000;
const OPEN_CHARGE = 2_500;

/** How one fault went. */
export interface Played {
  fault: string;
  /** From the fault to its alarm; null if there was none. */
  alarmAfterSeconds: number | null;
  /** From its alarm until a person on call knew the fault; null if nobody was asked. */
  understoodAfterSeconds: number | null;
  /** From the first command to the end of the alarm; null if it did not end. */
  resolvedAfterSeconds: number | null;
  /** The ledger is proven, D1 matches the object, and the bank says the same to the centavo. */
  moneyRight: boolean;
}

/** Whether a fault was found and ended, and cost nobody a centavo. */
export function isMastered({ alarmAfterSeconds, resolvedAfterSeconds, moneyRight }: Played) {
  return alarmAfterSeconds !== null && resolvedAfterSeconds !== null && moneyRight;
}

export interface PlayOptions {
  site: Site;
  shop: Shop;
  log: (line: string) => void;
  /** The suite's: has the cron run before each look, and nobody waits for the end, which is told two minutes later. */
  runCron?: () => Promise<void>;
  /** Must say which fault it is before the drill acts. */
  onCall?: OnCall | undefined;
}

/**
 * Plays a fault at a company of a service: a payer pays while it lasts, and whoever is on call hears of it, acts by the
 * page, and sees its end.
 */
export async function play(
  fault: Fault,
  { site, shop, log, runCron, onCall }: PlayOptions,
): Promise<Played> {
  const stage = new Stage(site, shop, (line) => log(`${fault.name}: ${line}`));
  const isShort = runCron !== undefined;
  await shop.sell(2_100);
  const open = await shop.charge(OPEN_CHARGE);
  await fault.prepare?.(stage);
  stage.listen();
  const injectedAt = Date.now();
  await fault.inject(stage);
  await shop.payAtBank(open);
  const isFound = await until(
    async () => {
      await runCron?.();
      return fault.isFound(stage);
    },
    isShort ? SHORT_MS : FOUND_WITHIN_MS,
  );
  const alarmAfterSeconds = isFound ? secondsSince(injectedAt) : null;
  const understoodAfterSeconds = isFound ? await understand(fault, onCall) : null;
  stage.log(isFound ? `found after ${alarmAfterSeconds} s, ${fault.page}` : "NOT FOUND");
  const actedAt = Date.now();
  await fault.act(stage);
  const isOver = isFound && !isShort && (await until(() => fault.isOver(stage), OVER_WITHIN_MS));
  const resolvedAfterSeconds = isOver ? secondsSince(actedAt) : null;
  if (!isShort) stage.log(isOver ? `over after ${resolvedAfterSeconds} s` : "NOT OVER");
  const problems = await problemsOf(shop, runCron, isShort ? SHORT_MS : BOOKED_WITHIN_MS);
  for (const problem of problems) stage.log(problem);
  return {
    fault: fault.name,
    alarmAfterSeconds,
    understoodAfterSeconds,
    resolvedAfterSeconds,
    moneyRight: problems.length === 0,
  };
}

async function understand(fault: Fault, onCall: OnCall | undefined): Promise<number | null> {
  if (onCall === undefined) return null;
  const heardAt = Date.now();
  await onCall.name(fault.name);
  return secondsSince(heardAt);
}

/** What stays wrong with the money once everything had its time. */
async function problemsOf(
  shop: Shop,
  runCron: PlayOptions["runCron"],
  limitMs: number,
): Promise<string[]> {
  let problems: string[] = [];
  await until(async () => {
    await runCron?.();
    problems = await shop.problems().catch((error: Error) => [error.message]);
    return problems.length === 0;
  }, limitMs);
  return problems;
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1_000);
}
