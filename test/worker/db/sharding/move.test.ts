import { beforeAll, expect, it } from "vitest";
import { moveCompany } from "../../../../src/db/sharding/migration/migrate.ts";
import { call } from "../../../support/builders/api.ts";
import { givenCompany, env } from "../../../support/builders/company.ts";
import { issueKey } from "../../../support/builders/credentials.ts";
import { homeOf } from "../../../support/builders/home.ts";
import { operate } from "../../../support/builders/operator.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  rowsIn,
  spreadObject,
} from "../../../support/builders/spread.ts";
import { createTransaction, givenPaid, pay } from "../../../support/builders/transaction.ts";

const HOOK = "https://loja.example.com/webhooks";
const THERE = { database: "DB_2", target: null, stage: null, atTable: "", busy: false };

beforeAll(givenSecondDatabase);

async function givenSpreadCompany() {
  const company = await givenCompany({ webhookUrl: HOOK });
  await givenPaid(company, 2_500);
  await spreadObject(company);
  return company;
}

it("a company that moves has every row in its new database and none in the old", async () => {
  const company = await givenSpreadCompany();
  const other = await givenSpreadCompany();
  const isolate = newIsolate();
  const before = await rowsIn("DB", company.id);
  const others = await rowsIn("DB", other.id);
  expect(before).toMatchObject({ transactions: 1, events: 1, applications: 1, api_keys: 1 });

  expect(await moveTo(isolate, company, "DB_2")).toEqual(THERE);

  expect(await rowsIn("DB", company.id)).toEqual({});
  expect(await rowsIn("DB_2", company.id)).toEqual(before);
  expect(await rowsIn("DB", other.id)).toEqual(others);
  expect(await rowsIn("DB_2", other.id)).toEqual({});
});

it("it is charged, paid and listed there as before, and may come back", async () => {
  const company = await givenSpreadCompany();
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

it("another company's key has the number that one of this company's had", async () => {
  const company = await givenSpreadCompany();
  const next = await givenSpreadCompany();
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

it("a key that is revoked after the move is refused at once, by isolates that know the old place too", async () => {
  const company = await givenSpreadCompany();
  const old = newIsolate();
  const path = `/api/Balance/balance/${company.id}?currency=BRL`;
  expect((await call(path, { company, env: old })).status).toBe(200);
  await moveTo(newIsolate(), company, "DB_2");
  expect((await call(path, { company, env: old })).status).toBe(200);

  const home = await homeOf(company.id);
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

it("a client id that nobody has is refused, whatever databases there are", async () => {
  const company = await givenSpreadCompany();
  const credentials = { "X-Client-Id": "app_nobody", "X-API-Key": company.apiKey };
  const answer = await call("/api/Transaction/company/transactions", {
    company: { credentials },
    env: newIsolate(),
  });
  await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
});

it("a move that is aborted leaves everything where it was, and may be begun again", async () => {
  const company = await givenSpreadCompany();
  const isolate = newIsolate();
  const before = await rowsIn("DB", company.id);
  let report = null;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  expect(await rowsIn("DB_2", company.id)).toEqual(before);

  do report = await moveCompany(isolate, company.id, { abort: true }, Date.now);
  while (report.target !== null);

  expect(report.database).toBe("DB");
  expect(await rowsIn("DB", company.id)).toEqual(before);
  expect(await rowsIn("DB_2", company.id)).toEqual({});
  expect((await createTransaction(company, {}, { env: isolate })).status).toBe(200);
  expect(await triggers(company)).toEqual([]);
  expect(await moveTo(isolate, company, "DB_2")).toEqual(THERE);
  expect(await triggers(company)).toEqual([]);
});

it("the operator moves a company over HTTP, and is told what cannot be", async () => {
  const company = await givenSpreadCompany();
  const isolate = newIsolate();
  const path = `/companies/${company.id}/move`;
  const move = (body: object) => operate(path, { method: "POST", body, env: isolate });
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
  expect(last.body).toEqual(THERE);
  const unknown = await operate("/companies/9999999/move", { body: { to: "DB_2" }, env: isolate });
  await expectProblem(unknown, { status: 404, code: "NOT_FOUND" });
});

it("a turn that somebody is at is left to them until its time is up", async () => {
  const company = await givenSpreadCompany();
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
