import { TEST_CAUSE } from "../support/builders/operations/decide.ts";
import { describe, expect, it } from "vitest";
import { callsTo } from "../support/builders/companies/calls.ts";
import { startOfNextDay } from "../../src/domain/shared/business-day.ts";
import { isoTime } from "../../src/domain/shared/clock.ts";
import { SCOPES } from "../../src/domain/shared/company.ts";
import { givenAuthorized } from "../support/builders/charges/card.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { givenApplication, limitRefunds } from "../support/builders/companies/application.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { postAsPerson } from "../support/builders/operations/as-person.ts";
import { depsWithBank, settleRefunds, REFUSED } from "../support/builders/operations/operations.ts";
import { claimOperation } from "../support/builders/operations/object-operations.ts";
import { capture, refund } from "../support/builders/operations/refund.ts";
import { call } from "../support/builders/requests/api.ts";
import { requestWithdraw } from "../support/builders/withdraws/withdraw.ts";
import { changeSettings } from "../support/builders/withdraws/approvals.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";
import { expectProblem } from "../support/probes/http/problem.ts";

const HOUR_MS = 3_600_000;
const APPROVAL_MS = 72 * HOUR_MS;

const refundsOf = async (company: TestCompany, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data.refunds ?? [];
const waitingOf = async (company: TestCompany) =>
  (await call("/api/v1/refunds?approval=pending", { company })).body.items;
const decide = (
  company: TestCompany,
  id: string,
  decision: "approve" | "refuse",
  options: Parameters<typeof call>[1] = {},
) => call(`/api/v1/refunds/${id}/${decision}`, { method: "POST", company, ...options });
const actionsOf = async (company: TestCompany): Promise<any[]> =>
  (await call("/api/v1/audit?limit=50", { company })).body.items.toReversed();

/** A company whose refunds above R$ 10.00 a day wait; a refund of R$ 15.00 of R$ 100.00 waits. */
async function givenWaiting() {
  const clock = new TestClock();
  const deps = { platformClock: clock };
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 10_000);
  await changeSettings(company, { refundApprovalAbove: 1_000 });
  const asked = await refund(company, id, 1_500, { deps });
  const approver = await givenApplication(company);
  return { clock, deps, company, approver, id, asked, refundId: asked.body.data.refunds[0].id };
}

describe("IDEMPOTENCY_KEY_REQUIRED", () => {
  it("two equal refunds without a key move nothing", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    for (const _time of [1, 2]) {
      const path = `/api/v1/transactions/${id}/refund`;
      await expectProblem(await call(path, { company, body: { amount: 100 } }), {
        status: 400,
        code: "IDEMPOTENCY_KEY_REQUIRED",
        fields: ["Idempotency-Key"],
      });
    }
    expect(await refundsOf(company, id)).toEqual([]);
  });

  it("nor does a capture", async () => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    const path = `/api/v1/transactions/${id}/capture`;
    expect((await call(path, { company, method: "POST" })).body.code).toBe(
      "IDEMPOTENCY_KEY_REQUIRED",
    );
  });
});

it("VALIDATION_FAILED: an amount that was NaN refunds and captures nothing", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const refused = await refund(company, id, Number.NaN);
  await expectProblem(refused, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
  expect(refused.body.errors.amount[0]).toContain("leave it out to refund the rest");
  expect(await refundsOf(company, id)).toEqual([]);
  const { id: authorized } = await givenAuthorized(company);
  const { status, body } = await capture(company, authorized, Number.NaN);
  expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"]);
});

it("FORBIDDEN: a key that makes charges does not refund them without refunds:write", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const scopes = SCOPES.filter((scope) => scope !== "refunds:write");
  const shop = await givenApplication(company, { scopes });
  // Its scopes were stored under the list of now: an older one would keep what it could do.
  await env.DB.prepare("UPDATE applications SET scopes_version = 1 WHERE client_id = ?")
    .bind(shop.clientId)
    .run();
  expect((await refund(shop, id, 100)).status).toBe(403);
});

