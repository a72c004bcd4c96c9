import { expect, it } from "vitest";
import { callsTo } from "../support/builders/companies/calls.ts";
import { SCOPES } from "../../src/domain/shared/company.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import { givenCompany, inAccount } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSession } from "../support/builders/console/people.ts";
import { postAsPerson } from "../support/builders/operations/as-person.ts";
import { TEST_CAUSE } from "../support/builders/operations/decide.ts";
import { call } from "../support/builders/requests/api.ts";
import { changeSettings, HOUR_MS } from "../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../support/builders/withdraws/withdraw.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const UNTOUCHED = { available: 5_000 };

it("a withdraw needs its own scope, whatever else a key may do", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const scopes = SCOPES.filter((scope) => scope !== "withdraws:write");
  const other = await givenApplication(company, { scopes });
  await expectProblem(await requestWithdraw(other), { status: 403, code: "FORBIDDEN" });
  expect(await accountsOf(company)).toMatchObject(UNTOUCHED);
});

it("two equal withdraws without a key move nothing", async () => {
  const company = await givenCompany({ balance: 5_000 });
  for (const _time of [1, 2]) {
    const answer = await call("/api/Withdraw/request", { company, body: { amount: 1_000 } });
    await expectProblem(answer, {
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
      fields: ["Idempotency-Key"],
    });
  }
  expect(await accountsOf(company)).toMatchObject(UNTOUCHED);
});

it("who asked, by which key, is in the object's row and in the record", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { body } = await requestWithdraw(company);
  const requestedBy = { kind: "application", id: company.clientId };
  expect(body).toMatchObject({ requestedBy });
  const shown = await call(`/api/Withdraw/${body.id}`, { company });
  expect(shown.body).toMatchObject({ requestedBy });
  expect(shown.body.requestedBy).not.toHaveProperty("keyPrefix");
  const row = await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec<{ requester: string }>("SELECT requester FROM withdraws").one(),
  );
  const { keyPrefix, ...requester } = JSON.parse(row.requester);
  expect(requester).toMatchObject(requestedBy);
  expect(keyPrefix.length).toBeGreaterThan(0);
  expect(company.apiKey.startsWith(keyPrefix)).toBe(true);
});

it("a person's withdraw is in the trail, too", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const body = { amount: 1_000 };
  const asked = await postAsPerson(company, "/api/Withdraw/request", { role: "owner", body });
  expect(asked.body).toMatchObject({ requestedBy: { kind: "person" } });
  const { items } = (await call("/api/v1/audit", { company })).body;
  expect(items.at(-1)).toMatchObject({
    action: "withdraw.request",
    actor: { kind: "person" },
    after: { amount: 1_000 },
  });
});

it("a frozen company's withdraws are refused, and those that wait are not sent", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { body } = await requestWithdraw(company);
  const object = callsTo(company.id);
  await object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
  await expectProblem(await requestWithdraw(company), { status: 422, code: "COMPANY_FROZEN" });
  const bank = new FakeBank();
  await runPayout(company, body.id, bank.registry()).catch(() => undefined);
  expect(bank.sentPayouts).toEqual([]);
  await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
});

it("limits of a day hold for all callers together", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await changeSettings(company, { withdrawDailyLimit: 1_999 });
  const other = await givenApplication(company);
  expect((await requestWithdraw(company)).status).toBe(201);
  const { status, body } = await requestWithdraw(other);
  expect([status, body.code, body.usedCents]).toEqual([422, "DAILY_LIMIT_EXCEEDED", 1_000]);
});

it("the console asks for the second factor again", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const nowMs = Date.now() - HOUR_MS;
  const browser = new Browser(await givenSession(company, "owner", { nowMs }));
  const form = { idempotencyKey: "k", amount: "10,00" };
  const page = await browser.ask("/console/withdraws", { form });
  expect(page.status).toBe(401);
  expect(page.html).toContain('name="keptForm"');
  expect(await accountsOf(company)).toMatchObject(UNTOUCHED);
});
