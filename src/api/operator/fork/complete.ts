import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { addForkedCopies, countForkedFiscalKeys } from "../../../db/fork/fork-copies.ts";
import {
  countDiffs,
  diffProjection,
  repairProjection,
} from "../../../db/projection/projection-diff.ts";
import { FIRST_COPY } from "../../../domain/reconciliation/comparison-round.ts";
import type { Problem } from "../../../domain/shared/problem.ts";
import { invalidState } from "../../../http/problems.ts";
import { fetchSnapshot } from "../audit/service.ts";

/** Records of each kind that one step writes. */
const STEP_ROWS = 1_000;

/**
 * Writes the copies in D1 of what a fork's object has, compares them with it, and has the object audit its ledger from
 * the first movement. Throws 409 if anything is wrong, as it is in the original then.
 */
export async function completeFork(env: Env, companyId: number): Promise<void> {
  let isDone = false;
  for (let after = FIRST_COPY; !isDone;) {
    const snapshot = await fetchSnapshot(env, companyId, { ...after, limit: STEP_ROWS });
    const { charges, withdraws, dailyTotals, walkedRecords } = snapshot;
    await addForkedCopies(env, companyId, snapshot);
    await requireEqual(env, companyId, snapshot);
    isDone =
      [charges, withdraws, dailyTotals].every(({ length }) => length < STEP_ROWS) &&
      walkedRecords?.isDone !== false;
    after = {
      ...after,
      afterTransaction: charges.at(-1)?.transactionId ?? after.afterTransaction,
      afterWithdraw: withdraws.at(-1)?.id ?? after.afterWithdraw,
      afterDay: dailyTotals.at(-1)?.day ?? after.afterDay,
      afterRecords: walkedRecords?.after ?? after.afterRecords,
    };
  }
  await countForkedFiscalKeys(env, companyId);
  await requireSoundLedger(env, companyId);
}

/** Disputes of a real provider have other ids here, which the charges' rows get from the object. */
async function requireEqual(
  env: Env,
  companyId: number,
  snapshot: Parameters<typeof diffProjection>[2],
): Promise<void> {
  const first = await diffProjection(env, companyId, snapshot);
  if (countDiffs(first) === 0) return;
  await repairProjection(env, companyId, first);
  const left = countDiffs(await diffProjection(env, companyId, snapshot));
  if (left > 0) throw unsound(`${left} rows differ from the object`);
}

async function requireSoundLedger(env: Env, companyId: number): Promise<void> {
  for (let fromStart = true, done = false; !done; fromStart = false) {
    const step = await callCompany(env, companyId, (account) =>
      account.auditLedger({ companyId, pass: "reconcile", fromStart, anchors: [] }),
    );
    const [violation] = step.violations;
    if (violation !== undefined) throw unsound(violation);
    ({ done } = step);
  }
}

function unsound(finding: string): Problem {
  return invalidState(`The check finds: ${finding}`, "company_unsound");
}
