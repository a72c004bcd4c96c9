import { describe, expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenContradiction } from "../../../support/builders/reconciliation/decisions.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  APPROVAL_MS,
  changeSettings,
  decide,
  givenPending,
  HOUR_MS,
} from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

interface WithdrawEvent {
  type: string;
  data: object;
}

async function withdrawEventsOf(company: TestCompany): Promise<WithdrawEvent[]> {
  const { body } = await call("/api/v1/events", { company });
  return (body.items as WithdrawEvent[]).filter(({ type }) => type.startsWith("withdraw."));
}

describe("a withdraw above the company's limit for approvals", () => {
  it("is accepted, leaves the available balance and waits", async () => {
    const { company, withdraw } = await givenPending();

    expect(withdraw).toMatchObject({
      enTransaction: "Awaiting",
      approval: "pending",
      requestedBy: { kind: "application", id: company.clientId, name: "default" },
      decidedBy: null,
    });
    expect(Date.parse(withdraw.approvalExpiresAt)).toBe(
      Date.parse(withdraw.createdAt) + APPROVAL_MS,
    );
    expect(await accountsOf(company)).toMatchObject({ available: 47_000, payout: 3_000 });
    expect((await call("/api/Withdraw/1", { company })).body).toEqual(withdraw);
    const list = await call("/api/Withdraw/company/withdraws", { company });
    expect(list.body.res.items).toEqual([withdraw]);
  });

  it("is not sent before it is approved", async () => {
    const { company, approver } = await givenPending();
    await runPayout(company, 1);
    expect((await call("/api/Withdraw/1", { company })).body.enTransaction).toBe("Awaiting");
    const atBank = await call("/api/v1/sandbox/withdraws/1/pay", { method: "POST", company });
    expect([atBank.status, atBank.body.code]).toEqual([409, "INVALID_STATE"]);

    await decide(approver, "approve", 1);
    await runPayout(company, 1);

    const paid = await call("/api/Withdraw/1", { company });
    expect(paid.body).toMatchObject({ enTransaction: "Paid", approval: "approved" });
    await waitUntilDrained(company);
    const events = await withdrawEventsOf(company);
    const [asked, ...decided] = events;
    expect(asked).toMatchObject({
      type: "withdraw.awaiting_approval",
      data: { approval: "pending", enTransaction: "Awaiting", previousStatus: "Awaiting" },
    });
    expect(decided.map(({ type }) => type)).toEqual([
      "withdraw.approved",
      "withdraw.processing",
      "withdraw.paid",
    ]);
    for (const { data } of decided) {
      expect(data).toMatchObject({ approval: "approved", decidedBy: { id: approver.clientId } });
    }
  });

  it("at the limit of the day exactly needs no approval, and a search tells both apart", async () => {
    const { company } = await givenPending();
    const { body } = await requestWithdraw(company, { amount: 2_000 });
    expect(body).toMatchObject({ approval: "none", approvalExpiresAt: null });
    const found = async (filters: string) => {
      const answer = await call(`/api/v1/withdraws?${filters}`, { company });
      return answer.body.items.map(({ id }: { id: number }) => id);
    };
    expect(await found("approval=pending&limit=1")).toEqual([1]);
    expect(await found("approval=pending&status=Paid")).toEqual([]);
    expect(await found("approval=none")).toEqual([2]);
  });

  it("says so in a dry run", async () => {
    const { company } = await givenPending();
    const dry = { headers: { "X-Dry-Run": "true" } };
    expect((await requestWithdraw(company, { amount: 2_001 }, dry)).body.approval).toBe("pending");
    expect((await requestWithdraw(company, { amount: 2_000 }, dry)).body.approval).toBe("none");
  });

  it("replays its first answer after the approval", async () => {
    const { company, approver, withdraw } = await givenPending();
    await decide(approver, "approve", 1, { body: { reason: "known" } });
    const replay = await requestWithdraw(company, { amount: 3_000 }, { key: "wd_1" });
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body).toEqual(withdraw);
  });
});

