import { bytesToHex } from "@noble/hashes/utils.js";
import { runDurableObjectAlarm } from "cloudflare:test";
import { idOf } from "../../src/company/stored-id.ts";
import { companyStub } from "../../src/company/stub.ts";
import { accountsIn, movementsIn } from "./ledger-rows.ts";
import { env, inAccount, type TestCompany } from "./company.ts";

const UUID_BYTES = 16;

/** What stands on each account of a company's ledger that was ever used, in centavos. */
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
      .map(
        ({ name }) =>
          `${name} ${JSON.stringify(sql.exec(`SELECT * FROM ${name}`).toArray(), inText)}`,
      )
      .join("\n");
  });
}

/** Bytes as text: a transaction's id as it is spelled, anything else in hex digits. */
function inText(_column: string, value: unknown): unknown {
  if (!(value instanceof ArrayBuffer)) return value;
  return value.byteLength === UUID_BYTES ? idOf(value) : bytesToHex(new Uint8Array(value));
}

/** How many commits the object still owes D1, as far as its instance knows. */
export function outboxLength(company: TestCompany): Promise<number> {
  return inAccount(company.id, async (account) => {
    const { owed } = await account.originals({ transactionIds: [], withdrawIds: [] });
    return owed.entries;
  });
}

/**
 * When the object wakes next, or null: what its alarm stands at once the one has fired that stands
 * now, which may be of an earlier need.
 */
export async function nextAlarmOf(company: TestCompany): Promise<number | null> {
  await runDurableObjectAlarm(companyStub(env, company.id));
  return alarmOf(company);
}

/** When the object's alarm is set to, or null. */
export function alarmOf(company: TestCompany): Promise<number | null> {
  return inAccount(company.id, (_, state) => state.storage.getAlarm());
}