describe("a refund shows and stores who asked", () => {
  it("in the transaction, in its audit entry, and in the entry of a refusal", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 400);
    await refund(company, id, 9_000);
    expect(await refundsOf(company, id)).toMatchObject([
      {
        requestedBy: { kind: "application", id: company.clientId },
        approval: "none",
        decidedBy: null,
      },
    ]);
    const entries = (await actionsOf(company)).filter(({ action }) =>
      action.startsWith("transaction.refund"),
    );
    expect(entries).toMatchObject([
      { action: "transaction.refund.refused", reason: "REFUND_EXCEEDS_PAID" },
      { action: "transaction.refund", after: { amount: 9_000 } },
      {
        action: "transaction.refund",
        target: `transaction:${id}`,
        after: { amount: 400 },
        actor: { kind: "application", id: company.clientId },
      },
    ]);
  });

  it("also where the provider refuses it", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const bank = new FakeBank();
    bank.onRefund = async () => REFUSED;
    expect((await refund(company, id, 400, { deps: depsWithBank(bank) })).status).toBe(422);
    expect((await actionsOf(company))[0]).toMatchObject({
      action: "transaction.refund.refused",
      reason: "REFUND_REFUSED",
    });
  });
});

describe("REFUND_LIMIT_EXCEEDED: a day's limit", () => {
  it("of the company holds for everybody together, until midnight of São Paulo", async () => {
    const clock = new TestClock();
    const midnight = startOfNextDay(clock.now());
    clock.advance(midnight - clock.now() - HOUR_MS / 2);
    const company = await givenCompany({ clock });
    const options = { deps: { platformClock: clock } };
    const { id } = await givenPaid(company, 10_000);
    await changeSettings(company, { refundDailyLimit: 1_000 });
    expect((await refund(company, id, 600, options)).status).toBe(200);
    const other = await givenApplication(company);
    const above = await refund(other, id, 401, options);
    expect(above.status).toBe(422);
    expect(above.body).toMatchObject({
      code: "REFUND_LIMIT_EXCEEDED",
      rule: "refundDailyLimit",
      limitCents: 1_000,
      usedCents: 600,
      possibleFrom: isoTime(midnight),
    });
    expect((await refund(other, id, 1_001, options)).body.possibleFrom).toBeUndefined();
    clock.advance(HOUR_MS);
    expect((await refund(other, id, 1_000, options)).status).toBe(200);
    expect((await refund(company, id, 1, options)).status).toBe(422);
  });

  it("of an application holds for it alone, also where the company's leaves more", async () => {
    const company = await givenCompany();
    await changeSettings(company, { refundDailyLimit: 9_000 });
    const { id } = await givenPaid(company, 10_000);
    const limited = await givenApplication(company);
    await limitRefunds(limited, 500);
    expect((await refund(limited, id, 500)).status).toBe(200);
    const { body } = await refund(limited, id, 1);
    expect(body).toMatchObject({ code: "REFUND_LIMIT_EXCEEDED", usedCents: 500 });
    expect((await refund(company, id, 1)).status).toBe(200);
  });

  it("of a role holds for each person of it", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 200_000);
    const path = `/api/v1/transactions/${id}/refund`;
    const by = (userId: string, amount: number) =>
      postAsPerson(company, path, { role: "support", userId, body: { amount } });
    expect((await by("ana", 50_000)).status).toBe(200);
    expect((await by("ana", 1)).body.rule).toBe("roleLimits.support.refundDailyLimit");
    expect((await by("bia", 50_000)).status).toBe(200);
  });

  it("gets back what a refund did not move", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 10_000);
    await changeSettings(company, { refundDailyLimit: 1_000 });
    const bank = new FakeBank();
    bank.onRefund = async () => REFUSED;
    expect((await refund(company, id, 1_000, { deps: depsWithBank(bank) })).status).toBe(422);
    expect((await refund(company, id, 1_000)).status).toBe(200);
  });
});