describe("a decision", () => {
  it("names who decided and why", async () => {
    const { approver, withdraw } = await givenPending();

    const answer = await decide(approver, "approve", 1, { body: { reason: "Checked." } });

    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...withdraw,
      approval: "approved",
      approvalExpiresAt: null,
      decidedBy: { kind: "application", id: approver.clientId, name: "Another" },
      decisionReason: "Checked.",
      updatedAt: expect.any(String),
    });
    await expectDocumented("POST /api/v1/withdraws/{id}/approve", answer);
  });

  it("to refuse cancels the withdraw, and the money comes back", async () => {
    const { company, approver } = await givenPending();

    const answer = await decide(approver, "refuse", 1, { body: { reason: "Unknown payee." } });

    expect(answer.body.data).toMatchObject({
      enTransaction: "Cancelled",
      approval: "refused",
      decidedBy: { id: approver.clientId },
      decisionReason: "Unknown payee.",
    });
    await expectDocumented("POST /api/v1/withdraws/{id}/refuse", answer);
    expect(await accountsOf(company)).toMatchObject({ available: 50_000, payout: 0 });
    await waitUntilDrained(company);
    const [, refused, cancelled] = await withdrawEventsOf(company);
    expect(refused).toMatchObject({
      type: "withdraw.refused",
      data: {
        approval: "refused",
        enTransaction: "Awaiting",
        decidedBy: { id: approver.clientId },
      },
    });
    expect(cancelled).toMatchObject({
      type: "withdraw.cancelled",
      data: { approval: "refused", enTransaction: "Cancelled", previousStatus: "Awaiting" },
    });
  });

  it.each(["approve", "refuse"] as const)(
    "FORBIDDEN: the application that asked cannot %s",
    async (decision) => {
      const { company } = await givenPending();
      const answer = await expectNoSideEffects(company, () => decide(company, decision, 1));
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    },
  );

  it("FORBIDDEN: needs the scope withdraws:approve, which asking for withdraws does not include", async () => {
    const { company } = await givenPending();
    const asker = await givenApplication(company, {
      scopes: ["withdraws:read", "withdraws:write"],
    });
    expect((await decide(asker, "approve", 1)).status).toBe(403);
    expect((await decide(asker, "refuse", 1)).status).toBe(403);
    const approver = await givenApplication(company, { scopes: ["withdraws:approve"] });
    expect((await decide(approver, "approve", 1)).status).toBe(200);
    expect((await requestWithdraw(approver, { amount: 1_000 })).status).toBe(403);
  });

  it("NOT_FOUND: another company's application finds no such withdraw", async () => {
    const { company } = await givenPending();
    const other = await givenCompany();
    for (const id of [1, 2, "x"]) {
      await expectProblem(await decide(other, "approve", id), { status: 404, code: "NOT_FOUND" });
    }
    expect((await call("/api/Withdraw/1", { company })).body.approval).toBe("pending");
  });

  it.each(["approve", "refuse"] as const)(
    "to %s replays its first answer under its key, also after the payout",
    async (decision) => {
      const { company, approver } = await givenPending();
      const first = await decide(approver, decision, 1, { key: "d_1" });
      await runPayout(company, 1);

      const again = await decide(approver, decision, 1, { key: "d_1" });

      expect(again.body).toEqual(first.body);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      const reused = await decide(approver, decision, 1, { key: "d_1", body: { reason: "b" } });
      await expectProblem(reused, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
    },
  );

  it("INVALID_STATE: of a withdraw that needs none, was decided or was cancelled", async () => {
    const { company, approver } = await givenPending();
    await requestWithdraw(company, { amount: 1_000 });
    expect((await decide(approver, "approve", 2)).body.code).toBe("INVALID_STATE");
    await decide(approver, "approve", 1);
    expect((await decide(approver, "approve", 1)).body.code).toBe("INVALID_STATE");
    expect((await decide(approver, "refuse", 1)).body.code).toBe("INVALID_STATE");
    await requestWithdraw(company, { amount: 3_000 });
    const cancelled = await call("/api/Withdraw/3/cancel", { method: "POST", company });
    expect(cancelled.body).toMatchObject({ enTransaction: "Cancelled", approval: "refused" });
    expect((await decide(approver, "approve", 3)).body.code).toBe("INVALID_STATE");
    expect(await accountsOf(company)).toMatchObject({ payout: 4_000 });
  });

  it("VALIDATION_FAILED: takes only a reason", async () => {
    const { approver } = await givenPending();
    const answer = await decide(approver, "approve", 1, { body: { amount: 1 } });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
    const long = await decide(approver, "approve", 1, { body: { reason: "x".repeat(256) } });
    await expectProblem(long, { status: 400, code: "VALIDATION_FAILED", fields: ["reason"] });
  });
});

