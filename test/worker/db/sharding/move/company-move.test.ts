import { beforeAll, expect, it } from "vitest";
import { moveCompany } from "../../../../../src/db/sharding/move/move-company.ts";
import { countOpenWork } from "../../../../../src/db/watch/totals.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { givenCompany, env } from "../../../../support/builders/companies/company.ts";
import { issueKey } from "../../../../support/builders/companies/credentials.ts";
import { shardOf, rowCountsIn } from "../../../../support/probes/database/shards.ts";
import { givenCashierCharge } from "../../../../support/builders/console/counter.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../../../support/builders/companies/sharded.ts";
import {
  createTransaction,
  givenPaid,
  pay,
} from "../../../../support/builders/charges/transaction.ts";

const HOOK = "https://loja.example.com/webhooks";
const TARGET_SHARD = { database: "DB_2", target: null, stage: null, atTable: "", busy: false };

beforeAll(givenSecondDatabase);

async function givenShardedCompany() {
  const company = await givenCompany({ webhookUrl: HOOK });
  await givenPaid(company, 2_500);
  await useShards(company);
  return company;
}

it("a moved company has all rows in its new shard and none in the old shard", async () => {
  const company = await givenShardedCompany();
  const other = await givenShardedCompany();
  const isolate = newIsolate();
  const before = await rowCountsIn("DB", company.id);
  const others = await rowCountsIn("DB", other.id);
  expect(before).toMatchObject({ transactions: 1, events: 1, applications: 1, api_keys: 1 });

  expect(await moveTo(isolate, company, "DB_2")).toEqual(TARGET_SHARD);

  expect(await rowCountsIn("DB", company.id)).toEqual({});
  expect(await rowCountsIn("DB_2", company.id)).toEqual(before);
  expect(await rowCountsIn("DB", other.id)).toEqual(others);
  expect(await rowCountsIn("DB_2", other.id)).toEqual({});
});

it("cashiers' shifts move with their company, and its people stay in the directory", async () => {
  const company = await givenShardedCompany();
  await givenCashierCharge(company);
  const { memberships, ...before } = await rowCountsIn("DB", company.id);
  expect(before).toMatchObject({ cashier_shifts: 1, cashier_charges: 1 });
  await moveTo(newIsolate(), company, "DB_2");
  expect(await rowCountsIn("DB", company.id)).toEqual({ memberships });
  expect(await rowCountsIn("DB_2", company.id)).toEqual(before);
});

it("a moved company can charge, be paid, be listed and move back", async () => {
  const company = await givenShardedCompany();
  const isolate = newIsolate();
  for (const [home, total] of [
    ["DB_2", 2],
    ["DB", 3],
    ["DB_2", 4],
  ] as const) {
    await moveTo(isolate, company, home);
    const created = await createTransaction(company, {}, { env: isolate });
    expect(created.status).toBe(200);
    const { id } = created.body.data;
    expect((await pay(company, id, undefined, { env: isolate })).status).toBe(200);
    const path = "/api/Transaction/company/transactions?page=1&pageSize=10";
    const list = await call(path, { company, env: newIsolate() });
    expect(list.body.res).toMatchObject({ totalItems: total });
    expect(JSON.stringify(list.body.res.items[0])).toContain(id);
  }
});

it("a key keeps working although the target shard already uses its number", async () => {
  const company = await givenShardedCompany();
  const next = await givenShardedCompany();
  const isolate = newIsolate();
  await moveTo(isolate, company, "DB_2");
  // Its number is free again in the first database, and given to the next key.
  const key = await issueKey(next);
  await moveTo(isolate, next, "DB_2");
  const credentials = { "X-Client-Id": next.clientId, "X-API-Key": key };
  const path = `/api/Balance/balance/${next.id}?currency=BRL`;
  expect((await call(path, { company: { credentials }, env: isolate })).status).toBe(200);
  expect((await call(path, { company: next, env: isolate })).status).toBe(200);
});

