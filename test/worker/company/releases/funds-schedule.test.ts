import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { TEST_CAUSE } from "../../../support/builders/operations/decide.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import type { Fee } from "../../../../src/domain/ledger/fees.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { endCharge } from "../../../support/builders/charges/charge-commands.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  DAY_MS,
  givenSettled,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { releasesOf } from "../../../support/probes/charges/operation-rows.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;

const fee = (basisPoints: number, fixed: number): Fee => ({ basisPoints, fixed });

it.each<[amount: number, terms: Fee, taken: number]>([
  [1, fee(4_999, 0), 0],
  [1, fee(5_000, 0), 1],
  [49, fee(100, 0), 0],
  [50, fee(100, 0), 1],
  [149, fee(100, 0), 1],
  [150, fee(100, 0), 2],
  [2_500, fee(99, 0), 25],
  [10_049, fee(99, 30), 129],
  [10_051, fee(99, 30), 130],
  [30, fee(0, 30), 30],
  [29, fee(0, 30), 29],
  [1_000, fee(10_000, 5), 1_000],
  [999_999_999_999, fee(9_999, 1), 999_900_000_000],
  [999_999_999_999, fee(10_000, 0), 999_999_999_999],
])("an amount of %d centavos with fee %o has a fee of %d", async (amount, terms, taken) => {
  const company = await givenCompany();
  await givenSettled(company, amount, { terms: { fee: terms } });

  const [movement] = await movementsOf(company);
  const postings = { provider: -amount, fees: taken, available: amount - taken };
  const booked = Object.entries(postings).filter(([, posting]) => posting !== 0);
  expect(movement?.postings).toEqual(Object.fromEntries(booked));
});

it("the fee applies to the paid amount, with the terms of the first report", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 10_000 });
  const terms = { fee: fee(100, 10), ...BOLETO };
  await settleCharge(company, transaction, { terms, payment: { amount: 5_000 } });
  expect(await accountsOf(company)).toMatchObject({ fees: 60, awaiting: 4_940 });

  const known = await givenTransaction(company, { amount: 1_000 });
  await endCharge(company, known, "cancelled");
  await settleCharge(company, known, { terms });

  expect(await accountsOf(company)).toMatchObject({ fees: 60, available: 1_000 });
});

it("a fee that takes everything leaves nothing to release", async () => {
  const company = await givenCompany();
  const terms = { fee: fee(0, 5_000), ...BOLETO };
  const transaction = await givenSettled(company, 2_500, { terms });

  expect(await releasesOf(company, transaction)).toEqual([]);
  expect(await accountsOf(company)).toEqual({ fees: 2_500, provider: -2_500 });
});

it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  "the parts of %d installments add up to the net to the centavo, the remainder in the first",
  async (installments) => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    for (const amount of [1, installments, installments + 1, 9_999, 999_999_999_999]) {
      const paidAt = clock.now();
      const terms = {
        paymentMethod: "CREDIT_CARD" as const,
        installments,
        releaseDays: 30,
        fee: fee(299, amount > 100 ? 39 : 0),
      };
      const transaction = await givenSettled(company, amount, { terms, payment: { paidAt } });

      const parts = await releasesOf(company, transaction);
      const net = amount - Math.floor((amount * 299 + 5_000) / 10_000) - terms.fee.fixed;
      const share = Math.floor(net / installments);
      expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(net);
      expect(parts[0]?.amount).toBe(net - share * (installments - 1));
      expect(parts.slice(1).every((part) => part.amount === share)).toBe(true);
      expect(parts.map(({ dueAt }) => dueAt)).toEqual(
        parts.map(({ installment }) => paidAt + installment * 30 * DAY_MS),
      );
      expect(parts).toHaveLength(share === 0 ? 1 : installments);
    }
  },
);

it("a boleto is released after one day and a PIX at once, also when the bank's clock is ahead", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const boleto = await givenSettled(company, 700, {
    terms: BOLETO,
    payment: { paidAt: clock.now() },
  });
  const pix = await givenSettled(company, 300, { payment: { paidAt: clock.now() + DAY_MS } });

  expect(await releasesOf(company, boleto)).toEqual([
    { installment: 1, amount: 700, dueAt: clock.now() + DAY_MS },
  ]);
  expect(await releasesOf(company, pix)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 300, awaiting: 700 });
});

it("a late reported payment makes due credit available at once and keeps the rest", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "CREDIT_CARD", installments: 3, releaseDays: 30 } as const;
  const transaction = await givenSettled(company, 1_000, {
    terms,
    payment: { paidAt: clock.now() - 60 * DAY_MS },
  });

  expect(await accountsOf(company)).toMatchObject({ available: 667, awaiting: 333 });
  expect(await releasesOf(company, transaction)).toMatchObject([{ installment: 3 }]);
});

const WAKES: Record<string, (company: TestCompany) => Promise<unknown>> = {
  "the alarm": (company) => runDurableObjectAlarm(companyStub(env, company.id)),
  "the cron's tick": waitUntilDrained,
  "a balance read": (company) => callsTo(company.id).balances(),
  "a statement read": (company) =>
    callsTo(company.id).statement({
      currency: "BRL",
      after: 0,
      limit: 10,
      from: null,
      to: null,
    }),
  "a forecast read": (company) => callsTo(company.id).forecast(),
  "a withdraw": (company) => withdraw(company, { amount: 9_999 }),
  "a payment": (company) => givenSettled(company, 1, { terms: { fee: fee(10_000, 0) } }),
  "a freeze": (company) =>
    callsTo(company.id).setFrozen({ companyId: company.id, change: true, cause: TEST_CAUSE }),
};

it.each(Object.keys(WAKES))("%s releases at the due millisecond and not earlier", async (name) => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenSettled(company, 2_500, { terms: BOLETO, payment: { paidAt: clock.now() } });

  clock.advance(DAY_MS - 1);
  await WAKES[name]!(company);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  clock.advance(1);
  await WAKES[name]!(company);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, awaiting: 0 });
  await waitUntilDrained(company);

  expect((await eventsOf(company)).filter(({ type }) => type === "balance.released")).toHaveLength(
    1,
  );
});

it("a withdraw of a credit is accepted from its due millisecond on", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenSettled(company, 2_500, { terms: BOLETO, payment: { paidAt: clock.now() } });

  clock.advance(DAY_MS - 1);
  expect(await withdraw(company, { amount: 2_500 })).toEqual({
    kind: "insufficient_balance",
    available: 0,
    required: 2_500,
    held: 0,
  });
  clock.advance(1);
  expect((await withdraw(company, { amount: 2_500 })).kind).toBe("accepted");

  expect(await accountsOf(company)).toMatchObject({ available: 0, awaiting: 0, payout: 2_500 });
});
