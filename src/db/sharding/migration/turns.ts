import { and, asc, eq, isNotNull, lte, notInArray, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { directoryOf } from "../../client.ts";
import { DIRECTORY } from "../databases.ts";
import { FIRST, type Position } from "./walk.ts";
import { clients, placements } from "../../schema/routing.ts";

/** A company's place in the directory, with the move that is on. */
export type PlacementRow = typeof placements.$inferSelect;
export type MoveStage = NonNullable<PlacementRow["stage"]>;

/** A company that is on its way. */
export type Moving = PlacementRow & { source: string; target: string; stage: MoveStage };

/** Where a stage stands: what of it was done. */
export interface Progress extends Position {
  stage: MoveStage;
}

/** From here on the target is where the company lives: there is no way back. */
export const FLIPPED: MoveStage[] = ["opening", "clearing"];
/** Stages that are short, and in which somebody may be kept waiting. */
const OWED: MoveStage[] = ["closing", "opening", "clearing", "aborting"];

export async function findPlacement(env: Env, companyId: number): Promise<PlacementRow | null> {
  const [row] = await directoryOf(env)
    .select()
    .from(placements)
    .where(eq(placements.companyId, companyId));
  return row ?? null;
}

/** Begins a move and takes its first turn; null where one is on, or the company is there already. */
export async function beginMove(
  env: Env,
  companyId: number,
  target: string,
  leaseUntil: number,
): Promise<PlacementRow | null> {
  const begun = { target, stage: "preparing", ...FIRST, leaseUntil } as const;
  const [row] = await directoryOf(env)
    .insert(placements)
    .values({ companyId, database: DIRECTORY, source: DIRECTORY, move: 1, turn: 1, ...begun })
    .onConflictDoUpdate({
      target: placements.companyId,
      set: {
        ...begun,
        source: sql`${placements.database}`,
        move: sql`${placements.move} + 1`,
        turn: sql`${placements.turn} + 1`,
      },
      setWhere: sql`${placements.target} IS NULL AND ${placements.database} <> ${target}`,
    })
    .returning();
  return row ?? null;
}

/** Takes the next turn of a move; null where somebody is at it, it is over, or too late to abort. */
export async function takeTurn(
  env: Env,
  companyId: number,
  nowMs: number,
  leaseUntil: number,
  abort: boolean,
): Promise<PlacementRow | null> {
  const { target, stage } = placements;
  const [row] = await directoryOf(env)
    .update(placements)
    .set({
      turn: sql`${placements.turn} + 1`,
      leaseUntil,
      ...(abort ? { stage: "aborting" as const } : {}),
    })
    .where(
      and(
        eq(placements.companyId, companyId),
        isNotNull(target),
        lte(placements.leaseUntil, nowMs),
        abort ? notInArray(stage, FLIPPED) : undefined,
      ),
    )
    .returning();
  return row ?? null;
}

/** Writes down how far a turn came, and that it is over; false where another has taken the next. */
export async function endTurn(
  env: Env,
  turn: PlacementRow,
  nowMs: number,
  progress: Progress | "over",
): Promise<boolean> {
  const ended = await directoryOf(env)
    .update(placements)
    .set({
      leaseUntil: nowMs,
      ...(progress === "over" ? { source: null, target: null, stage: null, ...FIRST } : progress),
    })
    .where(isTurn(turn))
    .returning({ companyId: placements.companyId });
  return ended.length > 0;
}

/** Lets the next turn be taken, wherever this one has left the move. */
export async function releaseTurn(env: Env, turn: PlacementRow, nowMs: number): Promise<void> {
  await directoryOf(env).update(placements).set({ leaseUntil: nowMs }).where(isTurn(turn));
}

/**
 * Makes the target the company's database, in one batch of the directory: the one moment before which
 * the source holds the truth and after which the target does. False where another took the turn.
 */
export async function flip(env: Env, turn: Moving, clientIds: string[]): Promise<boolean> {
  const { companyId, target } = turn;
  const db = directoryOf(env);
  const [flipped] = await db.batch([
    db
      .update(placements)
      .set({ database: target, stage: "opening", ...FIRST })
      .where(and(isTurn(turn), eq(placements.stage, "closing")))
      .returning({ companyId: placements.companyId }),
    ...clientIds.map((clientId) =>
      db.insert(clients).values({ clientId, companyId }).onConflictDoNothing(),
    ),
  ]);
  return flipped.length > 0;
}

/** Moves that nobody goes on with, of those in which somebody may be kept waiting. */
export async function leftMoves(
  env: Env,
  idleSince: number,
  limit: number,
): Promise<PlacementRow[]> {
  return directoryOf(env)
    .select()
    .from(placements)
    .where(
      and(
        isNotNull(placements.target),
        lte(placements.leaseUntil, idleSince),
        sql`${placements.stage} IN ${OWED}`,
      ),
    )
    .orderBy(asc(placements.leaseUntil))
    .limit(limit);
}

function isTurn({ companyId, turn }: PlacementRow) {
  return and(eq(placements.companyId, companyId), eq(placements.turn, turn));
}
