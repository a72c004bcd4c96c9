import { env, inAccount } from "../../builders/companies/company.ts";
import type { TestCompany } from "../../builders/companies/env.ts";
import { companyTables } from "../../../../src/db/sharding/move/company-tables.ts";
import { dumpD1 } from "./dumps.ts";

/** Days, times as text, plain numbers, and words without a digit: they tell nobody from another. */
const TELLS_NOBODY = /^(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?|\d{1,7}|[^\d]*)$/;
/** Shorter strings with a digit are codes. */
const LENGTH_MIN = 8;
/** The sandbox bank's own number, and where the service is: every company has them. */
const SHARED = /^00000000$|^https:\/\/localhost/;

/** All rows of a company, in its object and in D1, as text. */
export async function rowsOf(companyId: number): Promise<string> {
  const inObject = await inAccount(companyId, (_account, { storage }) =>
    storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray()))
      .join("\n"),
  );
  return `${inObject}\n${await dumpD1(companyId)}`;
}

/**
 * Every string in a company's rows that could tell something of it: values of columns, and the strings inside of
 * structures, that have a digit or one of the marks.
 */
export async function tellingStrings(company: TestCompany, marks: string[]): Promise<string[]> {
  const inObject = await inAccount(company.id, (_account, { storage }) =>
    storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray()
      .flatMap(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray()),
  );
  const tables = await companyTables(env.DB);
  const results = await env.DB.batch(
    tables.map(({ name, companyColumn }) =>
      env.DB.prepare(`SELECT * FROM "${name}" WHERE ${companyColumn} = ?`).bind(company.id),
    ),
  );
  const inD1 = results.flatMap((result) => result.results);
  const strings = [...inObject, ...inD1].flatMap(stringsIn);
  const isTelling = (text: string) =>
    marks.some((mark) => text.includes(mark)) ||
    (text.length >= LENGTH_MIN && !TELLS_NOBODY.test(text) && !SHARED.test(text));
  return [...new Set(strings.filter(isTelling))];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = value.startsWith("{") || value.startsWith("[") ? parsed(value) : null;
    return inner === null ? [value] : stringsIn(inner);
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
