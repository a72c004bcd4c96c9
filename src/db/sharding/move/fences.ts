import type { FenceState } from "../fence-filters.ts";

/** A running step of a company's move. A step with a higher epoch revokes it. */
export interface StepLease {
  companyId: number;
  move: number;
  epoch: number;
}

/** Sets a company's fence in a database, unless a later step has set it. */
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
 * The first statement of a batch that only this step may run, and only in this fence state. Otherwise it
 * violates the CHECK of `fences`, which fails the batch.
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
