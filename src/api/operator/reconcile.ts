import { callCompany } from "../../company/stub.ts";
import { countCopies, movedCopiesAfter, repairCopies } from "../../db/copies.ts";
import type { Env } from "../../env.ts";
import { differencesOf, originalsOf, owedViolations, violationsOf } from "./check.ts";

/** Charges, withdraws, and rows of D1 that one step looks at. */
const COPIES_MAX = 100;

export interface ReconcileStep {
  /** Look at the ledger from its beginning, which the first step does. */
  fromStart: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  afterSeq: number;
  /** Write the object's word over copies that differ. */
  repair: boolean;
}

export interface ReconcileResult extends Omit<ReconcileStep, "fromStart" | "repair"> {
  movement: number;
  ledgerDone: boolean;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/**
 * One bounded step of an operator's check of everything: the ledger from its first movement, each
 * charge and withdraw against D1's copy, which can be written again from the object, each of D1's
 * rows for being the object's, and in the end the number of events.
 */
export async function reconcileStep(
  env: Env,
  companyId: number,
  step: ReconcileStep,
): Promise<ReconcileResult> {
  const { afterTransaction, afterWithdraw, fromStart } = step;
  if (fromStart) await callCompany(env, companyId, (account) => account.tick());
  const audit = await callCompany(env, companyId, (account) =>
    account.auditLedger(companyId, "reconcile", fromStart),
  );
  const query = { afterTransaction, afterWithdraw, limit: COPIES_MAX };
  const originals = await originalsOf(env, companyId, query);
  const { charges, withdraws } = originals;
  const differences = await differencesOf(env, companyId, {
    transactionIds: charges.map((charge) => charge.transactionId),
    withdrawIds: withdraws.map((withdraw) => withdraw.id),
  });
  if (step.repair) await repairCopies(env, companyId, differences);
  const strays = await strayCopies(env, companyId, step.afterSeq);
  const copiesDone =
    charges.length < COPIES_MAX && withdraws.length < COPIES_MAX && strays.rows < COPIES_MAX;
  return {
    movement: audit.movement,
    ledgerDone: audit.done,
    afterTransaction: charges.at(-1)?.transactionId ?? afterTransaction,
    afterWithdraw: withdraws.at(-1)?.id ?? afterWithdraw,
    afterSeq: strays.lastSeq,
    copiesDone,
    compared: charges.length + withdraws.length,
    repaired: step.repair
      ? differences.charges.filter((different) => different.copyVersion !== null).length +
        differences.withdraws.length
      : 0,
    violations: [
      ...audit.violations,
      ...owedViolations(originals.owed),
      ...violationsOf(differences),
      ...strays.violations,
      ...(copiesDone ? await countViolations(env, companyId) : []),
    ],
  };
}

/** Charges that D1 says have moved, and of which the object knows nothing. */
async function strayCopies(
  env: Env,
  companyId: number,
  afterSeq: number,
): Promise<{ rows: number; lastSeq: number; violations: string[] }> {
  const rows = await movedCopiesAfter(env, companyId, afterSeq, COPIES_MAX);
  const transactionIds = rows.filter((row) => row.moved).map((row) => row.id);
  const { charges } = await originalsOf(env, companyId, { transactionIds, withdrawIds: [] });
  const known = new Set(charges.map((charge) => charge.transactionId));
  return {
    rows: rows.length,
    lastSeq: rows.at(-1)?.seq ?? afterSeq,
    violations: transactionIds
      .filter((id) => !known.has(id))
      .map((id) => `I9 D1 says that transaction ${id} has moved, which it has not`),
  };
}

async function countViolations(env: Env, companyId: number): Promise<string[]> {
  const before = await originalsOf(env, companyId, { transactionIds: [], withdrawIds: [] });
  if (before.owed.entries > 0) return [];
  const counted = await countCopies(env, companyId, before.withdrawCount);
  const after = await originalsOf(env, companyId, { transactionIds: [], withdrawIds: [] });
  const violations: string[] = [];
  if (counted.events < before.companySequence || counted.events > after.companySequence) {
    violations.push(`I8 D1 has ${counted.events} events of ${after.companySequence}`);
  }
  if (counted.strayWithdraws > 0 && after.withdrawCount === before.withdrawCount) {
    violations.push(`I9 D1 has ${counted.strayWithdraws} withdraws that were never made`);
  }
  return violations;
}
