import { describe, expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";
import { NO_POLICY } from "../../../../src/domain/withdraws/withdraw-policy.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import {
  APPROVAL_MS,
  decide,
  givenPending,
  pendingOfOneCompany,
} from "../../../support/builders/withdraws/approvals.ts";
import { claimPayout, withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { evict, replaceInObject } from "../../../support/faults/object.ts";
import { race, RACE_ATTEMPTS } from "../../../support/faults/race.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const POLICY = { ...NO_POLICY, approvalAbove: 0 };
/** Newer than every version of a company's credentials. */
const NEWEST = Number.MAX_SAFE_INTEGER;

const found = async (companyId: number, id = 1) => callsTo(companyId).findWithdraw(id);

describe("a withdraw that nobody decides about", () => {
  it("is cancelled after 72 hours by the alarm, once, and the money comes back", async () => {
    const { clock, company } = await givenPending();
    clock.advance(APPROVAL_MS - 1);
    await waitUntilDrained(company);
    expect(await accountsOf(company)).toMatchObject({ available: 47_000, payout: 3_000 });

    clock.advance(1);
    await waitUntilDrained(company);
    await waitUntilDrained(company);

    expect(await found(company.id)).toMatchObject({
      status: "Cancelled",
      approval: "refused",
      decidedBy: null,
      decisionReason: "Nobody approved it in time.",
    });
    expect(await accountsOf(company)).toMatchObject({ available: 50_000, payout: 0 });
    const events = (await eventsOf(company)).filter(({ type }) => type.startsWith("withdraw."));
    expect(events.map(({ type }) => type)).toEqual([
      "withdraw.awaiting_approval",
      "withdraw.cancelled",
    ]);
  });

  it("is cancelled also while the company is frozen, which has an alarm for it", async () => {
    const { clock, company } = await givenPending();
    await callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE });
    const alarmAt = await inAccount(company.id, async (account, { storage }) => {
      await storage.deleteAlarm();
      account.platformClock = clock;
      return storage.getAlarm();
    });
    expect(alarmAt).toBeNull();
    await evict(company, { clock });
    await waitUntilDrained(company);
    const again = await inAccount(company.id, (_, { storage }) => storage.getAlarm());
    expect(again).toBe(clock.now() + APPROVAL_MS);

    clock.advance(APPROVAL_MS);
    await waitUntilDrained(company);

    expect(await found(company.id)).toMatchObject({ status: "Cancelled" });
    await callsTo(company.id).setFrozen({
      companyId: company.id,
      change: false,
      cause: TEST_CAUSE,
    });
  });

  it("cannot be approved after 72 hours, also if the alarm was lost", async () => {
    const { clock, company, approver } = await givenPending();
    clock.advance(APPROVAL_MS);

    const late = await decide(approver, "approve", 1);

    expect([late.status, late.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(late.body.detail).toContain("Cancelled");
    expect(await accountsOf(company)).toMatchObject({ available: 50_000, payout: 0 });
  });

  it("is one of 150 that expire in two runs", async () => {
    const { clock, company } = await givenPending();
    for (let index = 0; index < 149; index++) {
      await withdraw(company, {
        idempotencyKey: `wd_many_${index}`,
        amount: 10,
        policy: POLICY,
        credentialsVersion: NEWEST,
      });
    }
    clock.advance(APPROVAL_MS);
    await waitUntilDrained(company);
    expect(await found(company.id, 150)).toMatchObject({ status: "Awaiting" });
    await waitUntilDrained(company);
    expect(await found(company.id, 150)).toMatchObject({ status: "Cancelled" });
    expect(await accountsOf(company)).toMatchObject({ available: 50_000, payout: 0 });
  });
});

it("a claim of a withdraw that waits for an approval is refused", async () => {
  const { company } = await givenPending();
  expect(await claimPayout(company)).toEqual({ kind: "awaiting_approval" });
});

it("an approval survives the restart of the object", async () => {
  const { clock, company, approver } = await givenPending();
  await evict(company, { clock });
  expect((await decide(approver, "approve", 1)).status).toBe(200);
  await evict(company, { clock });
  const bank = new FakeBank();
  await runPayout(company, 1, bank.registry());
  expect(bank.sentPayouts).toHaveLength(1);
});

it("an approval whose response was lost is replayed by its key", async () => {
  const { company, approver } = await givenPending();
  const lost = injectFault({ on: /^decideWithdraw$/, when: "after" });
  const path = "/api/v1/withdraws/1/approve";
  const key = { "Idempotency-Key": "d_1" };
  const request = { method: "POST", company: approver, headers: key };
  const first = await call(path, { ...request, env: withAccounts(env, lost.intercept) });
  expect(first.status).toBe(500);

  const again = await call(path, request);

  expect(again.status).toBe(200);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data).toMatchObject({
    approval: "approved",
    decidedBy: { id: approver.clientId },
  });
  expect(await found(company.id)).toMatchObject({ approval: "approved" });
});

