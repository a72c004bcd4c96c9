import { inAccount, type TestCompany } from "../builders/companies/company.ts";

const LEDGER = ["movements"];

/**
 * Runs SQL inside a company's object, behind the back of its code and of the triggers that forbid
 * changing a movement: whoever writes the tables can drop those too.
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

/** Runs something while no trigger of the object's tables is there. */
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

/** Copies the ledger as it is; what is answered puts it back. */
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
