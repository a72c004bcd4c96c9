import { describe, expect, it } from "vitest";
import { LIST_NAMES } from "../../../../src/domain/reconciliation/reconciliation.ts";
import type { Cents } from "../../../../src/domain/shared/money.ts";
import type { ChargeOrder } from "../../../../src/providers/charge.ts";
import { payoutOrder, pixOrder, refundOrder } from "../../builders/providers/provider-orders.ts";
import {
  orderOf,
  ordersOf,
  paidCharge,
  type ContractScope,
  type ContractSubject,
} from "./contract-scope.ts";

const ONE_DAY_MS = 86_400_000;

/**
 * The contract of every provider (`src/providers/provider.ts`): a repeated id has one effect,
 * "not found" means that the object does not exist, and an unreadable response is unknown.
 */
export function providerContract(
  name: string,
  scope: ContractScope,
  make: () => ContractSubject,
): void {
  const { methods, lists, lacks = [] } = scope;
  const orders = ordersOf(scope);
  const pushOrder = orderOf(scope);
  describe(`${name} keeps the provider contract:`, () => {
    it("it has the declared payment methods", async () => {
      expect(make().provider.paymentMethods).toEqual(methods);
    });

    it.each(methods)("a %s charge that is requested twice is one charge", async (method) => {
      const { provider } = make();
      const asked = orders[method]();

      const first = await provider.createCharge(asked);

      expect(["registered", "decided"]).toContain(first.kind);
      expect(await provider.createCharge(asked)).toEqual(first);
    });

    it("an unknown object is not found or has no money", async () => {
      const { provider } = make();
      const { chargeId } = pixOrder();
      const paymentId = "E00000000202611210000abcdefghijk";

      const charge = await provider.findCharge(chargeId);

      expect(charge.kind === "known" ? charge.payments : []).toEqual([]);
      expect(charge.kind).not.toBe("unknown");
      expect(await provider.findPayment(paymentId)).toEqual({ kind: "not_found" });
      expect(await provider.findRefund(refundOrder({ chargeId, paymentId }, 1))).toMatchObject({
        kind: "not_found",
      });
      expect(await provider.findPayout(payoutOrder().payoutId)).toEqual({
        kind: lacks.includes("payouts") ? "unknown" : "not_found",
      });
    });

    it("a payment is found with its charge", async () => {
      const { provider, pay } = make();
      const order = pushOrder();
      await provider.createCharge(order);

      const paymentId = await pay(order.chargeId, order.amount);

      const { amount, paymentMethod: method } = order;
      const paid = { paymentId, method, amount, paidAt: expect.any(Number) };
      expect(await provider.findCharge(order.chargeId)).toMatchObject({
        kind: "known",
        payments: [paid],
        disputes: [],
      });
      expect(await provider.findPayment(paymentId)).toMatchObject({
        kind: "known",
        payment: { ...paid, chargeId: order.chargeId },
      });
    });

    if (!lacks.includes("stray_payments")) strayContract(make);

    it("it returns the declared lists, and any other list is unknown, not empty", async () => {
      const { provider, pay } = make();
      const order = pushOrder();
      await provider.createCharge(order);
      await pay(order.chargeId, order.amount);
      const before = { from: Date.now() - 2 * ONE_DAY_MS, to: Date.now() - ONE_DAY_MS };
      const empty = { kind: "known", records: [], unreadable: [], hasMore: false };

      expect(provider.lists).toEqual(lists);
      for (const list of LIST_NAMES) {
        const answer = await provider.list(list, before, 0);
        expect.soft(answer, list).toEqual(lists.includes(list) ? empty : { kind: "unknown" });
      }
      const hasBalance = lists.length > 0 && !lacks.includes("balance");
      expect((await provider.balance()).kind).toBe(hasBalance ? "known" : "unsupported");
    });

    it("a cancel can be repeated and does not affect a payment", async () => {
      const { provider, pay } = make();
      const [open, paid] = [pushOrder(), pushOrder()];
      await provider.createCharge(open);
      await provider.createCharge(paid);
      await pay(paid.chargeId, paid.amount);

      expect(await provider.cancelCharge(open.chargeId)).toEqual({ kind: "cancelled" });
      expect(await provider.cancelCharge(open.chargeId)).toEqual({ kind: "cancelled" });

      expect(await provider.findCharge(open.chargeId)).toMatchObject({ status: "cancelled" });
      expect((await provider.cancelCharge(paid.chargeId)).kind).toBe("refused");
      expect(await provider.findCharge(paid.chargeId)).toMatchObject({
        payments: [{ amount: paid.amount }],
      });
      expect((await provider.captureCharge(paid.chargeId, paid.amount)).kind).toBe("refused");
    });

    if (!lacks.includes("refund_ids")) refundContract(scope, make);
    if (!lacks.includes("payouts")) payoutContract(make);
    if (methods.includes("CREDIT_CARD") && !lacks.includes("captures"))
      cardContract(orders.CREDIT_CARD, make);
    if (methods.includes("CREDIT_CARD") && !lacks.includes("saved_cards"))
      savedCardContract(orders.CREDIT_CARD, make);
  });
}

