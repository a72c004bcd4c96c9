import { companyTables } from "../../../src/db/sharding/move/company-tables.ts";
import { env, inAccount } from "../../support/builders/companies/company.ts";
import type { Shop } from "../../support/builders/companies/clocked-shop.ts";

type Row = Record<string, unknown>;

/** Tables about the moves themselves, not about the life. */
const OF_THE_MOVES = new Set(["D1 company_clocks", "object _cf_KV"]);
/** Columns that say who a company is, or hash what does. */
const OF_THE_COMPANY =
  /(^|_)(hash|seal|sealed|version|password|salt|prefix)$|^(company_id|client_id|provider_company_id|client_ids|slug)$/;

/** Fields that are random, or made of a random id, at any depth of a row's JSON. */
const RANDOM = [
  "authorizationCode",
  "barcode",
  "companyId",
  "digitableLine",
  "endToEndId",
  "end_to_end_id",
  "externalNsu",
  "external_nsu",
  "formattedLine",
  "keyPrefix",
  "lead_key",
  "ourNumber",
  "pdfUrl",
  "qrcode",
  "secureId",
  "secure_random",
  "traceId",
  "trace_id",
  "url",
];
const RANDOM_FIELD = new RegExp(
  String.raw`\b(${RANDOM.join("|")})(\\*"):(?:\\*"[^"\\]*\\*"|\d+)`,
  "g",
);

/** Columns that may differ: the builders of a test date by the machine's clock, and each move counts against the quotas. */
const MAY_DIFFER: Record<string, RegExp> = {
  "object company": /^usage_/,
  "D1 companies": /^(id|created_at)$/,
  "D1 applications": /^created_at$/,
  "D1 api_keys": /^(id|created_at|last_used_at)$/,
};

/**
 * All rows that a shop has, in D1 and its object, without what tells one shop from another: ids by what they are of, no
 * hashes.
 */
async function rowsOf(shop: Shop): Promise<Record<string, string[]>> {
  const { id: companyId } = shop.company;
  const ofObject = await inAccount(companyId, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }): [string, Row[]] => [
        `object ${name}`,
        storage.sql.exec(`SELECT * FROM "${name}"`).toArray(),
      ]),
  );
  const tables = await companyTables(env.DB);
  const results = await env.DB.batch<Row>(
    tables.map(({ name, companyColumn }) =>
      env.DB.prepare(`SELECT * FROM "${name}" WHERE ${companyColumn} = ?`).bind(companyId),
    ),
  );
  const inD1 = results.map((result, index): [string, Row[]] => [
    `D1 ${tables[index]?.name}`,
    result.results,
  ]);
  const named = namerOf(shop);
  return Object.fromEntries(
    [...ofObject, ...inD1]
      .filter(([table]) => !OF_THE_MOVES.has(table))
      .map(([table, rows]) => [
        table,
        rows.map((row) => named(textOf(table, row))).toSorted(compare),
      ]),
  );
}

/** The rows that one of two shops has and the other lacks. */
export async function differencesOf(one: Shop, other: Shop): Promise<string[]> {
  const [left, right] = [await rowsOf(one), await rowsOf(other)];
  const missing = (rows: typeof left, others: typeof left, who: string) =>
    Object.keys(rows).flatMap((table) =>
      without(rows[table] ?? [], others[table] ?? []).map((row) => `${table}: only ${who} ${row}`),
    );
  return missing(left, right, "the first has").concat(missing(right, left, "the second has"));
}

/** The rows that are in a list more often than in another. */
function without(rows: string[], others: string[]): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const index = left.indexOf(row);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

function textOf(table: string, row: Row): string {
  const left = MAY_DIFFER[table];
  const shown = Object.entries(row).filter(
    ([column]) => !OF_THE_COMPANY.test(column) && left?.test(column) !== true,
  );
  return JSON.stringify(Object.fromEntries(shown), (_, value: unknown) =>
    value instanceof ArrayBuffer ? "bytes" : value,
  );
}

/** Of payments and their returns at the sandbox's bank: a letter, a time, something random. */
const PAYMENT_ID = /\b[A-Z]\d{8,20}[0-9A-Za-z]{6,}\b/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces the ids of charges by their places, and every other by what it looks like. */
function namerOf({ charges, company }: Shop): (text: string) => string {
  // In an audit's target, an operator's finding and the balance's own id.
  const number = new RegExp(
    String.raw`(?<=company:)${company.id}(?=")|(?<=\\")${company.id}(?=-\d)|(?<="id\\":)${company.id}(?=,\\"companyId\\":random,\\"currency)`,
    "g",
  );
  return (text) => {
    let named = text;
    for (const [index, id] of charges.entries()) {
      named = named.replaceAll(id, `charge ${index}`);
      named = named.replaceAll(id.replaceAll("-", ""), `charge ${index}`);
    }
    return named
      .replaceAll(RANDOM_FIELD, "$1$2:random")
      .replaceAll(number, "own")
      .replaceAll(UUID, "uuid")
      .replaceAll(PAYMENT_ID, "payment")
      .replaceAll(company.clientId, "client");
  };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
