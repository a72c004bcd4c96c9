import { expect, it } from "vitest";
import type { SettlementLine } from "../../../../src/domain/reconciliation/settlement.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakePagarMe } from "../../../support/fakes/pagarme/house.ts";
import { faultsOfCall } from "../../../support/fakes/pagarme/judge.ts";
import {
  pagarMeBoleto,
  pagarMeCard,
  pagarMeProvider,
} from "../../../support/fakes/pagarme/provider.ts";

const DAY_MS = 86_400_000;

function given() {
  const clock = new TestClock();
  const house = new FakePagarMe(clock);
  const { settlements, ...provider } = withSettlements(house, clock);
  /** All lines that were made or changed until now. */
  const lines = async () => {
    const window = { from: clock.now() - 400 * DAY_MS, to: clock.now() + 1 };
    const found: SettlementLine[] = [];
    const unreadable: string[] = [];
    for (let next: string | null = null; ;) {
      const page = await settlements.page(window, next);
      if (page.kind === "unknown") throw new Error("the page is unknown");
      found.push(...page.lines);
      unreadable.push(...page.unreadable.map(({ fault }) => fault));
      if (page.next === null) return { found, unreadable };
      next = page.next;
    }
  };
  return { clock, house, ...provider, settlements, lines };
}

function withSettlements(house: FakePagarMe, clock: TestClock) {
  const provider = pagarMeProvider(house.fetch, { clock });
  const { settlements } = provider;
  if (settlements === undefined) throw new Error("an account of a PSP tells its settlements");
  return { provider, settlements };
}

it("tells a line of each installment, and pays them on their day", async () => {
  const { clock, house, provider, lines } = given();
  house.book.payables.prices["credit_card"] = { basisPoints: 300, fixed: 1 };
  const order = pagarMeCard(house);
  const card = { ...order.card, installments: 3 };
  await provider.createCharge({ ...order, card, amount: 10_000 });

  const before = await lines();
  clock.advance(40 * DAY_MS);
  const after = await lines();

  expect(before.found).toMatchObject([
    { type: "CREDIT", installment: 1, gross: 3_333, fee: 100, state: "waiting" },
    { type: "CREDIT", installment: 2, gross: 3_333, fee: 100, state: "waiting" },
    { type: "CREDIT", installment: 3, gross: 3_334, fee: 101, state: "waiting" },
  ]);
  expect(after.found.map(({ state }) => state)).toEqual(["paid", "waiting", "waiting"]);
  expect(house.seen.flatMap(faultsOfCall)).toEqual([]);
});

it("reads a refund and a chargeback as taken away, whatever their sign", async () => {
  const { house, provider, lines } = given();
  const order = pagarMeCard(house);
  await provider.createCharge(order);
  house.book.cancel(house.book.chargeOf(order.chargeId).id, { amount: 100 });
  house.chargeBack(order.chargeId);
  house.book.payables.restate(1, { amount: 100 });

  const { found } = await lines();

  expect(found.map(({ type, gross }) => [type, gross])).toEqual([
    ["CREDIT", order.amount],
    ["REFUND", -100],
    ["CHARGEBACK", -order.amount],
  ]);
});

it("counts what an anticipation costs apart, if there is one", async () => {
  const { house, provider, lines } = given();
  await provider.createCharge(pagarMeCard(house));
  const { payables } = house.book;
  payables.restate(0, { fee: 10, anticipation_fee: 7, fraud_coverage_fee: 2 });
  const unordered = await lines();
  payables.restate(0, { bulk_anticipation_id: "ba_1" });
  const ordered = await lines();
  payables.restate(0, { bulk_anticipation_id: null, status: "prepaid" });
  const prepaid = await lines();

  expect(unordered.found).toMatchObject([{ fee: 19, anticipationFee: 0, state: "waiting" }]);
  expect(ordered.found).toMatchObject([{ fee: 12, anticipationFee: 7, state: "waiting" }]);
  expect(prepaid.found).toMatchObject([{ fee: 12, anticipationFee: 7, state: "paid" }]);
});

it("reads what is new or otherwise: a number as an id, a day without a time, another type, an adjustment", async () => {
  const { house, provider, lines } = given();
  for (let count = 0; count < 5; count++) await provider.createCharge(pagarMeCard(house));
  const { payables } = house.book;
  payables.restate(0, { id: 11_814_386 });
  payables.restate(1, { payment_date: "2026-12-24", type: "block", amount: -5 });
  payables.restate(2, { charge_id: null });
  payables.restate(3, { payment_date: "2026-12-25T00:00:00" });
  payables.restate(4, { fee: "1.00" });

  const { found, unreadable } = await lines();

  expect(found.map(({ line }) => line)).toContain("11814386");
  expect(found).toMatchObject([
    {},
    { paidOn: "2026-12-24", type: "OTHER", gross: -5 },
    { paidOn: "2026-12-25", type: "CREDIT" },
  ]);
  expect(unreadable).toEqual([expect.stringContaining("fee")]);
});

it("follows the cursor, and gives only what a window made or changed", async () => {
  const { clock, house, provider, settlements, lines } = given();
  for (let count = 0; count < 31; count++) await provider.createCharge(pagarMeCard(house));
  const madeOn = clock.now();
  clock.advance(2 * DAY_MS);
  const boleto = pagarMeBoleto();
  await provider.createCharge(boleto);
  house.payBoleto(boleto.chargeId);

  const { found } = await lines();
  const first = { from: madeOn, to: madeOn + 1 };
  const page = await settlements.page(first, null);
  const rest = await settlements.page(first, page.kind === "known" ? page.next : null);

  expect(found).toHaveLength(32);
  expect(page).toMatchObject({ kind: "known", next: "30" });
  expect(rest).toMatchObject({ kind: "known", next: null, lines: [{}] });
});

it("is unknown where the house does not answer, and left out of a gateway's account", async () => {
  const { house, settlements } = given();
  house.faultAlways("unavailable", /payables/);

  expect(await settlements.page({ from: 0, to: 1 }, null)).toEqual({ kind: "unknown" });
  expect(pagarMeProvider(house.fetch, { config: { kind: "gateway" } }).settlements).toBe(undefined);
});
