import { expect, it } from "vitest";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { refundOrder } from "../../../support/builders/providers/provider-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider, MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REFUND = /\/refund$/;

async function givenCard({ credited = true } = {}) {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const refs = new MemoryRefs();
  const provider = efiProvider("https://efi.test", efi.fetch, { clock, refs });
  const order = efiCardOrder();
  await provider.createCharge(order);
  const { chargeId } = order;
  const charge = efi.charge(chargeId);
  if (credited) efi.pay(chargeId);
  const refundOf = (amount: number) =>
    refundOrder({ chargeId, paymentId: `efi:${charge.id}` }, amount);
  const sent = () => efi.calls.filter((call) => REFUND.test(call)).length;
  return { clock, efi, refs, provider, charge, chargeId, refundOf, sent };
}

it("a refund is sent once and done when Efí shows it", async () => {
  const { efi, provider, chargeId, refundOf, sent } = await givenCard();
  const refund = refundOf(2_500);
  expect(await provider.findRefund(refund)).toEqual({ kind: "not_found", neverSent: true });

  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  efi.giveBack(chargeId);

  expect(await provider.sendRefund(refund)).toEqual({ kind: "done" });
  expect(sent()).toBe(1);
  const { refundId: id, paymentId } = refund;
  expect(await provider.findCharge(chargeId)).toMatchObject({
    payments: [{ amount: 2_500 }],
    refunds: [
      { id, paymentId, amount: 2_500, status: "DONE" },
      { isSum: true, paymentId, amount: 2_500 },
    ],
  });
});

it("a refund whose answer was lost is never sent again", async () => {
  const { efi, provider, charge, refundOf, sent } = await givenCard();
  const refund = refundOf(2_500);
  efi.faultOnce("reset", REFUND);

  expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });

  expect(sent()).toBe(1);
  expect(charge.refunds).toEqual([2_500]);
});

it("a refund waits until the card's money is credited", async () => {
  const { efi, provider, chargeId, refundOf, sent } = await givenCard({ credited: false });
  const refund = refundOf(2_500);

  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  expect(await provider.findRefund(refund)).toEqual({ kind: "not_found", neverSent: true });
  expect(sent()).toBe(0);
  efi.pay(chargeId);
  await provider.sendRefund(refund);

  expect(sent()).toBe(1);
});

it("a refund that a crash cut off before it was sent is sent", async () => {
  const { clock, provider, refs, chargeId, refundOf, sent } = await givenCard();
  const refund = refundOf(2_500);
  const { refundId, amount } = refund;
  await refs.save(`refunds:${chargeId}`, [{ refundId, amount, sentAt: clock.now() }]);

  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });

  expect(sent()).toBe(1);
});

it("of two refunds at once one is sent, and the other one waits", async () => {
  const { provider, charge, refundOf, sent } = await givenCard();
  const refunds = [refundOf(1_000), refundOf(500)];

  const answers = await Promise.all(refunds.map((refund) => provider.sendRefund(refund)));

  expect(answers).toEqual([{ kind: "processing" }, { kind: "processing" }]);
  expect(sent()).toBe(1);
  expect(charge.refunds).toHaveLength(1);
});

it("a refund that two calls send at once is sent once", async () => {
  const { provider, charge, refundOf, sent } = await givenCard();
  const refund = refundOf(1_000);

  await Promise.all([provider.sendRefund(refund), provider.sendRefund(refund)]);

  expect(sent()).toBe(1);
  expect(charge.refunds).toEqual([1_000]);
});

it("a refund of all that a crash kept from being sent is sent a day later, a part never again", async () => {
  for (const amount of [2_500, 1_000]) {
    const { clock, efi, provider, chargeId, refundOf, sent } = await givenCard();
    const refund = refundOf(amount);
    efi.faultOnce("unavailable", REFUND);
    await provider.sendRefund(refund);
    clock.advance(DAY_MS - 1);
    expect(await provider.findRefund(refund)).toEqual({ kind: "processing" });
    clock.advance(1);

    const isWhole = amount === 2_500;
    expect((await provider.findRefund(refund)).kind).toBe(isWhole ? "not_found" : "processing");
    await provider.sendRefund(refund);

    expect(sent()).toBe(isWhole ? 1 : 0);
    if (!isWhole) continue;
    efi.giveBack(chargeId);
    expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
  }
});

