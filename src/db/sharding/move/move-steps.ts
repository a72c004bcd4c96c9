import { and, asc, eq, isNotNull, lte, notInArray, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { directoryOf } from "../../client.ts";
import { DIRECTORY } from "../databases.ts";
import { SCAN_START, type ScanPosition } from "./scan.ts";
import { clients, shardAssignments } from "../../schema/routing.ts";

/** A company's shard assignment with its running move. */
export type ShardAssignmentRow = typeof shardAssignments.$inferSelect;
export type MoveStage = NonNullable<ShardAssignmentRow["stage"]>;

/** The assignment of a moving company. */
export type ActiveMove = ShardAssignmentRow & {
  source: string;
  target: string;
  stage: MoveStage;
};

/** A stage and the position within it. */
export interface StageProgress extends ScanPosition {
  stage: MoveStage;
}

/** In these stages the company lives in the target, and no rollback is possible. */
export const STAGES_AFTER_CUTOVER: MoveStage[] = ["opening", "clearing"];
/** Short stages that the cron resumes, because writes may be waiting. */
const BLOCKING_STAGES: MoveStage[] = ["closing", "opening", "clearing", "aborting"];

/** A company's row in the directory; null if it has none and lives in `DB`. */
export async function findShardAssignment(
  env: Env,
  companyId: number,
): Promise<ShardAssignmentRow | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(shardAssignments)
    .where(eq(shardAssignments.companyId, companyId));
  return row ?? null;
}

/** Begins a company move and leases its first step; null if one runs or the company is already there. */
export async function beginMove(
  env: Env,
  companyId: number,
  target: string,
  leaseUntil: number,
): Promise<ShardAssignmentRow | null> {
  const initial = { target, stage: "preparing", ...SCAN_START, leaseUntil } as const;
  const [row] = await directoryOf(env)
    .insert(shardAssignments)
    .values({ companyId, database: DIRECTORY, source: DIRECTORY, move: 1, epoch: 1, ...initial })
    .onConflictDoUpdate({
      target: shardAssignments.companyId,
      set: {
        ...initial,
        source: sql`${shardAssignments.database}`,
        move: sql`${shardAssignments.move} + 1`,
        epoch: sql`${shardAssignments.epoch} + 1`,
      },
      setWhere: sql`${shardAssignments.target} IS NULL AND ${shardAssignments.database} <> ${target}`,
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
  const { target, stage } = shardAssignments;
  const [row] = await directoryOf(env)
    .update(shardAssignments)
    .set({
      epoch: sql`${shardAssignments.epoch} + 1`,
      leaseUntil,
      ...(abort ? { stage: "aborting" as const } : {}),
    })
    .where(
      and(
        eq(shardAssignments.companyId, companyId),
        isNotNull(target),
        lte(shardAssignments.leaseUntil, nowMs),
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
    .update(shardAssignments)
    .set({
      leaseUntil: nowMs,
      ...(progress === "over"
        ? { source: null, target: null, stage: null, ...SCAN_START }
        : progress),
    })
    .where(isCurrentEpoch(lease))
    .returning({ companyId: shardAssignments.companyId });
  return completed.length > 0;
}

/** Ends a step's lease without progress. */
export async function releaseStep(
  env: Env,
  lease: ShardAssignmentRow,
  nowMs: number,
): Promise<void> {
  await directoryOf(env)
    .update(shardAssignments)
    .set({ leaseUntil: nowMs })
    .where(isCurrentEpoch(lease));
}

/**
 * Assigns the company to the target in one batch of the directory: before it the source is
 * authoritative, after it the target. False if another step has taken the lease.
 */
export async function cutover(env: Env, lease: ActiveMove, clientIds: string[]): Promise<boolean> {
  const { companyId, target } = lease;
  const db = directoryOf(env);
  const [updated] = await db.batch([
    db
      .update(shardAssignments)
      .set({ database: target, stage: "opening", ...SCAN_START })
      .where(and(isCurrentEpoch(lease), eq(shardAssignments.stage, "closing")))
      .returning({ companyId: shardAssignments.companyId }),
    ...clientIds.map((clientId) =>
      db.insert(clients).values({ clientId, companyId }).onConflictDoNothing(),
    ),
  ]);
  return updated.length > 0;
}

/** Moves without a running step in a blocking stage. */
export async function staleMoves(
  env: Env,
  idleSince: number,
  limit: number,
): Promise<ShardAssignmentRow[]> {
  return directoryOf(env)
    .select()
    .from(shardAssignments)
    .where(
      and(
        isNotNull(shardAssignments.target),
        lte(shardAssignments.leaseUntil, idleSince),
        sql`${shardAssignments.stage} IN ${BLOCKING_STAGES}`,
      ),
    )
    .orderBy(asc(shardAssignments.leaseUntil))
    .limit(limit);
}

function isCurrentEpoch({ companyId, epoch }: ShardAssignmentRow) {
  return and(eq(shardAssignments.companyId, companyId), eq(shardAssignments.epoch, epoch));
}

/** The running moves, the one that was touched longest ago first. */
export async function activeMoves(env: Env, limit: number): Promise<ShardAssignmentRow[]> {
  return directoryOf(env)
    .select()
    .from(shardAssignments)
    .where(isNotNull(shardAssignments.target))
    .orderBy(asc(shardAssignments.leaseUntil))
    .limit(limit);
}
