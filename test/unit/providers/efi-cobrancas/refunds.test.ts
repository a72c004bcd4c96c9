import { expect, it } from "vitest";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { refundOrder } from "../../../support/builders/providers/provider-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider } from "../../../support/fakes/efi-cobrancas/provider.ts";

const DAY_MS = 86_400_000;
const REFUND = /\/refund$/;

async function givenCard({ credited = true } = {}) {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const provider = efiProvider("https://efi.test", efi.fetch, { clock });
  const order = efiCardOrder();
  await provider.createCharge(order);
  const { chargeId } = order;
  const charge = efi.charge(chargeId);
  if (credited) efi.pay(chargeId);
  const refundOf = (amount: number) =>
    refundOrder({ chargeId, paymentId: `efi:${charge.id}` }, amount);
  const sent = () => efi.calls.filter((call) => REFUND.test(call)).length;
  return { clock, efi, provider, charge, chargeId, refundOf, sent };
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
    refunds: [{ id, paymentId, amount: 2_500, status: "DONE" }],
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

it("a second part waits for the first one and for a day", async () => {
  const { clock, efi, provider, chargeId, refundOf, sent } = await givenCard();
  const [first, second] = [refundOf(1_000), refundOf(500)];
  await provider.sendRefund(first);
  await provider.sendRefund(second);
  clock.advance(DAY_MS);
  await provider.sendRefund(second);
  expect(sent()).toBe(1);
  efi.giveBack(chargeId);

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

it("what others gave back at Efí is a refund of theirs", async () => {
  const { efi, provider, charge, chargeId } = await givenCard();
  efi.book.change(charge, "refunded");

  expect(await provider.findCharge(chargeId)).toMatchObject({
    refunds: [{ id: `efi:${charge.id}:refunded`, amount: 2_500, status: "DONE" }],
  });
});