it("a repeat that Efí refuses says nothing of the first attempt", async () => {
  const { clock, efi, provider, charge, refundOf, sent } = await givenCard();
  const refund = refundOf(2_500);
  efi.faultOnce("reset", REFUND);
  await provider.sendRefund(refund);
  charge.history.pop();
  clock.advance(DAY_MS);
  efi.book.refund = () => efi.book.definePayment(charge, { payment: charge.payment });

  expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });

  expect(sent()).toBe(2);
  efi.book.change(charge, "refunded");
  expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
});

it("a refund that a chargeback overtook is done, and the chargeback has the rest", async () => {
  const { efi, provider, charge, chargeId, refundOf } = await givenCard();
  const refund = refundOf(1_000);
  await provider.sendRefund(refund);
  efi.book.change(charge, "contested");
  expect(await provider.findCharge(chargeId)).toMatchObject({
    disputes: [{ status: "OPEN" }],
    refunds: [{ status: "PROCESSING" }],
  });

  efi.book.change(charge, "refunded");

  expect(await provider.findCharge(chargeId)).toMatchObject({
    disputes: [{ status: "LOST", amount: 1_500, isOfRest: true }],
    refunds: [{ id: refund.refundId, amount: 1_000, status: "DONE" }],
  });
});

it("a chargeback that a refund of all leaves nothing is won: the money went back once", async () => {
  const { efi, provider, charge, chargeId, refundOf } = await givenCard();
  const refund = refundOf(2_500);
  await provider.sendRefund(refund);
  efi.book.change(charge, "contested");
  expect(await provider.findCharge(chargeId)).toMatchObject({ disputes: [{ status: "OPEN" }] });

  efi.book.change(charge, "refunded");

  expect(await provider.findCharge(chargeId)).toMatchObject({
    disputes: [{ status: "WON", amount: 2_500 }],
    refunds: [{ id: refund.refundId, amount: 2_500, status: "DONE" }],
  });
});

it("a refund that a restore has made forgotten is not sent a second time", async () => {
  const { clock, efi, provider, refs, charge, chargeId, refundOf, sent } = await givenCard();
  const [part, whole] = [refundOf(1_000), refundOf(2_500)];
  await provider.sendRefund(whole);
  refs.refs.clear();
  expect(await provider.findRefund(whole)).toMatchObject({ neverSent: true });
  refs.isRestored = true;
  clock.advance(11 * 60_000);

  expect(await provider.findRefund(part)).toEqual({ kind: "unknown" });
  expect(await provider.findRefund(whole)).toEqual({ kind: "unknown" });
  efi.giveBack(chargeId);
  expect(await provider.findRefund(whole)).toEqual({ kind: "done" });
  expect(sent()).toBe(1);
  // Where Efí shows nothing of it, it never was.
  Object.assign(charge, { status: "paid", history: [] });
  expect(await provider.findRefund(whole)).toMatchObject({ neverSent: true });
  expect(await provider.findRefund(part)).toEqual({ kind: "unknown" });
});

it("a refund is done also where Efí's clock is some minutes behind ours", async () => {
  const { efi, provider, charge, chargeId, refundOf } = await givenCard();
  const refund = refundOf(1_000);
  await provider.sendRefund(refund);
  efi.giveBack(chargeId);
  const behind = new TestClock();
  behind.advance(-4 * 60_000);
  charge.history.at(-1)!.created_at = new FakeEfi(behind).book.time();

  expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
});

it("a second part waits for the first one and for a day", async () => {
  const { clock, efi, provider, chargeId, refundOf, sent } = await givenCard();
  const [first, second] = [refundOf(1_000), refundOf(500)];
  await provider.sendRefund(first);
  await provider.sendRefund(second);
  clock.advance(DAY_MS + HOUR_MS);
  await provider.sendRefund(second);
  expect(sent()).toBe(1);
  efi.giveBack(chargeId);
  clock.advance(-1);
  await provider.sendRefund(second);
  expect(sent()).toBe(1);
  clock.advance(1);

  await provider.sendRefund(second);

  expect(sent()).toBe(2);
  expect(await provider.findRefund(first)).toEqual({ kind: "done" });
  expect(await provider.findRefund(second)).toEqual({ kind: "processing" });
});