it("a live company's payout is woken up by the approval, not by the request", async () => {
  const { company, approver } = await givenPending();
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  const command = { amount: 5_000, policy: POLICY, credentialsVersion: NEWEST };
  await withdraw(company, { ...command, idempotencyKey: "wd_live" });
  expect(notifier.withdrawIds).toEqual([]);
  const answer = await callsTo(company.id).decideWithdraw({
    companyId: company.id,
    credentialsVersion: NEWEST,
    id: 2,
    decision: "approve",
    decidedBy: { kind: "application", id: approver.clientId, name: "Another" },
    standing: FROM_THE_START,
    spendingLimits: null,
    reason: null,
    policy: POLICY,
    mainPixKey: null,
    sandbox: false,
    idempotencyKey: "d_2",
    requestHash: "approve",
  });
  expect(answer.kind).toBe("decided");
  await waitUntilDrained(company);
  expect(notifier.withdrawIds).toEqual([2]);
});

/** The statuses of two answers, the lower first. */
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((left, right) => left - right);

describe("a race", () => {
  const twoApprovals = pendingOfOneCompany();
  it.each(RACE_ATTEMPTS)("of two approvals approves once (%i)", async (attempt) => {
    const { company, approver, withdraw: pending } = await twoApprovals();
    const answers = await race(
      company,
      attempt,
      () => decide(approver, "approve", pending.id),
      () => decide(approver, "approve", pending.id),
    );
    expect(statusesOf(answers)).toEqual([200, 409]);
  });

  const approveAndRefuse = pendingOfOneCompany();
  it.each(RACE_ATTEMPTS)("of approve and refuse has one winner (%i)", async (attempt) => {
    const { company, approver, withdraw: pending } = await approveAndRefuse();
    const [approved, refused] = await race(
      company,
      attempt,
      () => decide(approver, "approve", pending.id),
      () => decide(approver, "refuse", pending.id),
    );
    expect(statusesOf([approved, refused])).toEqual([200, 409]);
    const approval = approved.status === 200 ? "approved" : "refused";
    expect(await found(company.id, pending.id)).toMatchObject({ approval });
  });

  const approveAndCancel = pendingOfOneCompany();
  it.each(RACE_ATTEMPTS)("of approve and cancel moves the money once (%i)", async (attempt) => {
    const { company, approver, withdraw: pending } = await approveAndCancel();
    const cancellations = async () =>
      (await movementsOf(company)).filter(({ type }) => type === "withdraw_cancelled").length;
    const before = await cancellations();
    const [, cancelled] = await race(
      company,
      attempt,
      () => decide(approver, "approve", pending.id),
      () => call(`/api/Withdraw/${pending.id}/cancel`, { method: "POST", company }),
    );
    expect(cancelled.status).toBe(200);
    expect((await cancellations()) - before).toBe(1);
    expect(await accountsOf(company)).toMatchObject({ available: 300_000, payout: 0 });
  });

  const approveAndExpiry = pendingOfOneCompany();
  it.each(RACE_ATTEMPTS)("of approve and expiry has one winner (%i)", async (attempt) => {
    const { clock, company, approver, withdraw: pending } = await approveAndExpiry();
    const { available = 0, payout } = await accountsOf(company);
    expect(payout).toBe(3_000);
    clock.advance(APPROVAL_MS - 1);
    const [approved] = await race(
      company,
      attempt,
      () => decide(approver, "approve", pending.id),
      async () => {
        clock.advance(1);
        await waitUntilDrained(company);
      },
    );
    await runPayout(company, pending.id);
    const { status } = (await found(company.id, pending.id))!;
    expect([approved.status, status]).toEqual(
      approved.status === 200 ? [200, "Paid"] : [409, "Cancelled"],
    );
    const back = approved.status === 200 ? 0 : 3_000;
    expect(await accountsOf(company)).toMatchObject({ available: available + back, payout: 0 });
  });

  const approveAndFreeze = pendingOfOneCompany();
  it.each(RACE_ATTEMPTS)(
    "of approve and freeze sends nothing while frozen (%i)",
    async (attempt) => {
      const { company, approver, withdraw: pending } = await approveAndFreeze();
      const object = callsTo(company.id);
      const bank = new FakeBank();
      const [approved] = await race(
        company,
        attempt,
        () => decide(approver, "approve", pending.id),
        () => object.setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE }),
      );
      const isFrozenFirst = approved.status === 422;
      expect([approved.status, approved.body.code]).toEqual(
        isFrozenFirst ? [422, "COMPANY_FROZEN"] : [200, undefined],
      );
      await runPayout(company, pending.id, bank.registry());
      expect(bank.sentPayouts).toEqual([]);
      await object.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
      await runPayout(company, pending.id, bank.registry());
      expect(bank.sentPayouts).toHaveLength(isFrozenFirst ? 0 : 1);
      if (isFrozenFirst) expect((await decide(approver, "approve", pending.id)).status).toBe(200);
    },
  );
});

it("the approved withdraw counts for the day of its request, once", async () => {
  const { company, approver } = await givenPending();
  await call("/api/v1/company/settings", {
    method: "PUT",
    company,
    body: { withdrawDailyLimit: 4_000 },
  });
  await decide(approver, "approve", 1);
  expect((await requestWithdraw(company, { amount: 1_001 })).body.code).toBe(
    "DAILY_LIMIT_EXCEEDED",
  );
  expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
});
