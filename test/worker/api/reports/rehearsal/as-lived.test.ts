import { expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import type { RehearsalDay } from "../../../../../src/domain/rehearsal/cash-rehearsal.ts";
import { endOfDay } from "../../../../../src/domain/shared/business-day.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { refund, updateSettings } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";

const PATH = "/api/v1/reports/rehearsal";
const DAYS = 45;
const DAY_MS = 86_400_000;

async function givenShop() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    providers: (each: typeof env) => providerRegistry(each, clock),
  };
  const options = { company, deps };
  return {
    company,
    options,
    made: async (body: object): Promise<string> =>
      (await givenTransaction(company, { ...body }, { deps })).id,
    paid: async (body: object): Promise<string> => {
      const { id } = await givenTransaction(company, { ...body }, { deps });
      expect((await pay(company, id, undefined, { deps })).status).toBe(200);
      return id;
    },
    ask: async (path: string, body: object = {}) => {
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const answer = await call(path, { ...options, method: "POST", body, headers });
      expect(answer.status, answer.text).toBeLessThan(300);
    },
  };
}

type Shop = Awaited<ReturnType<typeof givenShop>>;

async function rehearse({ options }: Shop, days = DAYS) {
  const answer = await call(`${PATH}?days=${days}`, options);
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function moveTo({ options }: Shop, time: number): Promise<void> {
  const set = new Date(time).toISOString();
  for (let hasMore = true; hasMore;) {
    const moved = await call("/api/v1/sandbox/clock", { ...options, body: { set } });
    expect(moved.status, moved.text).toBe(200);
    hasMore = moved.body.data.hasMore;
  }
}

/** Lives to the end of each day with nothing else happening; what is available then. */
async function live(shop: Shop, days: RehearsalDay[]): Promise<number[]> {
  const { options } = shop;
  const lived: number[] = [];
  for (const { day } of days) {
    await moveTo(shop, endOfDay(day));
    lived.push((await call("/api/v1/balance", options)).body.data.availableCents);
  }
  return lived;
}

it("lives as rehearsed: releases, approvals that expire, disputes, to the centavo on every day of two months' ends and Carnival", async () => {
  const shop = await givenShop();
  await moveTo(shop, Date.parse(`${new Date().getUTCFullYear() + 1}-01-29T15:30:00Z`));
  const { company, options, made, paid, ask } = shop;
  const fees = {
    CREDIT_CARD: { basisPoints: 399, fixed: 39 },
    WITHDRAW: { basisPoints: 0, fixed: 150 },
  };
  expect((await updateSettings(company, { fees })).status).toBe(200);
  const limits = { withdrawApprovalAbove: 1_000, refundApprovalAbove: 1_000 };
  const set = { ...options, method: "PUT", body: limits };
  expect((await call("/api/v1/company/settings", set)).status).toBe(200);
  await paid({ amount: 90_000 });
  const refunded = await made({ ...CARD_REQUEST, amount: 33_333, installments: 3 });
  await made({ ...CARD_REQUEST, amount: 12_001 });
  await paid({ ...BOLETO_REQUEST, amount: 21_007 });
  const disputed = await paid({ amount: 4_000 });
  await ask(`/api/v1/sandbox/transactions/${disputed}/dispute`);
  await ask("/api/Withdraw/request", { amount: 30_000 });
  expect((await refund(company, refunded, 20_000, options)).status).toBe(202);
  const returned = await paid({ amount: 8_000 });
  expect((await refund(company, returned, 8_000, options)).status).toBe(202);
  for (const dueIn of [0, 2, 9, 20]) {
    await made({ ...BOLETO_REQUEST, boleto: { expiresInDays: dueIn } });
    await made({ amount: 700 + dueIn, pix: { expiresInDays: dueIn + 1 } });
  }

  const { items } = (await rehearse(shop)) as { items: RehearsalDay[] };

  expect(items).toHaveLength(DAYS);
  const sums = (name: keyof RehearsalDay) =>
    items.reduce((sum, item) => sum + Number(item[name]), 0);
  expect(sums("due")).toBe(4 * BOLETO_REQUEST.amount);
  expect(sums("expiring")).toBe(700 + 702 + 709 + 720);
  expect(sums("disputed")).toBe(4_000);
  expect(sums("expiredApprovals")).toBeGreaterThanOrEqual(30_150 + 8_000);
  expect(await live(shop, items)).toEqual(items.map(({ certain }) => certain));
  const distinct = new Set(items.map(({ certain }) => certain));
  expect(distinct.size).toBeGreaterThan(3);
  for (const { worst, certain, expected, best } of items) {
    expect(worst).toBeLessThanOrEqual(expected);
    expect(best).toBeGreaterThanOrEqual(Math.max(certain, expected));
  }
});

it("lives as rehearsed with a debt, which the releases repay first", async () => {
  const shop = await givenShop();
  const { made, paid, ask } = shop;
  const taken = await paid({ amount: 10_000 });
  await ask("/api/Withdraw/request", { amount: 9_500 });
  await ask(`/api/v1/sandbox/transactions/${taken}/chargeback`);
  await made({ ...CARD_REQUEST, amount: 6_001, installments: 2 });
  await paid({ ...BOLETO_REQUEST, amount: 7_000 });

  const { items, owed, payout } = await rehearse(shop, 70);

  expect(owed).toBeGreaterThan(9_000);
  expect(payout).toBe(9_500);
  const repaid = items.reduce((sum: number, { debtRepaid }: RehearsalDay) => sum + debtRepaid, 0);
  expect(repaid).toBe(owed);
  expect(items[0].opening).toBe(0);
  expect(items.at(-1).certain).toBe(13_001 - owed);
  expect(await live(shop, items)).toEqual(items.map(({ certain }: RehearsalDay) => certain));
});

it("lives as rehearsed in the best case: a dispute that is won gives instalments back on their own days", async () => {
  const shop = await givenShop();
  const { options, made, ask } = shop;
  const card = await made({ ...CARD_REQUEST, amount: 6_001, installments: 2 });
  const deadline = new Date(Date.now() + 5 * DAY_MS);
  const path = `/api/v1/sandbox/transactions/${card}/dispute`;
  await ask(path, { deadline: deadline.toISOString() });

  const { items } = (await rehearse(shop, 70)) as { items: RehearsalDay[] };

  await moveTo(shop, deadline.getTime());
  await ask(`${path}/resolve`, { outcome: "won" });
  for (const day of [5, 20, 40, 69].map((index) => items[index]!)) {
    await moveTo(shop, endOfDay(day.day));
    const { body } = await call("/api/v1/balance", options);
    expect([day.day, day.best]).toEqual([day.day, body.data.availableCents]);
  }
  expect(items.map(({ best }) => best)).toContain(3_001);
  expect(items.at(-1)?.best).toBe(6_001);
});
