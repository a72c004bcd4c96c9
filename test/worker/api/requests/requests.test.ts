import { beforeAll, expect, it } from "vitest";
import { givenManyTransactions } from "../../../support/builders/charges/many-transactions.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  env as testEnv,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/requests";
/** 500 charges, the search for where they begin, and the credentials. */
const READ_MAX = 700;

let company: TestCompany;

const traceOf = (answer: { headers: Headers }) => answer.headers.get("X-Trace-Id")!;
const find = (traceId: string, by = company, query = "") =>
  call(`${PATH}/${traceId}${query}`, { company: by });

beforeAll(async () => {
  company = await givenCompany();
});

it("a trace id tells what its request did: a charge made, settings changed and refused", async () => {
  const created = await createTransaction(company, { amount: 1_000, paymentMethod: "PIX" });
  const charge = await find(traceOf(created));
  await expectDocumented(`GET ${PATH}/{traceId}`, charge);
  expect(charge.body.data).toMatchObject({ traceId: traceOf(created), searchedFrom: null });
  expect(charge.body.data.items).toEqual([
    {
      at: expect.any(String),
      traceId: traceOf(created),
      action: "transaction.create",
      target: `transaction:${created.body.data.id}`,
      actor: null,
      code: null,
    },
  ]);
  const key = { name: "ERP", scopes: ["keys:write"] };
  const made = await call("/api/v1/applications", { company, body: key });
  const [step] = (await find(traceOf(made).toUpperCase())).body.data.items;
  expect(step).toMatchObject({ action: "application.create", actor: { kind: "application" } });
  const list = await call(PATH, { company });
  await expectDocumented(`GET ${PATH}`, list);
  expect(list.body.items.map(({ traceId }: { traceId: string }) => traceId)).toEqual(
    expect.arrayContaining([traceOf(made), traceOf(created)]),
  );
});

it("a replay finds the first request's charge under the first trace id only", async () => {
  const key = { key: "requests_replay" };
  const request = { amount: 1_000, paymentMethod: "PIX" };
  const first = await createTransaction(company, request, key);
  const again = await createTransaction(company, request, key);
  expect((await find(traceOf(first))).body.data.items).toHaveLength(1);
  expect((await find(traceOf(again))).body.data.items).toEqual([]);
});

it("nothing is found of another company's request", async () => {
  const created = await createTransaction(company, { amount: 1_000, paymentMethod: "PIX" });
  const other = await givenCompany();
  expect((await find(traceOf(created), other)).body.data.items).toEqual([]);
  expect((await call(PATH, { company: other })).body.items).toEqual([]);
});

it("VALIDATION_FAILED: a text that is no trace id", async () => {
  await expectProblem(await find("order-7"), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["traceId"],
  });
});

it("a call reads a bounded part of many charges, and the next goes on where it stopped", async () => {
  const large = await givenCompany();
  await givenManyTransactions(large, { many: 1_200 });
  const traceId = "5".repeat(32);
  await testEnv.DB.prepare(
    "UPDATE transactions SET trace_id = ? WHERE company_id = ? AND seq = 100",
  )
    .bind(traceId, large.id)
    .run();
  const counts: number[] = [];
  let rowsRead = 0;
  const env = withDatabase({ after: (_sql, rows) => (rowsRead += rows) });
  let query = "";
  for (let calls = 1; calls <= 3; calls += 1) {
    rowsRead = 0;
    const { data } = (await call(`${PATH}/${traceId}${query}`, { company: large, env })).body;
    expect(rowsRead).toBeLessThanOrEqual(READ_MAX);
    counts.push(data.items.length);
    query = `?to=${data.searchedFrom}`;
  }
  expect(counts).toEqual([0, 0, 1]);
  expect(query).toBe("?to=null");
});
