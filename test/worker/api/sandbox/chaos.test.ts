import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { setChaos } from "../../../support/faults/chaos-run.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";

const PATH = "/api/v1/sandbox/webhooks/chaos";
const NONE = { seed: 0, duplicate: 0, reorder: 0, drop: 0, delay: 0 };

const show = (company: TestCompany): Promise<Answer> => call(PATH, { company });

async function storedOf(company: TestCompany): Promise<any> {
  const stored = await env.DB.prepare("SELECT webhook_chaos AS chaos FROM companies WHERE id = ?")
    .bind(company.id)
    .first<string | null>("chaos");
  return stored === null ? null : JSON.parse(stored);
}

it("chaos is off by default", async () => {
  const company = await givenCompany();
  const answer = await show(company);
  expect(answer.status).toBe(200);
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.body).toStrictEqual(NONE);
});

it.each([
  [{ seed: 2 ** 31 - 1, duplicate: 1, reorder: 1, drop: 1, delay: 3_600 }],
  [{ seed: 1, drop: 0.25 }],
  [{ delay: 5 }],
])("%j is returned and shown in full, and applies to no other company", async (settings) => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const answer = await setChaos(company, settings);
  expect(answer.status).toBe(200);
  await expectDocumented(`PUT ${PATH}`, answer);
  expect(answer.body).toStrictEqual({ ...NONE, ...settings });
  expect((await show(company)).body).toStrictEqual({ ...NONE, ...settings });
  expect((await show(other)).body).toStrictEqual(NONE);
});

it("the run starts at the next event, again with each call", async () => {
  const company = await givenCompany();
  await setChaos(company, { drop: 0.5 });
  expect((await storedOf(company)).after).toBe(0);
  await givenPaid(company, 2_500);
  await givenPaid(company, 2_500);
  await setChaos(company, { drop: 0.5 });
  expect((await storedOf(company)).after).toBe(2);
});

it("all 0 turns chaos off", async () => {
  const company = await givenCompany();
  await setChaos(company, { seed: 1, drop: 0.5 });
  expect((await setChaos(company, {})).body).toStrictEqual(NONE);
  expect(await storedOf(company)).toBeNull();
  expect((await show(company)).body).toStrictEqual(NONE);
});

describe("a rejected request keeps the previous settings", () => {
  it.each([
    ["shares below 0 or above 1", { duplicate: -0.01, reorder: 1.01 }, ["duplicate", "reorder"]],
    ["a share in a string", { drop: "0.5" }, ["drop"]],
    ["a negative delay", { delay: -1 }, ["delay"]],
    ["a delay of more than an hour", { delay: 3_601 }, ["delay"]],
    ["a delay of half a second", { delay: 0.5 }, ["delay"]],
    ["a seed that is too large", { seed: 2 ** 31 }, ["seed"]],
    ["a negative seed", { seed: -1 }, ["seed"]],
    ["a seed in a string", { seed: "7" }, ["seed"]],
  ])("VALIDATION_FAILED: %s", async (_what, body, fields) => {
    const company = await givenCompany();
    await setChaos(company, { seed: 3, drop: 0.5 });
    const answer = await setChaos(company, body);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
    expect((await show(company)).body).toStrictEqual({ ...NONE, seed: 3, drop: 0.5 });
  });

  it("FORBIDDEN: a live company may neither set nor read it", async () => {
    const company = await givenCompany({ mode: "live" });
    for (const answer of [await setChaos(company, { drop: 1 }), await show(company)]) {
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
    expect(await storedOf(company)).toBeNull();
  });

  it("FORBIDDEN: rejects an application with read access only", async () => {
    const company = await givenCompany({ scopes: ["webhooks:read"] });
    await expectProblem(await setChaos(company, { drop: 1 }), { status: 403, code: "FORBIDDEN" });
    expect((await show(company)).status).toBe(200);
  });
});
