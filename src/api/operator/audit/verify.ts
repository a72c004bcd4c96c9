import { callCompany } from "../../../company-client/stub.ts";
import {
  countDiffs,
  filterDiffs,
  repairProjection,
} from "../../../db/projection/projection-diff.ts";
import type { CopyCursor } from "../../../domain/reconciliation/comparison-round.ts";
import type { Env } from "../../../config.ts";
import { anchorsToCompare } from "./anchors.ts";
import { compareCopies } from "./compare-copies.ts";
import { backlogViolations, mismatchViolations } from "./service.ts";

export interface ReconcileStep extends CopyCursor {
  /** Audit the ledger from its first movement; set in the first step. */
  fromStart: boolean;
  /** Overwrite projections that differ with the object's state. */
  repair: boolean;
  /** Events before the first in D1 were archived (docs/storage.md): they are not missing. */
  archived: boolean;
}

export interface ReconcileResult extends CopyCursor {
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
 * One bounded step of an operator's full check: the ledger from its first movement, and the copies in D1. Returns
 * the cursors for the next step.
 */
export async function verifyStep(
  env: Env,
  companyId: number,
  { fromStart, repair, archived, ...from }: ReconcileStep,
  runRepair: RunRepair = (_projections, run) => run(),
): Promise<ReconcileResult> {
  if (fromStart) await callCompany(env, companyId, (account) => account.runNow());
  const anchors = await anchorsToCompare(env, companyId);
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger({ companyId, pass: "reconcile", fromStart, anchors }),
  );
  const copies = await compareCopies(env, companyId, from, archived);
  const { differences } = copies;
  const rewritable = countDiffs(filterDiffs(differences, ({ isRewritable }) => isRewritable));
  let repaired = 0;
  if (repair && rewritable > 0) {
    await runRepair(rewritable, async () => {
      const { rewritten } = await repairProjection(env, companyId, differences);
      repaired = countDiffs(rewritten);
    });
  }
  return {
    movement: audit.movement,
    ledgerDone: audit.done,
    ...copies.after,
    copiesDone: copies.isDone,
    compared: copies.compared,
    repaired,
    violations: [
      ...audit.violations,
      ...backlogViolations(copies.snapshot.backlog),
      ...mismatchViolations(differences),
      ...copies.violations,
      ...copies.missingEvents.map(([first, last]) => `I8 events ${first} to ${last} are missing`),
      ...(copies.eventsEndAt === null ? [] : [`I8 D1 has events beyond ${copies.eventsEndAt}`]),
    ],
  };
}
