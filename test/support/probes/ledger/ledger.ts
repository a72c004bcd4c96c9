import { runDurableObjectAlarm } from "cloudflare:test";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { accountsIn, movementsIn } from "./ledger-rows.ts";
import { env, inAccount, type TestCompany } from "../../builders/companies/company.ts";

/** The balance of each used account, in centavos. */
export function accountsOf(company: TestCompany): Promise<Record<string, number>> {
  return inAccount(company.id, (_, state) => accountsIn(state.storage.sql));
}

export interface BookedMovement {
  type: string;
  postings: Record<string, number>;
}

/** Every movement of a company's ledger with its postings by account, oldest first. */
export function movementsOf(company: TestCompany): Promise<BookedMovement[]> {
  return inAccount(company.id, (_, state) =>
    movementsIn(state.storage.sql).map(({ type, postings }) => ({
      type,
      postings: Object.fromEntries(postings.map((each) => [each.account, each.amount])),
    })),
  );
}

/** Every row of every table of a company's object, as text. */
export function dumpObject(company: TestCompany): Promise<string> {
  return inAccount(company.id, (_, state) => {
    const { sql } = state.storage;
    return sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => `${name} ${JSON.stringify(sql.exec(`SELECT * FROM ${name}`).toArray())}`)
      .join("\n");
  });
}

/** The number of the object's undrained commits. */
export function outboxLength(company: TestCompany): Promise<number> {
  return inAccount(company.id, async (account) => {
    const { backlog } = await account.snapshot({ transactionIds: [], withdrawIds: [] });
    return backlog.entries;
  });
}

/**
 * The time of the object's next alarm, or null. The present alarm fires first: it may have an
 * earlier cause.
 */
export async function nextAlarmOf(company: TestCompany): Promise<number | null> {
  await runDurableObjectAlarm(companyStub(env, company.id));
  return alarmOf(company);
}

/** The time of the object's alarm, or null. */
export function alarmOf(company: TestCompany): Promise<number | null> {
  return inAccount(company.id, (_, state) => state.storage.getAlarm());
}
