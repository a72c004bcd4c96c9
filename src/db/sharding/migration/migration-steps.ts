import { and, asc, eq, isNotNull, lte, notInArray, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { directoryOf } from "../../client.ts";
import { DIRECTORY } from "../databases.ts";
import { SCAN_START, type ScanPosition } from "./scan.ts";
import { clients, placements } from "../../schema/routing.ts";

/** A company's shard assignment with its running migration. */
export type ShardAssignmentRow = typeof placements.$inferSelect;
export type MigrationStage = NonNullable<ShardAssignmentRow["stage"]>;

/** The assignment of a migrating company. */
export type ActiveMigration = ShardAssignmentRow & {
  source: string;
  target: string;
  stage: MigrationStage;
};

/** A stage and the position within it. */
export interface StageProgress extends ScanPosition {
  stage: MigrationStage;
}

/** In these stages the company lives in the target, and no rollback is possible. */
export const STAGES_AFTER_CUTOVER: MigrationStage[] = ["opening", "clearing"];
/** Short stages that the cron resumes, because writes may be waiting. */
const BLOCKING_STAGES: MigrationStage[] = ["closing", "opening", "clearing", "aborting"];

/** A company's row in the directory; null if it has none and lives in `DB`. */
export async function findShardAssignment(
  env: Env,
  companyId: number,
): Promise<ShardAssignmentRow | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(placements)
    .where(eq(placements.companyId, companyId));
  return row ?? null;
}

/** Begins a migration and leases its first step; null if one runs or the company is already there. */
export async function beginMigration(
  env: Env,
  companyId: number,
  target: string,
  leaseUntil: number,
): Promise<ShardAssignmentRow | null> {
  const initial = { target, stage: "preparing", ...SCAN_START, leaseUntil } as const;
  const [row] = await directoryOf(env)
    .insert(placements)
    .values({ companyId, database: DIRECTORY, source: DIRECTORY, move: 1, epoch: 1, ...initial })
    .onConflictDoUpdate({
      target: placements.companyId,
      set: {
        ...initial,
        source: sql`${placements.database}`,
        move: sql`${placements.move} + 1`,
        epoch: sql`${placements.epoch} + 1`,
      },
      setWhere: sql`${placements.target} IS NULL AND ${placements.database} <> ${target}`,
    })
    .returning();
  return row ?? null;
}

/** Leases the next step; null if another step holds the lease, none is left, or the cutover is past. */
export async function acquireStep(
  env: Env,
  companyId: number,
  nowMs: number,
  leaseUntil: number,
  abort: boolean,
): Promise<ShardAssignmentRow | null> {
  const { target, stage } = placements;
  const [row] = await directoryOf(env)
    .update(placements)
    .set({
      epoch: sql`${placements.epoch} + 1`,
      leaseUntil,
      ...(abort ? { stage: "aborting" as const } : {}),
    })
    .where(
      and(
        eq(placements.companyId, companyId),
        isNotNull(target),
        lte(placements.leaseUntil, nowMs),
        abort ? notInArray(stage, STAGES_AFTER_CUTOVER) : undefined,
      ),
    )
    .returning();
  return row ?? null;
}

/** Saves a step's progress and ends its lease; false if another step has taken the lease. */
export async function completeStep(
  env: Env,
  lease: ShardAssignmentRow,
  nowMs: number,
  progress: StageProgress | "over",
): Promise<boolean> {
  const completed = await directoryOf(env)
    .update(placements)
    .set({
      leaseUntil: nowMs,
      ...(progress === "over"
        ? { source: null, target: null, stage: null, ...SCAN_START }
        : progress),
    })
    .where(isCurrentEpoch(lease))
    .returning({ companyId: placements.companyId });
  return completed.length > 0;
}

/** Ends a step's lease without progress. */
export async function releaseStep(
  env: Env,
  lease: ShardAssignmentRow,
  nowMs: number,
): Promise<void> {
  await directoryOf(env).update(placements).set({ leaseUntil: nowMs }).where(isCurrentEpoch(lease));
}

/**
 * Assigns the company to the target in one batch of the directory: before it the source is
 * authoritative, after it the target. False if another step has taken the lease.
 */
export async function cutover(
  env: Env,
  lease: ActiveMigration,
  clientIds: string[],
): Promise<boolean> {
  const { companyId, target } = lease;
  const db = directoryOf(env);
  const [updated] = await db.batch([
    db
      .update(placements)
      .set({ database: target, stage: "opening", ...SCAN_START })
      .where(and(isCurrentEpoch(lease), eq(placements.stage, "closing")))
      .returning({ companyId: placements.companyId }),
    ...clientIds.map((clientId) =>
      db.insert(clients).values({ clientId, companyId }).onConflictDoNothing(),
    ),
  ]);
  return updated.length > 0;
}

/** Migrations without a running step in a blocking stage. */
export async function staleMigrations(
  env: Env,
  idleSince: number,
  limit: number,
): Promise<ShardAssignmentRow[]> {
  return directoryOf(env)
    .select()
    .from(placements)
    .where(
      and(
        isNotNull(placements.target),
        lte(placements.leaseUntil, idleSince),
        sql`${placements.stage} IN ${BLOCKING_STAGES}`,
      ),
    )
    .orderBy(asc(placements.leaseUntil))
    .limit(limit);
}

function isCurrentEpoch({ companyId, epoch }: ShardAssignmentRow) {
  return and(eq(placements.companyId, companyId), eq(placements.epoch, epoch));
}

/** The running migrations, the one that was touched longest ago first. */
export async function activeMigrations(env: Env, limit: number): Promise<ShardAssignmentRow[]> {
  return directoryOf(env)
    .select()
    .from(placements)
    .where(isNotNull(placements.target))
    .orderBy(asc(placements.leaseUntil))
    .limit(limit);
}
