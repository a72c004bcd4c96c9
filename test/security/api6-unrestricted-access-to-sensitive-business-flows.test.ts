import { describe, expect, it } from "vitest";
import { call, type Answer } from "../support/builders/requests/api.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { givenAuthorized } from "../support/builders/charges/card.ts";
import { givenPaid, givenTransaction, pay } from "../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../support/builders/withdraws/withdraw.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { balanceOf } from "../support/probes/ledger/balance.ts";

const AT_ONCE = 20;

/** The same request many times at once; the statuses of the answers, each with its number. */
async function flood(send: (index: number) => Promise<Answer>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(index)));
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("money leaves once", () => {
  it("for one withdraw of the whole balance among twenty at once", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const counts = await flood(() => requestWithdraw(company, { amount: 5_000 }));
    expect(counts).toEqual({ 201: 1, 422: AT_ONCE - 1 });
    expect(await balanceOf(company)).toMatchObject({ accBalance: 0 });
  });

  it("for one key sent twenty times at once", async () => {
    const company = await givenCompany({ balance: 50_000 });
    await flood(() => requestWithdraw(company, { amount: 5_000 }, { key: "wd_once" }));
    expect(await balanceOf(company)).toMatchObject({ accBalance: 450 });
  });

  it("for one payment refunded twenty times at once", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 5_000);
    const counts = await flood((index) =>
      call(`/api/v1/transactions/${id}/refund`, {
        company,
        method: "POST",
        headers: { "Idempotency-Key": `rf_${index}` },
      }),
    );
    expect((counts[200] ?? 0) + (counts[202] ?? 0)).toBe(1);
    expect(await balanceOf(company)).toMatchObject({ accBalanceCredit: 0 });
  });
});

describe("money comes once", () => {
  it("for one charge paid twenty times at once", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 5_000 });
    await flood(() => pay(company, id));
    expect(await balanceOf(company)).toMatchObject({ accBalance: 50 });
  });

  it("for one authorization captured twenty times at once", async () => {
    const company = await givenCompany();
    const { id } = await givenAuthorized(company);
    await flood((index) =>
      call(`/api/v1/transactions/${id}/capture`, {
        company,
        method: "POST",
        headers: { "Idempotency-Key": `cp_${index}` },
      }),
    );
    expect(await balanceOf(company)).toMatchObject({ accBalanceCreditAwaiting: 50 });
  });
});

it("a withdraw without a key is refused", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const answer = await call("/api/Withdraw/request", { company, body: { amount: 1_000 } });
  await expectProblem(answer, {
    status: 400,
    code: "IDEMPOTENCY_KEY_REQUIRED",
    fields: ["Idempotency-Key"],
  });
});

it("the daily limit holds for twenty withdraws at once", async () => {
  const company = await givenCompany({ balance: 100_000 });
  await call("/api/v1/company/settings", {
    company,
    method: "PUT",
    body: { withdrawDailyLimit: 3_000 },
  });
  const counts = await flood(() => requestWithdraw(company, { amount: 1_000 }));
  expect(counts).toEqual({ 201: 3, 422: AT_ONCE - 3 });
});

it("a live company cannot pay its own charges by the sandbox", async () => {
  const company = await givenCompany({ mode: "live" });
  const answer = await call("/api/v1/sandbox/payments", { company, body: { amount: 1_000 } });
  await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
});
