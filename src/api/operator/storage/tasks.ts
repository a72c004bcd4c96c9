import { callCompany } from "../../../company-client/stub.ts";
import {
  shardNameOf,
  shardSizes,
  findStorageFigures,
  saveStorageFigure,
  setChargesStoppedForShard,
  setChargesStopped,
  type StorageFigure,
} from "../../../db/operator/storage-figures.ts";
import {
  areChargesStopped,
  isFilling,
  percentFull,
} from "../../../domain/storage/storage-limits.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { log } from "../../../lib/log.ts";

/** A figure is rewritten after a change of half a per cent of the limit, or once it is a day old. */
const CHANGE_MIN_BYTES = 50_000_000;
const WRITE_EVERY_MS = 24 * 3_600_000;

/**
 * Records the size of a company's object. At 90 % of its object's or database's capacity the company can
 * create no new charges.
 */
export async function measureCompany(
  env: Env,
  companyId: number,
  bytes: number,
  nowMs: number,
): Promise<void> {
  const name = `company:${companyId}`;
  const database = await shardNameOf(env, companyId);
  const figures = await findStorageFigures(env, [name, database]);
  const before = figures.get(name);
  const stopped = areChargesStopped(bytes, before?.stopped ?? false);
  await setChargesStopped(env, companyId, {
    object: stopped,
    database: figures.get(database)?.stopped ?? false,
  });
  const figure = { name, bytes, stopped, measuredAt: nowMs };
  if (isFilling(bytes) && !isFilling(before?.bytes ?? 0)) {
    await callCompany(env, companyId, (account) =>
      account.announceStorageFilling({ companyId, bytes }),
    );
  }
  await recordStorageFigure(env, before, figure);
}

/** Cron task: records the size of each database. At 90 % its companies can create no new charges. */
export async function measureDatabases(env: Env, { platformClock }: Dependencies): Promise<void> {
  const sizes = await shardSizes(env);
  const figures = await findStorageFigures(
    env,
    [...sizes.keys()].map(({ name }) => name),
  );
  for (const [database, bytes] of sizes) {
    const before = figures.get(database.name);
    const wereStopped = before?.stopped ?? false;
    const stopped = areChargesStopped(bytes, wereStopped);
    if (stopped !== wereStopped) await setChargesStoppedForShard(database, stopped);
    const figure = { name: database.name, bytes, stopped, measuredAt: platformClock.now() };
    await recordStorageFigure(env, before, figure);
  }
}

/** Logs a database or object that is filling up, and stores the figure if it has changed. */
async function recordStorageFigure(
  env: Env,
  before: StorageFigure | undefined,
  figure: StorageFigure,
): Promise<void> {
  const { name, bytes, stopped, measuredAt } = figure;
  if (isFilling(bytes)) {
    log("error", "storage_filling", { name, bytes, percent: percentFull(bytes), stopped });
  }
  const isSignificant =
    before === undefined ||
    before.stopped !== stopped ||
    Math.abs(bytes - before.bytes) >= CHANGE_MIN_BYTES ||
    measuredAt - before.measuredAt >= WRITE_EVERY_MS;
  if (isSignificant) await saveStorageFigure(env, figure);
}
