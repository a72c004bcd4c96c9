import { desc, eq, getTableColumns, type SQL } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { databaseFor, directoryOf } from "../../../src/db/client.ts";
import { batch, prepareOnce, type Parameter } from "../../../src/db/prepared-query.ts";
import type { StoredTransaction } from "../../../src/db/projection/transaction-mapper.ts";
import { companies } from "../../../src/db/schema/companies.ts";
import { transactions } from "../../../src/db/schema/transactions.ts";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
} from "../../support/builders/companies/sharded.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { FULL_REQUEST } from "../../support/builders/requests/full-request.ts";

const COLUMNS = getTableColumns(transactions);
type ColumnName = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as ColumnName[];

const selectById = prepareOnce((db, value: Parameter<{ id: string }>) =>
  db
    .select()
    .from(transactions)
    .where(eq(transactions.id, value("id"))),
);
const insertRow = prepareOnce((db, value: Parameter<StoredTransaction>) => {
  const row = NAMES.map((name) => [name, value(name, COLUMNS[name])]);
  return db
    .insert(transactions)
    .values(Object.fromEntries(row) as Record<ColumnName, SQL>)
    .returning();
});
const renameCompany = prepareOnce((db, value: Parameter<{ id: number; name: string }>) =>
  db
    .update(companies)
    .set({ name: value("name") })
    .where(eq(companies.id, value("id")))
    .returning({ name: companies.name }),
);

beforeAll(givenSecondDatabase);

/** A database whose rows no invariant is asked of. */
const spareDatabase = () => directoryOf({ ...env, DB: newIsolate().DB_2 });

/** A row with a value in every column, or with null in each that may have it. */
function rowOf(id: string, isFull: boolean): StoredTransaction {
  const valueOf = (name: ColumnName, index: number): unknown => {
    const { dataType, enumValues, notNull } = COLUMNS[name];
    if (!isFull && !notNull) return null;
    if (dataType === "json") return { none: null, list: [index, "çã", { yes: true }] };
    if (dataType === "boolean") return isFull;
    return dataType === "number" ? index : (enumValues?.[0] ?? `text ${index}`);
  };
  const row = NAMES.map((name, index) => [name, valueOf(name, index)]);
  return { ...(Object.fromEntries(row) as StoredTransaction), id };
}

/** Each column of a row as SQLite has it: its type and its text. */
async function storedRow({ $client }: ReturnType<typeof spareDatabase>, id: string) {
  const shown = Object.values(COLUMNS).map(
    ({ name }) => `typeof(${name}) || ':' || coalesce(${name}, '') AS ${name}`,
  );
  return $client
    .prepare(`SELECT ${shown.join()} FROM transactions WHERE id = ?`)
    .bind(id)
    .first<Record<string, string>>();
}

describe("every column of transactions", () => {
  it.each([
    ["each with a value", true],
    ["null wherever it may be", false],
  ])("is stored and read as drizzle does without preparing: %s", async (id, isFull) => {
    const db = spareDatabase();
    const row = rowOf(id, isFull);
    expect(await insertRow(db, row)).toStrictEqual([row]);
    const byPrepared = await storedRow(db, id);
    const read = await db.select().from(transactions).where(eq(transactions.id, id));
    expect(read).toStrictEqual([row]);
    expect(await selectById(db, { id })).toStrictEqual(read);
    expect(await batch(db, [selectById(db, { id })])).toStrictEqual([read]);

    await db.delete(transactions).where(eq(transactions.id, id));
    await db.insert(transactions).values({ ...row });
    expect(byPrepared).toStrictEqual(await storedRow(db, id));
    expect(Object.values(byPrepared ?? {}).filter((each) => each === "text:null")).toEqual([]);
    await db.delete(transactions).where(eq(transactions.id, id));
  });
});

it("runs of one query at the same time have each its own values", async () => {
  const company = await givenCompany();
  const db = databaseFor(env, company.id);
  const first = await givenTransaction(company, FULL_REQUEST);
  const second = await givenTransaction(company);
  const found = await Promise.all([first, second, first].map(({ id }) => selectById(db, { id })));
  expect(found.map(([row]) => row?.id)).toEqual([first.id, second.id, first.id]);
});

it("a value that looks like SQL stays a value", async () => {
  const company = await givenCompany();
  const db = databaseFor(env, company.id);
  const name = "'; DROP TABLE transactions; --";
  expect(await renameCompany(db, { id: company.id, name })).toEqual([{ name }]);
  expect(await selectById(db, { id: "' OR 1 = 1 --" })).toEqual([]);
});

describe("a batch", () => {
  it("runs prepared queries beside drizzle's own, in order, and answers the rows of each", async () => {
    const company = await givenCompany();
    const db = databaseFor(env, company.id);
    const { id } = await givenTransaction(company);
    const [renamed, named, [row], newest] = await batch(db, [
      renameCompany(db, { id: company.id, name: "Loja" }),
      db.select({ name: companies.name }).from(companies).where(eq(companies.id, company.id)),
      selectById(db, { id }),
      db
        .select({ id: transactions.id })
        .from(transactions)
        .where(eq(transactions.companyId, company.id))
        .orderBy(desc(transactions.seq))
        .limit(1),
    ]);
    expect(renamed).toEqual([{ name: "Loja" }]);
    expect(named).toEqual(renamed);
    expect(newest).toEqual([{ id: row?.id }]);
  });

  it("takes back all of it if one of its queries fails", async () => {
    const company = await givenCompany();
    const db = spareDatabase();
    const row = rowOf(`of company ${company.id}`, true);
    const twice = batch(db, [insertRow(db, row), insertRow(db, row)]);
    await expect(twice).rejects.toThrow("UNIQUE constraint failed");
    expect(await selectById(db, { id: row.id })).toEqual([]);
  });
});

it("a query that was built for one database runs in any other, and follows a company that moves", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, FULL_REQUEST);
  const [before] = await selectById(databaseFor(env, company.id), { id });
  const isolate = newIsolate();
  const routed = databaseFor(isolate, company.id);
  expect(await selectById(routed, { id })).toStrictEqual([before]);
  await moveTo(isolate, company, "DB_2");
  expect(await selectById(databaseFor(env, company.id), { id })).toEqual([]);
  expect(await selectById(spareDatabase(), { id })).toStrictEqual([before]);
  expect(await selectById(routed, { id })).toStrictEqual([before]);
  expect(await batch(routed, [selectById(routed, { id })])).toStrictEqual([[before]]);
});

it("the compiler refuses names, values and encodings that do not fit", () => {
  const db = databaseFor(env, 1);
  prepareOnce((_, value: Parameter<{ id: string; traceable: boolean }>) => {
    // @ts-expect-error -- no such name
    value("ident");
    // @ts-expect-error -- a boolean needs the column that encodes it
    value("traceable");
    // @ts-expect-error -- this column stores text
    value("traceable", transactions.id);
    value("traceable", transactions.traceable);
    return db.select().from(transactions);
  });
  // @ts-expect-error -- a number is no id
  void selectById(db, { id: 1 }).prepare;
  // @ts-expect-error -- the name is missing
  void renameCompany(db, { id: 1 }).prepare;
});
