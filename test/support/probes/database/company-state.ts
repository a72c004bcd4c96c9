import { companyTables } from "../../../../src/db/sharding/move/company-tables.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import { env, inAccount, type TestCompany } from "../../builders/companies/company.ts";

/** Tables of the directory with rows of companies. */
const DIRECTORY = ["clients", "pix_keys", "placements", "fences"];

/** A hash of each table's rows of one company, in D1 and in its object. */
export type State = Record<string, string>;

/** The company's state. Its outbox is drained first, and its alarm is cleared, so that nothing changes by itself. */
export async function stateOf(company: TestCompany): Promise<State> {
  const texts = await inAccount(company.id, async (account, { storage }) => {
    await account.runNow();
    await storage.deleteAlarm();
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray();
    return tables.map(({ name }): [string, string] => [
      `object ${name}`,
      JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray(), asText),
    ]);
  });
  const tables = [
    ...(await companyTables(env.DB)),
    ...DIRECTORY.map((name) => ({ name, companyColumn: "company_id" })),
  ];
  const results = await env.DB.batch(
    tables.map(({ name, companyColumn }) =>
      env.DB.prepare(`SELECT * FROM "${name}" WHERE ${companyColumn} = ?`).bind(company.id),
    ),
  );
  results.forEach((result, index) =>
    texts.push([`D1 ${tables[index]!.name}`, JSON.stringify(result.results)]),
  );
  return Object.fromEntries(
    await Promise.all(texts.map(async ([name, text]) => [name, await sha256Hex(text)] as const)),
  );
}

/** The tables that differ. */
export function changedTables(before: State, after: State): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
}

function asText(_name: string, value: unknown): unknown {
  return value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value;
}