function strayContract(make: () => ContractSubject): void {
  it("a payment without a charge is found by itself", async () => {
    const { provider, payKey } = make();

    const paymentId = await payKey(1_234);

    expect(await provider.findPayment(paymentId)).toMatchObject({
      kind: "known",
      payment: { paymentId, amount: 1_234, chargeId: null },
    });
  });
}

function refundContract(scope: ContractScope, make: () => ContractSubject): void {
  const isLasting = scope.lacks?.includes("lasting_refund_ids") !== true;
  it("a refund with one id is paid once, and never above the remaining amount", async () => {
    const subject = make();
    const { provider } = subject;
    expect(provider.idempotentRefunds).toBe(isLasting);
    const { chargeId, paymentId, amount: paid } = await paidCharge(subject, scope);
    const refund = refundOrder({ chargeId, paymentId }, paid - 1);

    const first = await provider.sendRefund(refund);

    expect(["done", "processing"]).toContain(first.kind);
    expect(await provider.sendRefund(refund)).toEqual(first);
    expect(await provider.findRefund(refund)).toEqual(first);
    const rest = (amount: Cents) => refundOrder({ chargeId, paymentId }, amount);
    expect((await provider.sendRefund(rest(2))).kind).toBe("failed");
    expect(["done", "processing"]).toContain((await provider.sendRefund(rest(1))).kind);
  });
}

function payoutContract(make: () => ContractSubject): void {
  it("a payout with one id is paid once", async () => {
    const { provider } = make();
    expect(provider.idempotentPayouts).toBe(true);
    const order = payoutOrder();

    const first = await provider.sendPayout(order);

    expect(["paid", "processing"]).toContain(first.kind);
    expect(await provider.sendPayout(order)).toEqual(first);
    expect(await provider.findPayout(order.payoutId)).toEqual(first);
  });
}

type CardOrder = Extract<ChargeOrder, { paymentMethod: "CREDIT_CARD" }>;

/** The order of a card that is captured later. */
function authorization(order: CardOrder): CardOrder {
  return { ...order, card: { ...order.card, capture: false } };
}

function cardContract(cardOrder: () => CardOrder, make: () => ContractSubject): void {
  it("an authorized card is captured once or voided", async () => {
    const { provider } = make();
    const [taken, voided] = [authorization(cardOrder()), authorization(cardOrder())];
    for (const order of [taken, voided]) {
      expect(await provider.createCharge(order)).toMatchObject({
        charge: { status: "authorized" },
      });
    }

    expect(await provider.captureCharge(taken.chargeId, 2_000)).toEqual({ kind: "captured" });
    expect(await provider.captureCharge(taken.chargeId, 2_000)).toEqual({ kind: "captured" });
    expect((await provider.captureCharge(taken.chargeId, 500)).kind).toBe("refused");
    expect(await provider.cancelCharge(voided.chargeId)).toEqual({ kind: "cancelled" });
    expect((await provider.captureCharge(voided.chargeId, 2_500)).kind).toBe("refused");

    const report = await provider.findCharge(taken.chargeId);
    expect(report.kind === "known" && report.payments).toMatchObject([
      { method: "CREDIT_CARD", amount: 2_000 },
    ]);
  });
}

function savedCardContract(cardOrder: () => CardOrder, make: () => ContractSubject): void {
  it("a saved card is told alike by the create and the look-up, charged again and deleted", async () => {
    const { provider } = make();
    const first = cardOrder();
    const made = await provider.createCharge({ ...first, card: { ...first.card, save: true } });
    const savedCard = made.kind === "decided" ? (made.charge.card?.savedCard ?? "") : "";
    expect(savedCard).not.toBe("");
    expect(await provider.findCharge(first.chargeId)).toMatchObject({ card: { savedCard } });

    for (const by of [{}, { initiatedBy: "merchant" } as const]) {
      const again = cardOrder();
      const card = { ...again.card, source: { savedCard }, ...by };
      expect(provider.orderFaults({ ...again, card })).toEqual({});
      expect(await provider.createCharge({ ...again, card })).toMatchObject({
        charge: { payments: [{ amount: again.amount }] },
      });
    }
    for (let times = 0; times < 2; times++) {
      expect(await provider.deleteCard(savedCard, [])).toEqual({ kind: "deleted" });
    }
  });
}
