import { callCompany } from "../../../company-client/stub.ts";
import {
  shardNameOf,
  shardSizes,
  findGauges,
  saveGauge,
  setChargesStoppedForShard,
  setChargesStopped,
  type StorageGauge,
} from "../../../db/operator/storage-gauges.ts";
import { areChargesStopped, isFilling, percentFull } from "../../../domain/shared/storage.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { log } from "../../../lib/log.ts";

/** A gauge is written anew once it has changed by so much, half a per cent, or is so old. */
const CHANGE_MIN_BYTES = 50_000_000;
const WRITE_EVERY_MS = 24 * 3_600_000;

/**
 * How full a company's object is, as the check has just read it. From 90 % on, of its object or of its
 * database, the company begins no new charges.
 */
export async function measureCompany(
  env: Env,
  companyId: number,
  bytes: number,
  nowMs: number,
): Promise<void> {
  const name = `company:${companyId}`;
  const database = await shardNameOf(env, companyId);
  const gauges = await findGauges(env, [name, database]);
  const before = gauges.get(name);
  const stopped = areChargesStopped(bytes, before?.stopped ?? false);
  await setChargesStopped(env, companyId, {
    object: stopped,
    database: gauges.get(database)?.stopped ?? false,
  });
  const gauge = { name, bytes, stopped, measuredAt: nowMs };
  if (isFilling(bytes) && !isFilling(before?.bytes ?? 0)) {
    await callCompany(env, companyId, (account) =>
      account.announceStorageFilling(companyId, bytes),
    );
  }
  await recordGauge(env, before, gauge);
}

/** The same of each database: from 90 % on none of its companies begins new charges. */
export async function measureDatabases(env: Env, { clock }: Dependencies): Promise<void> {
  const sizes = await shardSizes(env);
  const gauges = await findGauges(
    env,
    [...sizes.keys()].map(({ name }) => name),
  );
  for (const [database, bytes] of sizes) {
    const before = gauges.get(database.name);
    const wereStopped = before?.stopped ?? false;
    const stopped = areChargesStopped(bytes, wereStopped);
    if (stopped !== wereStopped) await setChargesStoppedForShard(database, stopped);
    const gauge = { name: database.name, bytes, stopped, measuredAt: clock.now() };
    await recordGauge(env, before, gauge);
  }
}

/** Says what must be said of a gauge, and writes it where it says something new. */
async function recordGauge(
  env: Env,
  before: StorageGauge | undefined,
  gauge: StorageGauge,
): Promise<void> {
  const { name, bytes, stopped, measuredAt } = gauge;
  if (isFilling(bytes)) {
    log("error", "storage_filling", { name, bytes, percent: percentFull(bytes), stopped });
  }
  const isSignificant =
    before === undefined ||
    before.stopped !== stopped ||
    Math.abs(bytes - before.bytes) >= CHANGE_MIN_BYTES ||
    measuredAt - before.measuredAt >= WRITE_EVERY_MS;
  if (isSignificant) await saveGauge(env, gauge);
}
