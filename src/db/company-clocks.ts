import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Env } from "../config.ts";
import { databaseFor } from "./client.ts";
import { companies, companyClocks } from "./schema/companies.ts";
import type { FanOut, ShardRow } from "./sharding/fan-out.ts";
import { runIdempotent } from "./storage-errors.ts";

/** A clock that was moved; times are the company's. */
export interface MovedClock {
  /** The time that the last run has answered. */
  reached: number;
  /** Until when it still runs; null where all that was due has run. */
  runsUntil: number | null;
}

/** A company's clock; null where it was never moved. */
export async function findMovedClock(env: Env, companyId: number): Promise<MovedClock | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ reached: companyClocks.reached, runsUntil: companyClocks.runsUntil })
    .from(companyClocks)
    .where(eq(companyClocks.companyId, companyId));
  return row ?? null;
}

/**
 * Takes a sandbox company's clock, to run it until a time at least (the company's; null: only on). Returns until when it
 * runs; false if another run has it, or the company is live: one whose clock was taken never becomes so.
 */
export async function leaseClock(
  env: Env,
  companyId: number,
  { until, nowMs, leaseUntil }: { until: number | null; nowMs: number; leaseUntil: number },
): Promise<{ runsUntil: number | null } | false> {
  const [row] = await databaseFor(env, companyId)
    .insert(companyClocks)
    .select((db) =>
      db
        .select({
          companyId: companies.id,
          runsUntil: sql`${until}`.as("runs_until"),
          reached: sql`0`.as("reached"),
          leaseUntil: sql`${leaseUntil}`.as("lease_until"),
        })
        .from(companies)
        .where(and(eq(companies.id, companyId), eq(companies.mode, "sandbox"))),
    )
    .onConflictDoUpdate({
      target: companyClocks.companyId,
      set: {
        runsUntil: sql`nullif(max(coalesce(${companyClocks.runsUntil}, 0), coalesce(excluded.runs_until, 0)), 0)`,
        leaseUntil,
      },
      setWhere: lte(companyClocks.leaseUntil, nowMs),
    })
    .returning({ runsUntil: companyClocks.runsUntil });
  return row ?? false;
}

/**
 * Gives a company's clock back that was taken until `leaseUntil`, with the time it has reached; null after a crash.
 * `isDone`: nothing more is due. Changes nothing where another run has taken it since.
 */
export async function releaseClock(
  env: Env,
  companyId: number,
  ended: { leaseUntil: number; nowMs: number; reached: number | null; isDone: boolean },
): Promise<void> {
  const { leaseUntil, nowMs, reached, isDone } = ended;
  await databaseFor(env, companyId)
    .update(companyClocks)
    .set({
      leaseUntil: nowMs,
      ...(reached === null ? {} : { reached: sql`max(${companyClocks.reached}, ${reached})` }),
      ...(isDone ? { runsUntil: null } : {}),
    })
    .where(and(eq(companyClocks.companyId, companyId), eq(companyClocks.leaseUntil, leaseUntil)));
}

/** Lets a clock that cannot run now wait until others were looked at. */
export async function passClock(env: Env, companyId: number, nowMs: number): Promise<void> {
  await databaseFor(env, companyId)
    .update(companyClocks)
    .set({ leaseUntil: nowMs })
    .where(and(eq(companyClocks.companyId, companyId), lte(companyClocks.leaseUntil, nowMs)));
}

/** Saves how far a sandbox company's clock is ahead, in milliseconds. It never goes back. */
export async function saveClockOffset(
  env: Env,
  companyId: number,
  offsetMs: number,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ clockOffsetMs: offsetMs })
      .where(
        and(
          eq(companies.id, companyId),
          eq(companies.mode, "sandbox"),
          sql`${companies.clockOffsetMs} < ${offsetMs}`,
        ),
      )
      .run(),
  );
}

/** Companies whose clock was moved, those of each database that were looked at longest ago. */
export function movedCompanies(
  fanOut: FanOut,
  limit: number,
): Promise<ShardRow<{ companyId: number }>[]> {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ companyId: companyClocks.companyId })
      .from(companyClocks)
      .where(isLocal(companyClocks.companyId))
      .orderBy(asc(companyClocks.leaseUntil))
      .limit(limit),
  );
}
