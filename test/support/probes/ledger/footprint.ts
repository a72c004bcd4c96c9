import { expect } from "vitest";
import { accountsIn } from "./ledger-rows.ts";
import { env, inAccount, type TestCompany } from "../../builders/companies/company.ts";

const D1_TABLES = ["transactions", "withdraws", "events"] as const;
const OBJECT_TABLES = ["withdraws", "idempotency", "movements", "outbox", "charges"] as const;

/** A company's row counts in D1 and in its object, and its account balances. */
export async function footprintOf(company: TestCompany): Promise<Record<string, unknown>> {
  const inObject = await inAccount(company.id, async (account, state) => {
    await account.runNow();
    return {
      rows: OBJECT_TABLES.map((table) => [
        `object ${table}`,
        state.storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one()
          .rows,
      ]),
      accounts: accountsIn(state.storage.sql),
    };
  });
  const counts = await env.DB.batch<{ rows: number }>(
    D1_TABLES.map((table) =>
      env.DB.prepare(`SELECT count(*) AS rows FROM ${table} WHERE company_id = ?`).bind(company.id),
    ),
  );
  const inD1 = D1_TABLES.map((table, index) => [`d1 ${table}`, counts[index]?.results[0]?.rows]);
  return {
    ...Object.fromEntries([...inD1, ...inObject.rows]),
    accounts: JSON.stringify(inObject.accounts),
  };
}

/** Asserts that `run` changes no row count and no balance; returns its result. */
export async function expectNoSideEffects<Answer>(
  company: TestCompany,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const before = await footprintOf(company);
  const answer = await run();
  expect(await footprintOf(company)).toEqual(before);
  return answer;
}
