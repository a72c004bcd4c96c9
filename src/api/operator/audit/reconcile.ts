import type { Backlog } from "../../../company/rpc-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  eventsAfter,
  transactionVersionsAfter,
  repairProjection,
  findOrphanWithdraw,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import type { Env } from "../../../config.ts";
import { anchorsToCompare } from "./anchors.ts";
import {
  persistentDifferences,
  EMPTY_QUERY,
  fetchSnapshot,
  backlogViolations,
  mismatchViolations,
} from "./service.ts";

/** Charges, withdraws and D1 rows that one step reads. */
const ROWS_MAX = 100;
const EVENTS_MAX = 1_000;

export interface ReconcileStep {
  /** Audit the ledger from its first movement; set in the first step. */
  fromStart: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  /** The day (`YYYY-MM-DD`) after which daily totals are compared; empty at the start. */
  afterDay: string;
  afterSeq: number;
  afterEvent: number;
  /** Overwrite projections that differ with the object's state. */
  repair: boolean;
  /** Events before the first in D1 were archived (docs/storage.md): they are not missing. */
  archived: boolean;
}

export interface ReconcileResult extends Omit<ReconcileStep, "fromStart" | "repair" | "archived"> {
  movement: number;
  ledgerDone: boolean;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/** Runs the repair of some projections, for example after the audit trail has it. */
export type RunRepair = (projections: number, repair: () => Promise<void>) => Promise<void>;

/**
 * One bounded step of an operator's full check: the ledger from its first movement, the projection of each
 * charge and withdraw, D1 rows that the object does not have, and gaps in the events. Returns the cursors
 * for the next step.
 */
export async function reconcileStep(
  env: Env,
  companyId: number,
  step: ReconcileStep,
  runRepair: RunRepair = (_projections, repair) => repair(),
): Promise<ReconcileResult> {
  const { afterTransaction, afterWithdraw, afterDay, fromStart } = step;
  if (fromStart) await callCompany(env, companyId, (account) => account.runNow());
  const anchors = await anchorsToCompare(env, companyId);
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger(companyId, "reconcile", fromStart, anchors),
  );
  const query = { afterTransaction, afterWithdraw, afterDay, limit: ROWS_MAX };
  const snapshot = await fetchSnapshot(env, companyId, query);
  const { charges, withdraws, dailyTotals } = snapshot;
  const days = [...new Set(dailyTotals.map(({ day }) => day))];
  const differences = await persistentDifferences(env, companyId, {
    transactionIds: charges.map((charge) => charge.transactionId),
    withdrawIds: withdraws.map((withdraw) => withdraw.id),
    days,
  });
  const different =
    differences.charges.length + differences.withdraws.length + differences.dailyTotals.length;
  if (step.repair && different > 0) {
    await runRepair(different, () => repairProjection(env, companyId, differences));
  }
  const orphans = await findOrphanedTransactions(env, companyId, step.afterSeq);
  const events = await checkEvents(env, companyId, step);
  const copiesDone =
    charges.length < ROWS_MAX &&
    withdraws.length < ROWS_MAX &&
    days.length < ROWS_MAX &&
    orphans.rows < ROWS_MAX &&
    events.done;
  return {
    movement: audit.movement,
    ledgerDone: audit.done,
    afterTransaction: charges.at(-1)?.transactionId ?? afterTransaction,
    afterWithdraw: withdraws.at(-1)?.id ?? afterWithdraw,
    afterDay: days.at(-1) ?? afterDay,
    afterSeq: orphans.lastSeq,
    afterEvent: events.last,
    copiesDone,
    compared: charges.length + withdraws.length,
    repaired: step.repair ? repairedOf(differences) : 0,
    violations: [
      ...audit.violations,
      ...backlogViolations(snapshot.backlog),
      ...mismatchViolations(differences),
      ...orphans.violations,
      ...events.violations,
      ...(copiesDone ? await findOrphanedWithdraws(env, companyId) : []),
    ],
  };
}

/** How many projections a repair rewrites: it cannot restore a charge that D1 lacks. */
function repairedOf({ charges, withdraws, dailyTotals }: ProjectionDiffs): number {
  const restorable = charges.filter((charge) => charge.projectedVersion !== null);
  return restorable.length + withdraws.length + dailyTotals.length;
}

/** Charges that have changed according to D1 and that the object does not have. */
async function findOrphanedTransactions(
  env: Env,
  companyId: number,
  afterSeq: number,
): Promise<{ rows: number; lastSeq: number; violations: string[] }> {
  const rows = await transactionVersionsAfter(env, companyId, afterSeq, ROWS_MAX);
  const transactionIds = rows.filter((row) => row.hasTransitioned).map((row) => row.id);
  const { charges } = await fetchSnapshot(env, companyId, { transactionIds, withdrawIds: [] });
  const known = new Set(charges.map((charge) => charge.transactionId));
  return {
    rows: rows.length,
    lastSeq: rows.at(-1)?.seq ?? afterSeq,
    violations: transactionIds
      .filter((id) => !known.has(id))
      .map((id) => `I9 D1 says that transaction ${id} has moved, which it has not`),
  };
}

/** Gaps in the events of one step and, in the last step, events missing at the end or beyond it. */
async function checkEvents(
  env: Env,
  companyId: number,
  { afterEvent, archived }: ReconcileStep,
): Promise<{ last: number; done: boolean; violations: string[] }> {
  const { companySequence, backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const found = await eventsAfter(env, companyId, afterEvent, EVENTS_MAX);
  const last = found.at(-1)?.companySequence ?? afterEvent;
  const done = found.length < EVENTS_MAX;
  const violations: string[] = [];
  const oldest = archived && afterEvent === 0 ? found[0] : undefined;
  let expected = oldest?.companySequence ?? afterEvent + 1;
  const missing = (from: number, to: number) => {
    if (!areAllSetAside(from, to, backlog))
      violations.push(`I8 events ${from} to ${to} are missing`);
  };
  for (const event of found) {
    if (event.companySequence !== expected) missing(expected, event.companySequence - 1);
    expected = event.companySequence + 1;
  }
  if (done && backlog.entries === backlog.setAside && last < companySequence) {
    missing(last + 1, companySequence);
  }
  // An event may have been written between the two reads.
  const beyond = done && last > companySequence;
  const now = beyond ? (await fetchSnapshot(env, companyId, EMPTY_QUERY)).companySequence : last;
  if (last > now) violations.push(`I8 D1 has events beyond ${now}`);
  return { last, done, violations };
}

/** Whether all of these events were set aside because D1 refused them. */
function areAllSetAside(from: number, to: number, { setAsideEvents: setAside }: Backlog): boolean {
  return setAside.filter((number) => number >= from && number <= to).length === to - from + 1;
}

async function findOrphanedWithdraws(env: Env, companyId: number): Promise<string[]> {
  const findOrphan = async () => {
    const { withdrawCount } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
    return findOrphanWithdraw(env, companyId, withdrawCount);
  };
  // Read twice: a withdraw may have been requested between the two reads.
  const first = await findOrphan();
  return first !== null && (await findOrphan()) !== null
    ? [`I9 D1 has a withdraw ${first} that was never made`]
    : [];
}