it("a refused refund was never sent", async () => {
  const { efi, provider, charge, refundOf } = await givenCard();
  const refund = refundOf(2_500);
  efi.book.refund = () => efi.book.definePayment(charge, { payment: charge.payment });

  expect(await provider.sendRefund(refund)).toMatchObject({ kind: "failed" });

  expect(await provider.findRefund(refund)).toEqual({ kind: "not_found", neverSent: true });
});

it.each([
  [2_500, 360],
  [1_000, 90],
])("a refund of %i centavos is too late after %i days", async (amount, days) => {
  const { clock, provider, refundOf, sent } = await givenCard();
  clock.advance(days * DAY_MS + 1_000);

  expect(await provider.sendRefund(refundOf(amount))).toMatchObject({ kind: "failed" });

  expect(sent()).toBe(0);
});

it("a boleto is not given back by API", async () => {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const provider = efiProvider("https://efi.test", efi.fetch, { clock });
  const order = efiBoletoOrder();
  await provider.createCharge(order);
  efi.pay(order.chargeId);
  const { chargeId } = order;
  const paymentId = `efi:${efi.charge(chargeId).id}`;

  expect(await provider.sendRefund(refundOrder({ chargeId, paymentId }, 1))).toMatchObject({
    kind: "failed",
  });
});

it("what went back whole at Efí is told as a sum, so that a forgotten refund of ours is not taken twice", async () => {
  const { clock, efi, provider, refs, charge, chargeId, refundOf } = await givenCard();
  const { refundId } = refundOf(1_000);
  const sum = { id: `efi:${charge.id}:refunded`, amount: 2_500, status: "DONE", isSum: true };
  await refs.save(`refunds:${chargeId}`, [{ refundId, amount: 1_000, sentAt: clock.now() }]);
  efi.book.change(charge, "refunded");
  expect(await provider.findCharge(chargeId)).toMatchObject({
    refunds: [{ id: refundId, amount: 1_000, status: "DONE" }, sum],
  });

  refs.refs.clear();
  refs.isRestored = true;
  clock.advance(11 * 60_000);

  expect(await provider.findCharge(chargeId)).toMatchObject({ refunds: [sum] });
});

it("an unanswered refund of a part holds the next one up until it has failed by the word of operators", async () => {
  const { clock, efi, provider, chargeId, refundOf, sent } = await givenCard();
  const [lost, next] = [refundOf(1_000), refundOf(500)];
  efi.faultOnce("unavailable", REFUND);
  await provider.sendRefund(lost);
  clock.advance(26 * HOUR_MS);
  expect(await provider.sendRefund(next)).toEqual({ kind: "processing" });
  expect(sent()).toBe(0);

  const told = { ...next, failedBefore: [lost.refundId] };
  expect(await provider.sendRefund(told)).toEqual({ kind: "processing" });
  expect(sent()).toBe(1);
  expect(await provider.findRefund(told)).toEqual({ kind: "processing" });
  efi.giveBack(chargeId);
  expect(await provider.findRefund(told)).toEqual({ kind: "done" });
});

it("a refund that Efí never answered is told only once Efí shows it, one that it took at once", async () => {
  const { clock, efi, provider, chargeId, refundOf } = await givenCard();
  const [lost, next] = [refundOf(1_000), refundOf(500)];
  efi.faultOnce("unavailable", REFUND);
  await provider.sendRefund(lost);
  expect(await provider.findCharge(chargeId)).toMatchObject({ refunds: [] });

  clock.advance(26 * HOUR_MS);
  await provider.sendRefund({ ...next, failedBefore: [lost.refundId] });
  const told = { id: next.refundId, amount: 500 };
  expect(await provider.findCharge(chargeId)).toMatchObject({
    refunds: [{ ...told, status: "PROCESSING" }],
  });

  efi.giveBack(chargeId);
  expect(await provider.findCharge(chargeId)).toMatchObject({
    refunds: [{ ...told, status: "DONE" }],
  });
});