it("an id that is no number leaves nothing in the audit trail", async () => {
  const { company, approver } = await givenPending();
  expect((await decide(approver, "refuse", "4111111111111111")).status).toBe(404);
  await call("/api/v1/applications/4111111111111111/keys", { company, method: "POST" });
  await call("/api/v1/applications/4111111111111111/keys/1", { company, method: "DELETE" });
  const trail = await call("/api/v1/audit", { company });
  expect(trail.body.items).toHaveLength(1);
  expect(trail.text).not.toContain("4111111111111111");
});

describe("an approval", () => {
  it("SPENDING_LIMITS_EXCEEDED: is refused to an application whose own spending limits do not cover the withdraw", async () => {
    const { company } = await givenPending();
    const clerk = await givenApplication(company, {
      spendingLimits: { dailyLimit: 2_999, pixKeys: null, until: null },
    });
    await expectProblem(await decide(clerk, "approve", 1), {
      status: 422,
      code: "SPENDING_LIMITS_EXCEEDED",
      extensions: { rule: "spendingLimits.dailyLimit", limitCents: 2_999, usedCents: 0 },
    });
    expect((await decide(clerk, "refuse", 1)).status).toBe(200);
  });

  it("SPENDING_LIMITS_EXCEEDED: counts for its application on its day, until the money comes back", async () => {
    const { clock, company } = await givenPending();
    const clerk = await givenApplication(company, {
      spendingLimits: { dailyLimit: 5_000, pixKeys: null, until: null },
    });
    for (const key of ["wd_2", "wd_3"]) {
      await requestWithdraw(company, { amount: 3_000 }, { key });
    }
    expect((await decide(clerk, "approve", 1)).status).toBe(200);
    const overLimit = {
      status: 422,
      code: "SPENDING_LIMITS_EXCEEDED",
      extensions: {
        rule: "spendingLimits.dailyLimit",
        limitCents: 5_000,
        usedCents: 3_000,
        possibleFrom: anyTime,
      },
    };
    await expectProblem(await decide(clerk, "approve", 2), overLimit);
    await expectProblem(await requestWithdraw(clerk, { amount: 2_001 }), overLimit);
    await call("/api/Withdraw/1/cancel", { method: "POST", company });
    expect((await decide(clerk, "approve", 2)).status).toBe(200);
    clock.advance(24 * HOUR_MS);
    await call("/api/Withdraw/2/cancel", { method: "POST", company });
    expect((await decide(clerk, "approve", 3)).status).toBe(200);
    await expectProblem(await requestWithdraw(clerk, { amount: 2_001 }), overLimit);
  });

  it("PIX_KEY_NOT_ALLOWED: is refused when the key is no longer allowed", async () => {
    const { company, approver } = await givenPending();
    await requestWithdraw(company, { amount: 3_000, pixKey: "maria@example.com" });
    await changeSettings(company, { allowedPixKeys: { enforced: true } });
    await expectProblem(await decide(approver, "approve", 2), {
      status: 422,
      code: "PIX_KEY_NOT_ALLOWED",
      extensions: { rule: "allowedPixKeys" },
    });
    expect((await decide(approver, "approve", 1)).status).toBe(200);
  });

  it("INSUFFICIENT_BALANCE: is refused while a contradiction from after the request holds money that is gone without it", async () => {
    const { company, approver } = await givenPending();
    // R$ 470.00 are left beside the withdraw's own R$ 30.00.
    await givenContradiction(company, { amount: 47_000, held: 47_000 });
    await givenContradiction(company, { object: "withdraw:8", held: 1 });
    const answer = await decide(approver, "approve", 1);
    await expectProblem(answer, {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 2_999, requiredCents: 3_000, heldCents: 47_001 },
    });
    await expectDocumented("POST /api/v1/withdraws/{id}/approve", answer);
    expect((await call("/api/Withdraw/1", { company })).body.approval).toBe("pending");
    expect(await accountsOf(company)).toMatchObject({ available: 47_000, payout: 3_000 });
    expect((await decide(approver, "refuse", 1)).status).toBe(200);
  });

  it("is given where the rest covers what contradictions hold", async () => {
    const { company, approver } = await givenPending();
    await givenContradiction(company, { amount: 47_000, held: 47_000 });
    expect((await decide(approver, "approve", 1)).status).toBe(200);
  });
});
