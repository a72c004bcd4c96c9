import { TEST_CAUSE } from "../support/builders/operations/decide.ts";
import { describe, expect, it } from "vitest";
import { callsTo } from "../support/builders/companies/calls.ts";
import {
  decide,
  listUnexpected,
  newestUnexpected,
  setRules,
  UNEXPECTED,
} from "../support/builders/charges/unexpected.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSession } from "../support/builders/console/people.ts";
import { claimOperation, runOperation } from "../support/builders/operations/object-operations.ts";
import { refund } from "../support/builders/operations/refund.ts";
import { call } from "../support/builders/requests/api.ts";
import { changeSettings } from "../support/builders/withdraws/approvals.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

const HOUR_MS = 3_600_000;
const PATH = "/api/v1/payments/unexpected";

const approve = (company: TestCompany, id: string, decision = "approve") =>
  call(`/api/v1/refunds/${id}/${decision}`, { method: "POST", company });
const waitingOf = async (company: TestCompany): Promise<any[]> =>
  (await call("/api/v1/refunds?approval=pending", { company })).body.items;

/** A company with a kept payment of R$ 9.00. */
async function givenKept(settings: object = {}) {
  const company = await givenCompany();
  await setRules(company, { NO_CHARGE: "keep" });
  if (Object.keys(settings).length > 0) await changeSettings(company, { ...settings });
  await UNEXPECTED.NO_CHARGE(company);
  const { id } = await newestUnexpected(company);
  return { company, id: id as string };
}

it.each(["return", "credit"])("IDEMPOTENCY_KEY_REQUIRED: a %s without a key", async (action) => {
  const { company, id } = await givenKept();
  const { status, body } = await call(`${PATH}/${id}/${action}`, { method: "POST", company });
  expect([status, body.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
  expect(await newestUnexpected(company)).toMatchObject({ status: "kept", requestedBy: null });
});

describe("who asked", () => {
  it.each(["return", "credit"] as const)("for a %s is shown and in the trail", async (action) => {
    const { company, id } = await givenKept();
    expect((await decide(company, id, action)).status).toBe(200);
    expect(await newestUnexpected(company)).toMatchObject({
      requestedBy: { kind: "application", id: company.clientId },
      approval: "none",
    });
    const { items } = (await call("/api/v1/audit", { company })).body;
    expect(items.at(-1)).toMatchObject({
      action: `payment.${action}`,
      target: `payment:${id}`,
      after: { amount: 900 },
    });
  });

  it("is the rule where a rule returned it", async () => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "return" });
    await UNEXPECTED.NO_CHARGE(company);
    expect(await newestUnexpected(company)).toMatchObject({
      requestedBy: { kind: "rule", id: "NO_CHARGE", name: "unexpectedPayments.NO_CHARGE" },
    });
  });
});

describe("REFUND_LIMIT_EXCEEDED", () => {
  it("counts refunds and returns of a day together, but not what a rule returned", async () => {
    const { company, id } = await givenKept({ refundDailyLimit: 1_000 });
    await setRules(company, { NO_CHARGE: "return" });
    await UNEXPECTED.NO_CHARGE(company);
    const { id: paid } = await givenPaid(company, 2_500);
    expect((await refund(company, paid, 101)).status).toBe(200);
    const { status, body } = await decide(company, id, "return");
    expect([status, body.code, body.usedCents]).toEqual([422, "REFUND_LIMIT_EXCEEDED", 101]);
    expect(await listUnexpected(company, "?status=kept")).toHaveLength(1);
    // A credit takes nothing out.
    expect((await decide(company, id, "credit")).status).toBe(200);
  });
});

describe("refundApprovalAbove", () => {
  it("lets a return wait until another approves it; nobody credits it meanwhile", async () => {
    const { company, id } = await givenKept({ refundApprovalAbove: 899 });
    const asked = await decide(company, id, "return");
    expect(asked.status).toBe(202);
    const [waiting] = await waitingOf(company);
    expect(waiting).toMatchObject({ kind: "return", paymentId: id, amount: 900 });
    expect(await newestUnexpected(company)).toMatchObject({
      status: "returning",
      approval: "pending",
    });
    expect((await decide(company, id, "credit")).status).toBe(409);
    expect((await decide(company, id, "return")).status).toBe(202);
    expect((await approve(company, waiting.id)).status).toBe(403);
    const approver = await givenApplication(company);
    expect((await approve(approver, waiting.id)).body.data.approval).toBe("approved");
    expect(await newestUnexpected(company)).toMatchObject({
      status: "returned",
      approval: "approved",
    });
    expect(await accountsOf(company)).toMatchObject({ suspense: 0 });
  });

  it("keeps a payment whose return was refused, so that it can be credited", async () => {
    const { company, id } = await givenKept({ refundApprovalAbove: 0 });
    await decide(company, id, "return");
    const [waiting] = await waitingOf(company);
    const approver = await givenApplication(company);
    expect((await approve(approver, waiting.id, "refuse")).status).toBe(200);
    expect(await newestUnexpected(company)).toMatchObject({ status: "kept", approval: "refused" });
    expect((await decide(company, id, "credit")).status).toBe(200);
  });
});

describe("COMPANY_FROZEN", () => {
  it.each(["return", "credit"] as const)("no caller gets a %s", async (action) => {
    const { company, id } = await givenKept();
    await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    const { status, body } = await decide(company, id, action);
    expect([status, body.code]).toEqual([422, "COMPANY_FROZEN"]);
    await callsTo(company.id).setFrozen({
      companyId: company.id,
      change: false,
      cause: TEST_CAUSE,
    });
  });

  it("a rule's return is sent once the company is not frozen any more", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await setRules(company, { NO_CHARGE: "return" });
    await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    await UNEXPECTED.NO_CHARGE(company);
    expect(await newestUnexpected(company)).toMatchObject({ status: "returning" });
    clock.advance(HOUR_MS);
    expect((await claimOperation(company)).kind).toBe("wait");
    await callsTo(company.id).setFrozen({
      companyId: company.id,
      change: false,
      cause: TEST_CAUSE,
    });
    const bank = new FakeBank();
    await runOperation(company, bank, clock);
    expect(bank.sentRefunds).toHaveLength(1);
    expect(bank.refundLookups).toEqual([]);
    await waitUntilDrained(company);
    expect(await newestUnexpected(company)).toMatchObject({ status: "returned" });
  });
});

it("the console asks for the second factor again before a return and a credit", async () => {
  const { company, id } = await givenKept();
  const nowMs = Date.now() - HOUR_MS;
  const browser = new Browser(await givenSession(company, "owner", { nowMs }));
  for (const action of ["return", "credit"]) {
    const path = `/console/unexpected-payments/${id}/${action}`;
    const page = await browser.ask(path, { form: { idempotencyKey: "k" } });
    expect(page.status).toBe(401);
    expect(page.html).toContain('name="keptForm"');
  }
  expect(await newestUnexpected(company)).toMatchObject({ status: "kept" });
});
