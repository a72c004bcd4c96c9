import { expect, it } from "vitest";
import { refundOrder } from "../../../support/builders/providers/provider-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";
import { FakePagarMe } from "../../../support/fakes/pagarme/house.ts";
import {
  pagarMeCard,
  pagarMeBoleto,
  pagarMeProvider,
} from "../../../support/fakes/pagarme/provider.ts";

const HOUR_MS = 60 * 60_000;
const NEVER_SENT = { kind: "not_found", neverSent: true };
const DELETE = /^DELETE/;

async function givenPaid() {
  const clock = new TestClock();
  const house = new FakePagarMe(clock);
  const provider = pagarMeProvider(house.fetch, { clock });
  const { chargeId } = await create();
  const charge = house.book.chargeOf(chargeId);
  return { clock, house, provider, chargeId, charge, paymentId: `pgm:${charge.id}` };

  async function create() {
    const order = pagarMeCard(house);
    await provider.createCharge(order);
    return order;
  }
}

it("a lost refund is sent again under its key, and given back once", async () => {
  const { house, provider, charge, ...paid } = await givenPaid();
  const refund = refundOrder(paid, 1_000);
  expect(await provider.findRefund(refund)).toEqual(NEVER_SENT);
  house.faultAlways("reset", DELETE);
  expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
  house.clearFaults();

  expect(await provider.findRefund(refund)).toEqual(NEVER_SENT);
  expect(await provider.sendRefund(refund)).toEqual({ kind: "done" });

  expect(charge.canceled_amount).toBe(1_000);
  expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
});

it("a refund whose key is forgotten is not sent again where money went back since", async () => {
  const { clock, house, provider, charge, ...paid } = await givenPaid();
  const refund = refundOrder(paid, 1_000);
  house.faultAlways("reset", DELETE);
  await provider.sendRefund(refund);
  house.clearFaults();
  clock.advance(26 * HOUR_MS);

  expect(await provider.findRefund(refund)).toEqual({ kind: "unknown" });
  expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });

  expect(charge.canceled_amount).toBe(1_000);
});

it("a refund that never came there is sent anew once its key is surely forgotten", async () => {
  const { clock, house, provider, charge, ...paid } = await givenPaid();
  const refund = refundOrder(paid, 1_000);
  house.faultAlways("unavailable", DELETE);
  await provider.sendRefund(refund);
  house.clearFaults();

  clock.advance(24 * HOUR_MS);
  expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
  expect(charge.canceled_amount).toBeUndefined();
  clock.advance(2 * HOUR_MS);

  expect(await provider.findRefund(refund)).toEqual(NEVER_SENT);
  expect(await provider.sendRefund(refund)).toEqual({ kind: "done" });
  expect(charge.canceled_amount).toBe(1_000);
});

it("a refund that waits is processing, also where its key repeats the first answer", async () => {
  const { house, provider, charge, ...paid } = await givenPaid();
  const refund = refundOrder(paid, 2_500);
  house.lieOnce("refund_waits");

  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  expect(await provider.findCharge(paid.chargeId)).toMatchObject({ refunds: [] });
  charge.last_transaction.status = "error_on_refunding";
  expect(await provider.sendRefund(refund)).toEqual({ kind: "processing" });
  charge.last_transaction.status = "refunded";

  expect(await provider.sendRefund(refund)).toEqual({ kind: "done" });
});

it("a refund is not sent while one of its charge that was sent before has no end", async () => {
  const { house, provider, charge, ...paid } = await givenPaid();
  const [first, second] = [refundOrder(paid, 1_000), refundOrder(paid, 1_200)];
  house.lieOnce("refund_waits");
  await provider.sendRefund(first);
  Object.assign(charge, { status: "paid", canceled_amount: 0 });
  charge.last_transaction.status = "error_on_refunding";
  const waits = { ...second, sentBefore: [first.refundId] };

  expect(await provider.sendRefund(waits)).toEqual({ kind: "processing" });
  expect(await provider.sendRefund(first)).toEqual({ kind: "processing" });
  expect(charge.canceled_amount).toBe(0);

  Object.assign(charge, { status: "partial_canceled", canceled_amount: 1_000 });
  charge.last_transaction.status = "partial_refunded";
  expect(await provider.sendRefund(first)).toEqual({ kind: "done" });
  expect(await provider.findRefund(second)).toEqual(NEVER_SENT);
  expect(await provider.sendRefund(second)).toEqual({ kind: "done" });
  expect(charge.canceled_amount).toBe(2_200);
});

it("a refusal is a failure only where less went back than was ordered", async () => {
  const { house, provider, charge, ...paid } = await givenPaid();
  const [beyond, doubted] = [refundOrder(paid, 2_501), refundOrder(paid, 400)];
  expect(await provider.sendRefund(beyond)).toEqual({
    kind: "failed",
    reason: "The amount exceeds the charge's.",
  });
  house.faultAlways("unavailable", DELETE);
  await provider.sendRefund(doubted);
  house.clearFaults();
  // Others gave all of it back.
  house.book.cancel(charge.id);

  expect(await provider.sendRefund(doubted)).toEqual({ kind: "unknown" });
});

