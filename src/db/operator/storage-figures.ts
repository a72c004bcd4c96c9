import { and, eq, gt, ne, sql } from "drizzle-orm";
import { STOP_REASON_BITS, STORAGE_STOP_BITS } from "../../domain/storage/storage-limits.ts";
import type { Env } from "../../config.ts";
import { databaseFor, directoryOf, type Shard } from "../client.ts";
import { DIRECTORY, isSharded } from "../sharding/databases.ts";
import { runIdempotent } from "../storage-errors.ts";
import { inList } from "../in-list.ts";
import { shardAssignmentOf } from "../sharding/shard-assignments.ts";
import { FanOut } from "../sharding/fan-out.ts";
import { storageFigures } from "../schema/anchors.ts";
import { companies } from "../schema/companies.ts";

export type StorageFigure = typeof storageFigures.$inferSelect;

/** Companies that one statement flags, and statements a run: 50,000 companies of a database. */
const FLAG_BATCH = 500;
const FLAG_BATCHES_MAX = 100;

/** The last measurements of these databases or objects, by name. */
export async function findStorageFigures(
  env: Env,
  names: string[],
): Promise<Map<string, StorageFigure>> {
  const rows = await directoryOf(env)
    .select()
    .from(storageFigures)
    .where(inList(storageFigures.name, names));
  return new Map(rows.map((row) => [row.name, row]));
}

export async function saveStorageFigure(env: Env, figure: StorageFigure): Promise<void> {
  await runIdempotent(() =>
    directoryOf(env)
      .insert(storageFigures)
      .values(figure)
      .onConflictDoUpdate({ target: storageFigures.name, set: figure })
      .run(),
  );
}

/** The size in bytes of each database that answers. */
export async function shardSizes(env: Env): Promise<Map<Shard, number>> {
  return new FanOut(env).query(async ({ db }) => {
    const { meta } = await db.run(sql`SELECT 1`);
    return meta.size_after;
  });
}

/** The binding of a company's database. */
export async function shardNameOf(env: Env, companyId: number): Promise<string> {
  if (!isSharded(env)) return DIRECTORY;
  return (await shardAssignmentOf(env, companyId, "cached")).database;
}

/** Stores which storage stops a company's charges. Writes nothing if that is unchanged. */
export async function setChargesStopped(
  env: Env,
  companyId: number,
  by: Record<"object" | "database", boolean>,
): Promise<void> {
  const chargesStopped =
    (by.object ? STOP_REASON_BITS.object : 0) | (by.database ? STOP_REASON_BITS.database : 0);
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({
        chargesStopped: sql`charges_stopped & ${STOP_REASON_BITS.freeze} | ${chargesStopped}`,
      })
      .where(
        and(
          eq(companies.id, companyId),
          ne(sql`(${companies.chargesStopped} & ${STORAGE_STOP_BITS})`, chargesStopped),
        ),
      )
      .run(),
  );
}

/** Sets or clears the stop by `database` for all companies of a database. Safe to repeat. */
export async function setChargesStoppedForShard(
  { db, isLocal }: Shard,
  stopped: boolean,
): Promise<void> {
  const bit = STOP_REASON_BITS.database;
  const { id, chargesStopped } = companies;
  let after = 0;
  for (let batch = 0; batch < FLAG_BATCHES_MAX; batch++) {
    const next = db
      .select({ id })
      .from(companies)
      .where(
        and(gt(id, after), isLocal(id), ne(sql`(${chargesStopped} & ${bit})`, stopped ? bit : 0)),
      )
      .orderBy(id)
      .limit(FLAG_BATCH);
    const changed = await db
      .update(companies)
      .set({
        chargesStopped: stopped ? sql`charges_stopped | ${bit}` : sql`charges_stopped & ~${bit}`,
      })
      .where(sql`${id} IN ${next}`)
      .returning({ id });
    if (changed.length < FLAG_BATCH) return;
    after = Math.max(...changed.map((row) => row.id));
  }
}
