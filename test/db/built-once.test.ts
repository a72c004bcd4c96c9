import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { builtOnce, runOne, type Slots } from "../../src/db/built-once.ts";
import { databaseFor } from "../../src/db/client.ts";
import { companies } from "../../src/db/schema/companies.ts";
import { leads } from "../../src/db/schema/transactions.ts";
import { givenCompany } from "../support/company.ts";
import { env } from "../support/env.ts";

let builds = 0;

const selectName = builtOnce((db, slots: Slots<{ id: number }>) => {
  builds += 1;
  return db.select({ name: companies.name }).from(companies).where(eq(companies.id, slots.id));
});

const setFees = builtOnce((db, slots: Slots<{ id: number; fees: object | null }>) =>
  db
    .update(companies)
    .set({ fees: sql`${sql.param(slots.fees, companies.fees)}` })
    .where(eq(companies.id, slots.id))
    .returning({ fees: companies.fees }),
);

const countLeads = builtOnce((db, slots: Slots<{ id: number }>) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(leads)
    .where(eq(leads.companyId, slots.id)),
);

it("is built at its first use and bound to other values at each", async () => {
  const companiesAsked = [await givenCompany(), await givenCompany()];
  const before = builds;
  for (const { id } of [...companiesAsked, ...companiesAsked]) {
    const db = databaseFor(env, id);
    const [built] = await runOne(db, selectName(db, { id }));
    const [plain] = await db
      .select({ name: companies.name })
      .from(companies)
      .where(eq(companies.id, id));
    expect(built).toEqual(plain);
  }
  expect(builds - before).toBe(1);
});

it("takes a value through its column, and null as it is", async () => {
  const { id } = await givenCompany();
  const db = databaseFor(env, id);
  const fees = { PIX: { fixed: 7 } };
  expect(await runOne(db, setFees(db, { id, fees }))).toEqual([{ fees }]);
  expect(await runOne(db, setFees(db, { id, fees: null }))).toEqual([{ fees: null }]);
});

it("stands in one batch with others, built once or not", async () => {
  const { id } = await givenCompany();
  const db = databaseFor(env, id);
  const [[counted], [company], [again]] = await db.batch([
    countLeads(db, { id }),
    db.select({ id: companies.id }).from(companies).where(eq(companies.id, id)),
    selectName(db, { id }),
  ]);
  expect(counted).toEqual({ count: 0 });
  expect(company).toEqual({ id });
  expect(again?.name).toEqual(expect.any(String));
});

it("refuses to run without one of its values", async () => {
  const db = databaseFor(env, 1);
  const query = selectName(db, { id: undefined as never });
  await expect(runOne(db, query)).rejects.toThrow("a query was given no id");
});
