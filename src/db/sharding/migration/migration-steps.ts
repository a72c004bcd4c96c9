import { and, asc, eq, isNotNull, lte, notInArray, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { directoryOf } from "../../client.ts";
import { DIRECTORY } from "../databases.ts";
import { SCAN_START, type ScanPosition } from "./scan.ts";
import { clients, placements } from "../../schema/routing.ts";

/** A company's place in the directory, with the move that is on. */
export type ShardAssignmentRow = typeof placements.$inferSelect;
export type MigrationStage = NonNullable<ShardAssignmentRow["stage"]>;

/** A company that is on its way. */
export type ActiveMigration = ShardAssignmentRow & {
  source: string;
  target: string;
  stage: MigrationStage;
};

/** Where a stage stands: what of it was done. */
export interface StageProgress extends ScanPosition {
  stage: MigrationStage;
}

/** From here on the target is where the company lives: there is no way back. */
export const STAGES_AFTER_CUTOVER: MigrationStage[] = ["opening", "clearing"];
/** Stages that are short, and in which somebody may be kept waiting. */
const BLOCKING_STAGES: MigrationStage[] = ["closing", "opening", "clearing", "aborting"];

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

/** Begins a move and takes its first turn; null where one is on, or the company is there already. */
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

/** Takes the next turn of a move; null where somebody is at it, it is over, or too late to abort. */
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

/** Writes down how far a turn came, and that it is over; false where another has taken the next. */
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

/** Lets the next turn be taken, wherever this one has left the move. */
export async function releaseStep(
  env: Env,
  lease: ShardAssignmentRow,
  nowMs: number,
): Promise<void> {
  await directoryOf(env).update(placements).set({ leaseUntil: nowMs }).where(isCurrentEpoch(lease));
}

/**
 * Makes the target the company's database, in one batch of the directory: the one moment before which
 * the source holds the truth and after which the target does. False where another took the turn.
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

/** Moves that nobody goes on with, of those in which somebody may be kept waiting. */
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