it.each(["counted", "counted until a refund", "not counted"])(
  "a refund of a partly captured card ends, its released rest %s",
  async (how) => {
    const { house, provider } = await givenPaid();
    const order = pagarMeCard(house, { capture: false });
    await provider.createCharge(order);
    await provider.captureCharge(order.chargeId, 1_600);
    const charge = house.book.chargeOf(order.chargeId);
    const paid = { chargeId: order.chargeId, paymentId: `pgm:${charge.id}` };
    if (how === "not counted") delete charge.canceled_amount;
    await provider.findCharge(order.chargeId);
    const counted = (amount: number) => {
      if (how !== "counted") charge.canceled_amount = amount;
    };
    const backOf = async () => {
      const report = await provider.findCharge(order.chargeId);
      return report.kind === "known" ? report.refunds.map(({ amount }) => amount) : null;
    };
    expect(await backOf()).toEqual([]);
    const [part, rest] = [refundOrder(paid, 850), refundOrder(paid, 750)];

    await provider.sendRefund(part);
    counted(850);
    expect(await provider.sendRefund(part)).toEqual({ kind: "done" });
    expect(await backOf()).toEqual([850]);
    await provider.sendRefund(rest);
    counted(1_600);

    expect(await provider.sendRefund(rest)).toEqual({ kind: "done" });
    expect(await backOf()).toEqual([1_600]);
  },
);

it("what a capture released is no refund in the house's answer to one, either", async () => {
  const { house, clock } = await givenPaid();
  const refs = new MemoryRefs();
  const order = pagarMeCard(house, { capture: false });
  const provider = pagarMeProvider(house.fetch, { clock, refs });
  await provider.createCharge(order);
  await provider.captureCharge(order.chargeId, 1_600);
  await provider.findCharge(order.chargeId);
  const { id } = house.book.chargeOf(order.chargeId);
  // The house takes the order, and answers with the charge as it is before.
  const later = pagarMeProvider(
    (request) =>
      request.method === "DELETE"
        ? house.fetch(new Request(request.url, { headers: request.headers }))
        : house.fetch(request),
    { clock, refs },
  );

  const refund = refundOrder({ chargeId: order.chargeId, paymentId: `pgm:${id}` }, 850);
  expect(await later.sendRefund(refund)).toEqual({ kind: "processing" });
});

it("a released rest that nobody saw counts as released as far as it can", async () => {
  const { house, provider } = await givenPaid();
  const order = pagarMeCard(house, { capture: false });
  await provider.createCharge(order);
  const charge = house.book.chargeOf(order.chargeId);
  house.book.capture(charge.id, { amount: 1_600 });
  house.book.cancel(charge.id, { amount: 100 });

  expect(await provider.findCharge(order.chargeId)).toMatchObject({ refunds: [{ amount: 100 }] });
  charge.canceled_amount = 800;
  expect(await provider.findCharge(order.chargeId)).toMatchObject({ refunds: [{ amount: 800 }] });
});

it("a refund that a restore has made forgotten is sent only where nothing went back", async () => {
  const { house, clock, chargeId, charge, paymentId } = await givenPaid();
  const refs = new MemoryRefs();
  const provider = pagarMeProvider(house.fetch, { clock, refs });
  const refund = refundOrder({ chargeId, paymentId }, 1_000);
  refs.isRestored = true;
  expect(await provider.findRefund(refund)).toEqual(NEVER_SENT);

  house.book.cancel(charge.id, { amount: 1_000 });
  expect(await provider.findRefund(refund)).toEqual({ kind: "unknown" });
  charge.last_transaction.status = "waiting_cancellation";
  expect(await provider.findRefund(refund)).toEqual({ kind: "unknown" });
  house.book.cancel(charge.id);
  expect(await provider.findRefund(refund)).toEqual({ kind: "done" });
  refs.isRestored = false;
  expect(await provider.findRefund(refund)).toEqual(NEVER_SENT);
});

it("the sum of what went back is told, whoever ordered it", async () => {
  const { house, provider, charge, ...paid } = await givenPaid();
  await provider.sendRefund(refundOrder(paid, 500));
  house.book.cancel(charge.id, { amount: 700 });

  expect(await provider.findCharge(paid.chargeId)).toMatchObject({
    refunds: [{ id: "sum", isSum: true, paymentId: paid.paymentId, amount: 1_200, status: "DONE" }],
  });
});

it("nothing is given back of an authorization, a boleto or another charge's payment", async () => {
  const { house, provider, ...paid } = await givenPaid();
  const [held, boleto] = [pagarMeCard(house, { capture: false }), pagarMeBoleto()];
  await provider.createCharge(held);
  await provider.createCharge(boleto);
  house.payBoleto(boleto.chargeId, 2_500);
  house.seen.length = 0;

  for (const payment of [
    { chargeId: held.chargeId, paymentId: null },
    { chargeId: boleto.chargeId, paymentId: null },
    { chargeId: paid.chargeId, paymentId: "pgm:ch_1" },
    { chargeId: null, paymentId: paid.paymentId },
  ]) {
    expect((await provider.sendRefund(refundOrder(payment, 100))).kind).toBe("failed");
  }

  expect(house.seen.filter(({ call }) => DELETE.test(call))).toEqual([]);
});
