import { cpSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../kill/lib/random.ts";
import { preparedState } from "../../e2e/state-dir.ts";
import type { Fault } from "../faults/fault.ts";
import type { OnCall } from "./on-call.ts";
import { play, type Played, type PlayOptions } from "./play.ts";
import { Shop } from "./shop.ts";
import { Site } from "./site.ts";
import { until } from "./until.ts";

/** Faults of a night. */
const NIGHT_FAULTS = 6;
const QUIET_WITHIN_MS = 30_000;

export interface DrillOptions {
  /** An empty folder, in which each service gets one. */
  stateDir: string;
  /** Where the first service listens; absent: at a free port. */
  port?: number | undefined;
  log: (line: string) => void;
}

/** Plays each fault at a service of its own, all side by side, in the order of the faults. */
export async function runAll(
  faults: readonly (() => Fault)[],
  { stateDir, port, log }: DrillOptions,
): Promise<Played[]> {
  const running: Promise<Played>[] = [];
  // One start after the other: each takes a core for seconds.
  for (const [index, make] of faults.entries()) {
    const fault = make();
    const folder = join(stateDir, fault.name);
    const site = await openSite(folder, index === 0 ? port : undefined);
    running.push(playAndClose(fault, { site, log }));
  }
  return Promise.all(running);
}

async function playAndClose(fault: Fault, how: Omit<PlayOptions, "shop">): Promise<Played> {
  try {
    return await playAlone(fault, how);
  } catch (error) {
    how.log(`${fault.name}: ${String((error as Error).stack)}`);
    return notPlayed(fault.name);
  } finally {
    await how.site.close();
  }
}

/** Plays six faults, one after the other in random order, at one service. */
export async function runNight(
  faults: readonly (() => Fault)[],
  {
    stateDir,
    port,
    log,
    seed,
    onCall,
  }: DrillOptions & { seed: number; onCall?: OnCall | undefined },
): Promise<Played[]> {
  const random = new Random(seed);
  const left = faults.map((make) => make());
  log(`seed ${seed}`);
  const site = await openSite(join(stateDir, "night"), port);
  if (onCall !== undefined) site.inbox.reader = onCall.hear;
  const all: Played[] = [];
  const shops: Shop[] = [];
  try {
    for (let count = 0; count < NIGHT_FAULTS && left.length > 0; count++) {
      const [fault] = left.splice(random.int(0, left.length - 1), 1);
      if (fault === undefined) continue;
      // Its PSP answers until the night ends: it would be a fault of its own.
      const shop = await Shop.open(site);
      shops.push(shop);
      all.push(await play(fault, { site, log, onCall, shop }));
    }
  } finally {
    await Promise.all(shops.map((shop) => shop.close()));
    await site.close();
  }
  return all;
}

/**
 * The short form: two faults whose alarms come within a minute, at one service. Their ends, which are told two minutes
 * later, are not waited for.
 */
export async function runShort(
  [first, slow]: readonly [Fault, Fault],
  { stateDir, log }: DrillOptions,
): Promise<Played[]> {
  const site = await openSite(stateDir);
  try {
    // The start's own minute would check the company before the fault.
    const isQuiet = () => hasRun(site, "check_companies");
    if (!(await until(isQuiet, QUIET_WITHIN_MS))) throw new Error("the cron's first minute hangs");
    site.stopCron();
    const runCron = () => site.triggerCron();
    const played = playAlone(first, { site, log, runCron });
    const afterwards = async () => {
      await played;
      await runCron();
    };
    return await Promise.all([played, playAlone(slow, { site, log, runCron: afterwards })]);
  } finally {
    await site.close();
  }
}

async function hasRun(site: Site, task: string): Promise<boolean> {
  const row = await site.d1(`SELECT 1 AS has FROM cron_heartbeats WHERE task = '${task}'`);
  return row !== undefined;
}

async function openSite(folder: string, port?: number): Promise<Site> {
  cpSync(await preparedState(), folder, { recursive: true });
  return Site.open(folder, port);
}

async function playAlone(fault: Fault, how: Omit<PlayOptions, "shop">): Promise<Played> {
  const shop = await Shop.open(how.site);
  try {
    return await play(fault, { ...how, shop });
  } finally {
    await shop.close();
  }
}

function notPlayed(fault: string): Played {
  return {
    fault,
    alarmAfterSeconds: null,
    understoodAfterSeconds: null,
    resolvedAfterSeconds: null,
    moneyRight: false,
  };
}
