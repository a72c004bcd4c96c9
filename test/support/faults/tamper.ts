import { inAccount, type TestCompany } from "../builders/companies/company.ts";

const LEDGER = ["movements"];

/**
 * Runs SQL inside a company's object without the triggers that forbid changes of movements: an
 * attacker with write access can drop them.
 */
export function tamper(company: TestCompany, ...statements: string[]): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    storage.transactionSync(() => {
      withoutTriggers(storage.sql, () => {
        for (const statement of statements) storage.sql.exec(statement);
      });
    });
  });
}

/** Runs `run` without the triggers of the object's tables. */
export function withoutTriggers(sql: SqlStorage, run: () => void): void {
  const triggers = sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    )
    .toArray();
  for (const { name } of triggers) sql.exec(`DROP TRIGGER ${name}`);
  run();
  for (const trigger of triggers) sql.exec(trigger.sql);
}

/** Copies the ledger; the returned function restores it. */
export async function backUpLedger(company: TestCompany): Promise<() => Promise<void>> {
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
