import { afterAll, beforeAll, expect, it } from "vitest";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
} from "../../support/builders/companies/company.ts";
import { call } from "../../support/builders/requests/api.ts";
import { evict } from "../../support/faults/object.ts";
import { OPERATOR_CREDENTIALS } from "../../support/builders/companies/operator.ts";
import { TestClock } from "../../support/fakes/clock.ts";

/** What a later migration may add at any time: the code before it runs on until it is replaced. */
const COLUMN = "added_later";
const NEW_TABLE = "CREATE TABLE added_later (id INTEGER PRIMARY KEY, more TEXT NOT NULL) STRICT";

async function tablesOfD1(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' AND name <> 'added_later'`,
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

const alterD1 = async (change: string) =>
  env.DB.batch((await tablesOfD1()).map((name) => env.DB.prepare(`ALTER TABLE ${name} ${change}`)));

beforeAll(async () => {
  await alterD1(`ADD COLUMN ${COLUMN} TEXT NOT NULL DEFAULT 'later'`);
  await env.DB.prepare(NEW_TABLE).run();
});

afterAll(async () => {
  await env.DB.prepare("DROP TABLE added_later").run();
  await alterD1(`DROP COLUMN ${COLUMN}`);
});

it("this code works where newer code has added columns and tables, in databases and in the object", async () => {
  const company = await givenCompany({ balance: 50_000 });
  await inAccount(company.id, (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
      )
      .toArray();
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      storage.sql.exec(`ALTER TABLE ${name} ADD COLUMN ${COLUMN} TEXT NOT NULL DEFAULT 'later'`);
    }
    storage.sql.exec(NEW_TABLE);
  });
  await evict(company, { clock: new TestClock() });
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const options = body === undefined ? { method: "GET" } : { method: "POST", body };
    const answer = await call(path, { company, headers, ...options });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.body;
  };

  const made: { id: string }[] = [];
  for (const paymentMethod of ["PIX", "BOLETO"]) {
    const customer = {
      name: "Maria",
      document: { type: "CPF", number: "52998224725" },
    };
    const body = { amount: 2_500, paymentMethod, customer, externalRef: `ref-${paymentMethod}` };
    made.push((await ask("/api/v1/transactions/create", body)).data);
  }
  const [pix] = made;
  const path = `/api/v1/transactions/${pix!.id}`;
  await ask(`/api/v1/sandbox/transactions/${pix!.id}/pay`, {});
  await ask(`${path}/refund`, { amount: 500 }, { "Idempotency-Key": "refund-1" });
  await ask("/api/Withdraw/request", { amount: 1_000 }, { "Idempotency-Key": "withdraw-1" });
  await waitUntilDrained(company);
  expect((await ask(path)).data).toMatchObject({ status: "PAID", refundedAmount: 500 });
  const lists = [
    "/api/v1/transactions",
    "/api/v1/withdraws",
    "/api/v1/events",
    "/api/v1/webhooks/deliveries",
    "/api/v1/disputes",
    "/api/v1/audit",
    `${path}/timeline`,
    `/api/Balance/balance/${company.id}?currency=BRL`,
    `/api/Balance/statement/${company.id}?currency=BRL`,
    `/api/Balance/forecast/${company.id}?currency=BRL`,
    "/api/v1/reports/daily?from=2026-11-01&to=2026-11-20",
    "/api/v1/company/settings",
    "/api/v1/company/terms",
  ];
  for (const list of lists) await ask(list);
  for (const route of ["companies", "status", "people"]) {
    const operator = await call(`/api/v1/operator/${route}`, { headers: OPERATOR_CREDENTIALS });
    expect(operator.status, route).toBe(200);
  }
});
