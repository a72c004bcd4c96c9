import { checkCompany } from "../../../src/api/operator/audit/tasks.ts";
import { reconcileStep, type ReconcileResult } from "../../../src/api/operator/audit/reconcile.ts";
import { findSelfCheck, type StoredCheck } from "../../../src/db/reconciliation/self-checks.ts";
import { withDatabase } from "./database.ts";
import { env, type TestCompany } from "../fakes/env.ts";

/** Runs one statement on D1, with the company's number as its last parameter. */
export async function changeProjection(
  company: TestCompany,
  statement: string,
  ...values: (string | number)[]
): Promise<void> {
  const { meta } = await env.DB.prepare(statement)
    .bind(...values, company.id)
    .run();
  if (meta.changes === 0) throw new Error(`nothing was changed by ${statement}`);
}

/** Deletes the rows of a table that fit, and answers what puts them back. */
export async function deleteProjection(
  company: TestCompany,
  table: string,
  condition: string,
): Promise<() => Promise<void>> {
  const where = `WHERE company_id = ? AND (${condition})`;
  const found = env.DB.prepare(`SELECT * FROM ${table} ${where}`).bind(company.id);
  const { results: rows } = await found.all();
  if (rows.length === 0) throw new Error(`no row of ${table} fits ${condition}`);
  await env.DB.prepare(`DELETE FROM ${table} ${where}`).bind(company.id).run();
  return async () => void (await env.DB.batch(rows.map((row) => insertInto(table, row))));
}

function insertInto(table: string, row: Record<string, unknown>): D1PreparedStatement {
  const names = Object.keys(row);
  const insert = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
  return env.DB.prepare(insert).bind(...names.map((name) => row[name]));
}

/** What the cron does with one company. */
export function runCheck(company: TestCompany, at = Date.now()): Promise<StoredCheck> {
  return checkCompany(env, company.id, at);
}

/** What the last check left on record. */
export function storedCheck(company: TestCompany): Promise<StoredCheck | null> {
  return findSelfCheck(env, company.id);
}

/** Checks until nothing more is new, and answers the last. */
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

/** How many rows of D1 one check reads. */
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
  afterTransaction: "",
  afterWithdraw: 0,
  afterSeq: 0,
  afterEvent: 0,
  repair: false,
  archived: false,
};

/** Steps of a reconciliation from the beginning to its end; what they found is put together. */
export async function reconcile(company: TestCompany, repair: boolean): Promise<ReconcileResult[]> {
  const steps: ReconcileResult[] = [];
  let next = { ...FROM_START, repair };
  for (;;) {
    const step = await reconcileStep(env, company.id, next);
    steps.push(step);
    if (step.ledgerDone && step.copiesDone) return steps;
    const { afterTransaction, afterWithdraw, afterSeq, afterEvent } = step;
    const after = { afterTransaction, afterWithdraw, afterSeq, afterEvent };
    next = { ...FROM_START, ...after, repair, fromStart: false };
  }
}
