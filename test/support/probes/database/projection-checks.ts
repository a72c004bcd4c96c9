import { checkCompany } from "../../../../src/api/operator/audit/tasks.ts";
import { verifyStep, type ReconcileResult } from "../../../../src/api/operator/audit/verify.ts";
import { findSelfCheck, type StoredCheck } from "../../../../src/db/reconciliation/self-checks.ts";
import { cursorOf, FIRST_COPY } from "../../../../src/domain/reconciliation/comparison-round.ts";
import { withDatabase } from "./instrumented-database.ts";
import { env, type TestCompany } from "../../builders/companies/env.ts";

/** Checks one company, as the cron does. */
export function runCheck(company: TestCompany, at = Date.now()): Promise<StoredCheck> {
  return checkCompany(env, company.id, at);
}

/** The stored result of the last check. */
export function storedCheck(company: TestCompany): Promise<StoredCheck | null> {
  return findSelfCheck(env, company.id);
}

/** Checks until no movement or event is new; returns the last result. */
export async function runFullCheck(company: TestCompany): Promise<StoredCheck> {
  let before = await runCheck(company);
  for (;;) {
    const after = await runCheck(company);
    const still =
      after.movement === before.movement && after.companySequence === before.companySequence;
    if (still) return after;
    before = after;
  }
}

/** Excludes the companies of other tests, of which there may be thousands, from the cron's checks of what has moved. */
export async function excludeFromChecks(before: TestCompany): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO self_checks (company_id, checked_at, movement, company_sequence, missing_events, suspects, violations)
     SELECT id, ?1, 0, 0, '[]', '{"transactionIds":[],"withdrawIds":[]}', '[]' FROM companies WHERE id < ?2
     ON CONFLICT (company_id) DO UPDATE SET checked_at = ?1`,
  )
    .bind(Date.now(), before.id)
    .run();
}

/** The number of D1 rows that one check reads. */
export async function rowsReadByCheck(company: TestCompany): Promise<number> {
  let rows = 0;
  const counting = withDatabase({
    after: (_sql, rowsRead) => {
      rows += rowsRead;
    },
  });
  await checkCompany(counting, company.id, Date.now());
  return rows;
}

const FROM_START = {
  fromStart: true,
  ...FIRST_COPY,
  repair: false,
  archived: false,
};

/** Runs a whole reconciliation; returns the results of its steps. */
export async function reconcile(company: TestCompany, repair: boolean): Promise<ReconcileResult[]> {
  const steps: ReconcileResult[] = [];
  let next = { ...FROM_START, repair };
  for (;;) {
    const step = await verifyStep(env, company.id, next);
    steps.push(step);
    if (step.ledgerDone && step.copiesDone) return steps;
    next = { ...FROM_START, ...cursorOf(step), repair, fromStart: false };
  }
}
