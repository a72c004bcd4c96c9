import { companyStub } from "../../src/company/stub.ts";
import type { AuditStep } from "../../src/company/audit.ts";
import { env, inAccount, type TestCompany } from "./company.ts";

const LEDGER = ["movements"];

/** Runs SQL inside a company's object, behind the back of its code. */
export function tamper(company: TestCompany, ...statements: string[]): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    storage.transactionSync(() => {
      for (const statement of statements) storage.sql.exec(statement);
    });
  });
}

/** Copies the ledger as it is; what is answered puts it back. */
export async function keepLedger(company: TestCompany): Promise<() => Promise<void>> {
  await tamper(
    company,
    ...LEDGER.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`),
  );
  return () =>
    tamper(
      company,
      ...LEDGER.flatMap((table) => [
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} SELECT * FROM kept_${table}`,
        `DROP TABLE kept_${table}`,
      ]),
    );
}

/** One step of the cron's audit on, or of one of its own from the first movement. */
export function audit(company: TestCompany, fromStart = false): Promise<AuditStep> {
  const walk = fromStart ? "reconcile" : "cron";
  return companyStub(env, company.id).auditLedger(company.id, walk, fromStart);
}

/** Steps of the audit until it says that it is done. */
export async function auditAll(company: TestCompany, fromStart = false): Promise<AuditStep> {
  const walk = fromStart ? "reconcile" : "cron";
  let step = await audit(company, fromStart);
  while (!step.done) {
    step = await companyStub(env, company.id).auditLedger(company.id, walk, false);
  }
  return step;
}
