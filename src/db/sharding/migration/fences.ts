import type { FENCE_STATES } from "../../schema/routing.ts";

/** A move of a company, and the step of it that is at work: a later one shuts it out. */
export interface StepLease {
  companyId: number;
  move: number;
  epoch: number;
}

type FenceState = (typeof FENCE_STATES)[number];

/** Says in a database how it stands with a company, unless a later step has said so. */
export async function setFence(
  database: D1Database,
  { companyId, move, epoch }: StepLease,
  state: FenceState,
): Promise<void> {
  await database
    .prepare(
      `INSERT INTO fences (company_id, state, move, turn) VALUES (?, ?, ?, ?)
       ON CONFLICT (company_id) DO UPDATE
       SET state = excluded.state, move = excluded.move, turn = excluded.turn
       WHERE turn <= excluded.turn`,
    )
    .bind(companyId, state, move, epoch)
    .run();
}

/**
 * Begins a batch that only this step may run, while the fence is in this state: anything else fails
 * it, by the same CHECK as a write that may not pass.
 */
export function assertEpoch(
  database: D1Database,
  { companyId, move, epoch }: StepLease,
  state: FenceState,
): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO fences (company_id, state, move, turn, passed)
       SELECT ?1, 'left', 0, 0, 1 WHERE NOT EXISTS (SELECT 1 FROM fences
         WHERE company_id = ?1 AND state = ?2 AND move = ?3 AND turn = ?4)`,
    )
    .bind(companyId, state, move, epoch);
}