describe("refundApprovalAbove", () => {
  it("lets one refund just below it pass, not eight: the money of the others waits", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 10_000);
    await changeSettings(company, { refundApprovalAbove: 1_000 });
    const answers = [];
    for (const _time of Array.from({ length: 8 })) answers.push(await refund(company, id, 999));
    expect(answers.map(({ status }) => status)).toEqual([200, ...Array(7).fill(202)]);
    expect(await waitingOf(company)).toHaveLength(7);
    expect(await accountsOf(company)).toMatchObject({ available: 2_008, blocked: 6_993 });
    // A second one that fits beside the first passes: what waits is not sent yet.
    expect((await refund(company, id, 1)).status).toBe(200);
  });

  it("is not passed by who asked, by who has no right to approve, or by a key that who asked made", async () => {
    const { company, deps, refundId } = await givenWaiting();
    const own = await decide(company, refundId, "approve", { deps });
    expect([own.status, own.body.code]).toEqual([403, "FORBIDDEN"]);
    expect(own.body.detail).toContain("Whoever asked");
    const scopes = SCOPES.filter((scope) => scope !== "withdraws:approve");
    const without = await givenApplication(company, { scopes });
    await env.DB.prepare("UPDATE applications SET scopes_version = 1 WHERE client_id = ?")
      .bind(without.clientId)
      .run();
    expect((await decide(without, refundId, "approve", { deps })).status).toBe(403);
    const made = await givenApplication(company);
    await env.DB.prepare(
      "UPDATE applications SET given_at = 1, given_by = json_array(?) WHERE client_id = ?",
    )
      .bind(company.clientId, made.clientId)
      .run();
    const tied = await decide(made, refundId, "approve", { deps });
    expect([tied.status, tied.body.code]).toEqual([403, "FORBIDDEN"]);
    const young = await givenApplication(company);
    await env.DB.prepare("UPDATE applications SET given_at = ? WHERE client_id = ?")
      .bind(deps.platformClock.now() + 1, young.clientId)
      .run();
    expect((await decide(young, refundId, "approve", { deps })).body.detail).toContain("younger");
    expect(await accountsOf(company)).toMatchObject({ available: 8_500, blocked: 1_500 });
  });

  it("is passed by another's approval, which sends it once and is in the trail", async () => {
    const { company, deps, approver, asked, id, refundId } = await givenWaiting();
    expect(asked.status).toBe(202);
    expect(asked.body.data.refunds).toMatchObject([{ status: "PENDING", approval: "pending" }]);
    const first = await decide(approver, refundId, "approve", { deps });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      id: refundId,
      approval: "approved",
      requestedBy: { id: company.clientId },
      decidedBy: { kind: "application", id: approver.clientId },
    });
    expect((await decide(approver, refundId, "approve", { deps })).status).toBe(409);
    expect(await refundsOf(company, id)).toMatchObject([{ status: "DONE", approval: "approved" }]);
    expect(await accountsOf(company)).toMatchObject({ available: 8_500, blocked: 0 });
    expect((await actionsOf(company)).map(({ action }) => action)).toContain("refund.approve");
    // What somebody approved does not count as unapproved.
    expect((await refund(company, id, 1_000, { deps })).status).toBe(200);
  });

  it("is sent to the bank by nobody before, also not by the queue", async () => {
    const { company, clock, refundId } = await givenWaiting();
    clock.advance(HOUR_MS);
    expect((await claimOperation(company)).kind).toBe("wait");
    expect((await waitingOf(company))[0].id).toBe(refundId);
  });

  it("gives the money back when another refuses it, or after 72 hours", async () => {
    const one = await givenWaiting();
    const refused = await decide(one.approver, one.refundId, "refuse", {
      deps: one.deps,
      body: { reason: "Fraud" },
    });
    expect(refused.body.data).toMatchObject({
      status: "FAILED",
      approval: "refused",
      decisionReason: "Fraud",
    });
    const other = await givenWaiting();
    other.clock.advance(APPROVAL_MS);
    await waitUntilDrained(other.company);
    for (const { company, id } of [one, other]) {
      expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
      expect(await refundsOf(company, id)).toMatchObject([
        { status: "FAILED", approval: "refused" },
      ]);
      expect(await waitingOf(company)).toEqual([]);
    }
    const late = await decide(other.approver, other.refundId, "approve", { deps: other.deps });
    expect([late.status, late.body.code]).toEqual([409, "INVALID_STATE"]);
  });

  it("is limited by the approver's own limit too", async () => {
    const { company, deps, refundId } = await givenWaiting();
    const limited = await givenApplication(company);
    await limitRefunds(limited, 1_499);
    const answer = await decide(limited, refundId, "approve", { deps });
    expect([answer.status, answer.body.code]).toEqual([422, "REFUND_LIMIT_EXCEEDED"]);
  });

  it("is not passed once the payer's bank disputes the payment", async () => {
    const { company, deps, approver, id, refundId } = await givenWaiting();
    await call(`/api/v1/sandbox/transactions/${id}/dispute`, { method: "POST", company, deps });
    const answer = await decide(approver, refundId, "approve", { deps });
    expect([answer.status, answer.body.code]).toEqual([409, "INVALID_STATE"]);
  });
});

