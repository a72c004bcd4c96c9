import { afterEach, describe, expect, it, vi } from "vitest";
import { CLIENT_DEADLINE_MS } from "../../../../src/company/object.ts";
import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel, refund } from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const UNAVAILABLE = { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true };
const TOO_LONG_MS = CLIENT_DEADLINE_MS + 60_000;

/** From now on each call's turn comes so long after it was asked; answers how often that was so. */
async function delayCalls(company: TestCompany, waitMs: () => number): Promise<() => number> {
  let judged = 0;
  await inAccount(company.id, (account) => {
    account.deadlineClock = {
      now: () => {
        judged += 1;
        return systemClock.now() + waitMs();
      },
    };
  });
  return () => judged;
}

function sumOf(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** The Worker's clock stands, so that what the object says of a wait is exact. */
function freezeClock(): void {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now);
}

afterEach(() => vi.restoreAllMocks());

describe("STORAGE_UNAVAILABLE: rejects a call that waited too long for the company's object", () => {
  it("that is one of many withdraws is accepted once or rejected completely, and its key stays free", async () => {
    const company = await givenCompany({ balance: 1_000_000 });
    freezeClock();
    let turn = 0;
    await delayCalls(company, () => ((turn += 1) % 3 === 0 ? TOO_LONG_MS : 0));
    // No two of the same amount, or the guard against repeats would refuse them.
    const amounts = Array.from({ length: 60 }, (_, index) => 1_000 + index);
    const flood = () =>
      Promise.all(
        amounts.map((amount) => requestWithdraw(company, { amount }, { key: `flood_${amount}` })),
      );

    const answers = await flood();

    const accepted = amounts.filter((_, index) => answers[index]?.status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect([accepted.length, refused.length]).toEqual([40, 20]);
    for (const answer of refused) await expectProblem(answer, UNAVAILABLE);
    const sum = sumOf(accepted);
    expect(await accountsOf(company)).toMatchObject({ available: 1_000_000 - sum, payout: sum });

    await delayCalls(company, () => 0);
    const again = await flood();
    expect(again.map(({ status }) => status)).toEqual(amounts.map(() => 201));
    const replayed = amounts.filter((_, index) => again[index]?.headers.has("Idempotent-Replayed"));
    expect(replayed).toEqual(accepted);
    expect(new Set(again.map(({ body }) => body.id)).size).toBe(amounts.length);
    expect((await accountsOf(company)).payout).toBe(sumOf(amounts));
  });

  it("is not rejected when it repeats a call whose response was lost", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    let calls = 0;
    const lossy = withAccounts(env, async (label, run) => {
      const answer = await run();
      if (label !== "requestRefund" || (calls += 1) > 1) return answer;
      await delayCalls(company, () => TOO_LONG_MS);
      throw Object.assign(new Error("reset"), { retryable: true });
    });
    const answer = await refund(company, id, 1_000, { env: lossy });
    expect([answer.status, calls]).toEqual([200, 2]);
    await delayCalls(company, () => 0);
    expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
  });

  it("is sent once and not retried with fresh credentials", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company, { amount: 1_000 });
    const judged = await delayCalls(company, () => TOO_LONG_MS);
    const answer = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { amount: 1_100 }),
    );
    await expectProblem(answer, UNAVAILABLE);
    expect(judged()).toBe(1);
  });

  it.each<
    [
      name: string,
      ask: (company: TestCompany, ids: { paidId: string; openId: string }) => Promise<Answer>,
    ]
  >([
    ["a withdraw", (company) => requestWithdraw(company)],
    [
      "its dry run",
      (company) => requestWithdraw(company, {}, { headers: { "X-Dry-Run": "true" } }),
    ],
    ["its cancel", (company) => call("/api/Withdraw/1/cancel", { company, method: "POST" })],
    ["a page of withdraws", (company) => call("/api/Withdraw/company/withdraws", { company })],
    ["a refund", (company, { paidId }) => refund(company, paidId)],
    ["a cancel", (company, { openId }) => cancel(company, openId)],
    [
      "a balance",
      (company) => call(`/api/Balance/balance/${company.id}?currency=BRL`, { company }),
    ],
    [
      "a forecast",
      (company) => call(`/api/Balance/forecast/${company.id}?currency=BRL`, { company }),
    ],
  ])("%s leaves nothing", async (_, ask) => {
    const company = await givenCompany({ balance: 5_000 });
    const { id: paidId } = await givenPaid(company, 2_000);
    const { id: openId } = await givenTransaction(company);
    await delayCalls(company, () => TOO_LONG_MS);
    const answer = await expectNoSideEffects(company, () => ask(company, { paidId, openId }));
    await expectProblem(answer, UNAVAILABLE);
  });

  it("at the limit, the call is still served", async () => {
    const company = await givenCompany({ balance: 5_000 });
    freezeClock();
    await delayCalls(company, () => CLIENT_DEADLINE_MS);
    expect((await requestWithdraw(company)).status).toBe(201);
    await delayCalls(company, () => CLIENT_DEADLINE_MS + 1);
    await expectProblem(await requestWithdraw(company, { amount: 1_100 }), UNAVAILABLE);
  });

  it("a Worker with a fast clock is served", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await delayCalls(company, () => -60_000);
    expect((await requestWithdraw(company)).status).toBe(201);
  });
});

it("payments and finished payouts are booked however long they waited", async () => {
  const company = await givenCompany({ balance: 5_000 });
  expect((await requestWithdraw(company, { amount: 1_000 })).body.id).toBe(1);
  const { id } = await givenTransaction(company, { amount: 2_000 });
  const judged = await delayCalls(company, () => TOO_LONG_MS);
  expect((await pay(company, id)).status).toBe(200);
  await runPayout(company, 1);
  expect(judged()).toBe(0);
  expect(await accountsOf(company)).toMatchObject({ available: 6_000, payout: 0 });
});