it("a key revoked after the move is rejected at once, also by isolates that cached the old shard", async () => {
  const company = await givenShardedCompany();
  const old = newIsolate();
  const path = `/api/Balance/balance/${company.id}?currency=BRL`;
  expect((await call(path, { company, env: old })).status).toBe(200);
  await moveTo(newIsolate(), company, "DB_2");
  expect((await call(path, { company, env: old })).status).toBe(200);

  const home = await shardOf(company.id);
  await home
    .prepare("UPDATE api_keys SET revoked_at = 1 WHERE company_id = ?")
    .bind(company.id)
    .run();

  for (const isolate of [old, newIsolate()]) {
    await expectProblem(await call(path, { company, env: isolate }), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
  }
});

it("open work is counted once at each stage of a move", async () => {
  const company = await givenShardedCompany();
  await createTransaction(company);
  const isolate = newIsolate();
  const before = await countOpenWork(isolate);
  let stage: string | null;
  do {
    ({ stage } = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now));
    expect(await countOpenWork(isolate), String(stage)).toEqual(before);
  } while (stage !== null);
});

it("an unknown client id is rejected in every shard", async () => {
  const company = await givenShardedCompany();
  const credentials = { "X-Client-Id": "app_nobody", "X-API-Key": company.apiKey };
  const answer = await call("/api/Transaction/company/transactions", {
    company: { credentials },
    env: newIsolate(),
  });
  await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
});

it("a rolled-back move leaves everything in place and can be started again", async () => {
  const company = await givenShardedCompany();
  const isolate = newIsolate();
  const before = await rowCountsIn("DB", company.id);
  let report = null;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  expect(await rowCountsIn("DB_2", company.id)).toEqual(before);

  do report = await moveCompany(isolate, company.id, { abort: true }, Date.now);
  while (report.target !== null);

  expect(report.database).toBe("DB");
  expect(await rowCountsIn("DB", company.id)).toEqual(before);
  expect(await rowCountsIn("DB_2", company.id)).toEqual({});
  expect((await createTransaction(company, {}, { env: isolate })).status).toBe(200);
  expect(await triggers(company)).toEqual([]);
  expect(await moveTo(isolate, company, "DB_2")).toEqual(TARGET_SHARD);
  expect(await triggers(company)).toEqual([]);
});

it("the operator moves a company over HTTP and gets clear errors for invalid requests", async () => {
  const company = await givenShardedCompany();
  const isolate = newIsolate();
  const path = `/companies/${company.id}/move`;
  const move = (body: object) => callAsOperator(path, { method: "POST", body, env: isolate });
  await expectProblem(await move({ to: "DB_9" }), { status: 409, code: "INVALID_STATE" });
  await expectProblem(await move({ abort: true }), { status: 409, code: "INVALID_STATE" });
  await expectProblem(await move({}), { status: 400, code: "VALIDATION_FAILED", fields: ["body"] });
  expect((await move({ to: "DB" })).body).toMatchObject({ database: "DB", target: null });
  expect((await move({ to: "DB_2" })).body).toMatchObject({ database: "DB", target: "DB_2" });
  await expectProblem(await move({ to: "DB" }), { status: 409, code: "INVALID_STATE" });
  let last = await move({ to: "DB_2" });
  while (last.body.target !== null) {
    if (last.body.stage === "clearing") {
      await expectProblem(await move({ abort: true }), { status: 409, code: "INVALID_STATE" });
    }
    last = await move({ to: "DB_2" });
  }
  expect(last.body).toEqual(TARGET_SHARD);
  const unknown = await callAsOperator("/companies/9999999/move", {
    body: { to: "DB_2" },
    env: isolate,
  });
  await expectProblem(unknown, { status: 404, code: "NOT_FOUND" });
});

it("a step lease stays with its holder until it expires", async () => {
  const company = await givenShardedCompany();
  const isolate = newIsolate();
  await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  await env.DB.prepare("UPDATE placements SET lease_until = ? WHERE company_id = ?")
    .bind(Date.now() + 10_000, company.id)
    .run();
  const busy = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  expect(busy).toMatchObject({ busy: true, stage: "copying" });
  const later = await moveCompany(isolate, company.id, { to: "DB_2" }, () => Date.now() + 20_000);
  expect(later).toMatchObject({ busy: false, stage: "comparing" });
});

async function triggers({ id }: { id: number }) {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB ?",
  )
    .bind(`moving_${id}_*`)
    .all();
  return results;
}