describe("COMPANY_FROZEN: a frozen company", () => {
  it("refunds nothing and approves no refund, but refuses one", async () => {
    const { company, deps, approver, id, refundId } = await givenWaiting();
    await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    for (const answer of [
      await refund(company, id, 100, { deps }),
      await decide(approver, refundId, "approve", { deps }),
      await requestWithdraw(company, { amount: 1_000 }, { deps }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, "COMPANY_FROZEN"]);
      expect(answer.body.detail).toBe(
        "Withdraws, refunds, returns and credits of this company are suspended.",
      );
    }
    expect((await decide(approver, refundId, "refuse", { deps })).status).toBe(200);
    await callsTo(company.id).setFrozen({
      companyId: company.id,
      change: false,
      cause: TEST_CAUSE,
    });
  });

  it("does not send what an approval left unsent, and only asks about what may have been sent", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id } = await givenPaid(company, 10_000);
    const bank = new FakeBank();
    bank.onRefund = async () => ({ kind: "unknown" });
    await refund(company, id, 400, { deps: depsWithBank(bank, clock) });
    await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    clock.advance(60_000);
    expect(await claimOperation(company)).toMatchObject({ kind: "query", maySend: false });
    await callsTo(company.id).setFrozen({
      companyId: company.id,
      change: false,
      cause: TEST_CAUSE,
    });
    settleRefunds(bank, { kind: "done" });
  });
});

it("INSUFFICIENT_BALANCE: what a contradiction holds is not refundable", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await callsTo(company.id).recordFinding({
    companyId: company.id,
    finding: {
      finding: "test",
      kind: "payment_charge",
      object: "payment:1",
      said: {},
      booked: {},
      amount: 2_000,
      held: 2_000,
    },
  });
  const { status, body } = await refund(company, id, 501);
  expect(status).toBe(422);
  expect(body).toMatchObject({
    code: "INSUFFICIENT_BALANCE",
    availableCents: 500,
    heldCents: 2_000,
    requiredCents: 501,
  });
  expect((await refund(company, id, 500)).status).toBe(200);
});

it("a person asks and is shown as a person", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await postAsPerson(company, `/api/v1/transactions/${id}/refund`, { role: "finance", body: {} });
  expect(await refundsOf(company, id)).toMatchObject([
    { requestedBy: { kind: "person", id: "person_finance", name: "finance" } },
  ]);
});
