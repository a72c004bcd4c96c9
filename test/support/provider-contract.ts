import { describe, expect, it } from "vitest";
import type { PaymentMethod } from "../../src/domain/charge-status.ts";
import type { Cents } from "../../src/domain/money.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { boletoOrder, cardOrder, payoutOrder, pixOrder, refundOrder } from "./provider-orders.ts";

/** A provider under test, and the world behind it. */
export interface ContractSubject {
  provider: Provider;
  /** Somebody pays a charge. Answers the payment's id. */
  pay: (chargeId: string, amount: Cents) => Promise<string>;
  /** Somebody pays to the company's key, for no charge. */
  payKey: (amount: Cents) => Promise<string>;
}

/** What a provider says that it does. */
export interface ContractScope {
  methods: readonly PaymentMethod[];
  /** Whether it lists what came. */
  lists: boolean;
}

/** What can go wrong on the way to a provider, and what it has truly done. */
export interface ProviderFaults {
  /** Each by name: from then on no answer can be understood. */
  unclear: Record<string, () => void>;
  /** From then on everything is done, and no answer comes. */
  loseAnswers: () => void;
  mend: () => void;
  /** How much of a payment went back, centavos. */
  refunded: (paymentId: string) => Cents;
  /** How often money left for a payout. */
  paidOut: (payoutId: string) => number;
}

const ONE_DAY_MS = 86_400_000;
const ORDERS = { PIX: pixOrder, BOLETO: boletoOrder, CREDIT_CARD: cardOrder };

/**
 * What every provider must keep (`src/providers/provider.ts`): an id names one thing however often
 * it is sent, "not found" is said only of what is not there, and what is not understood is unknown.
 */
export function providerContract(
  name: string,
  { methods, lists }: ContractScope,
  make: () => ContractSubject,
): void {
  describe(`${name} keeps the provider's contract:`, () => {
    it("it takes the methods it says", async () => {
      expect(make().provider.paymentMethods).toEqual(methods);
    });

    it.each(methods)("a charge by %s asked for twice is one charge", async (method) => {
      const { provider } = make();
      const asked = ORDERS[method]();

      const first = await provider.createCharge(asked);

      expect(["registered", "decided"]).toContain(first.kind);
      expect(await provider.createCharge(asked)).toEqual(first);
    });

    it("what nobody asked for is not there, or is without money", async () => {
      const { provider } = make();
      const { chargeId } = pixOrder();
      const paymentId = "E00000000202611210000abcdefghijk";

      const charge = await provider.findCharge(chargeId);

      expect(charge.kind === "known" ? charge.payments : []).toEqual([]);
      expect(charge.kind).not.toBe("unknown");
      expect(await provider.findPayment(paymentId)).toEqual({ kind: "not_found" });
      expect(await provider.findRefund(refundOrder({ chargeId, paymentId }, 1))).toEqual({
        kind: "not_found",
      });
      expect(await provider.findPayout(payoutOrder().payoutId)).toEqual({ kind: "not_found" });
    });

    it("a payment shows with its charge, and one for no charge by itself", async () => {
      const { provider, pay, payKey } = make();
      const order = pixOrder();
      await provider.createCharge(order);

      const paymentId = await pay(order.chargeId, order.amount);
      const stray = await payKey(1_234);

      const paid = { paymentId, method: "PIX", amount: order.amount, paidAt: expect.any(Number) };
      expect(await provider.findCharge(order.chargeId)).toMatchObject({
        kind: "known",
        payments: [paid],
        disputes: [],
      });
      const { paidAt, ...alone } = { ...paid, paymentId: stray, amount: 1_234 };
      expect(await provider.findPayment(stray)).toMatchObject({
        kind: "known",
        chargeId: null,
        payment: { ...alone, paidAt },
      });
    });

    it("what came is listed page by page, or the provider says that it cannot", async () => {
      const { provider, pay, payKey } = make();
      const order = pixOrder();
      await provider.createCharge(order);
      const paymentId = await pay(order.chargeId, order.amount);
      const stray = await payKey(1_234);
      const window = { from: Date.now() - ONE_DAY_MS, to: Date.now() + ONE_DAY_MS };

      const recent = await provider.recentPayments(window, 0);
      const before = { from: window.from - ONE_DAY_MS, to: window.from };

      expect(recent.kind).toBe(lists ? "known" : "unknown");
      if (recent.kind === "unknown") return;
      const seen = recent.payments.map((payment) => [payment.paymentId, payment.chargeId]);
      expect(seen).toContainEqual([paymentId, order.chargeId]);
      expect(seen).toContainEqual([stray, null]);
      expect(await provider.recentPayments(before, 0)).toEqual({
        kind: "known",
        payments: [],
        hasMore: false,
      });
    });

    it("a cancel may be repeated, and never touches what was paid", async () => {
      const { provider, pay } = make();
      const [open, paid] = [pixOrder(), pixOrder()];
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

    it("a refund by one id goes back once, and none beyond what is left", async () => {
      const { provider, pay } = make();
      expect(provider.idempotentRefunds).toBe(true);
      const order = pixOrder();
      await provider.createCharge(order);
      const { chargeId } = order;
      const paymentId = await pay(chargeId, order.amount);
      const refund = refundOrder({ chargeId, paymentId }, order.amount - 1);

      const first = await provider.sendRefund(refund);

      expect(["done", "processing"]).toContain(first.kind);
      expect(await provider.sendRefund(refund)).toEqual(first);
      expect(await provider.findRefund(refund)).toEqual(first);
      const rest = (amount: Cents) => refundOrder({ chargeId, paymentId }, amount);
      expect((await provider.sendRefund(rest(2))).kind).toBe("failed");
      expect(["done", "processing"]).toContain((await provider.sendRefund(rest(1))).kind);
    });

    it("a payout by one id is one payout", async () => {
      const { provider } = make();
      expect(provider.idempotentPayouts).toBe(true);
      const order = payoutOrder();

      const first = await provider.sendPayout(order);

      expect(["paid", "processing"]).toContain(first.kind);
      expect(await provider.sendPayout(order)).toEqual(first);
      expect(await provider.findPayout(order.payoutId)).toEqual(first);
    });

    if (methods.includes("CREDIT_CARD")) cardContract(make);
  });
}

function cardContract(make: () => ContractSubject): void {
  it("an authorized card is captured once, or let go", async () => {
    const { provider } = make();
    const [taken, voided] = [cardOrder({ capture: false }), cardOrder({ capture: false })];
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

/** What a provider that something can come between must keep besides. */
export function faultContract(name: string, make: () => ContractSubject & ProviderFaults): void {
  describe(`${name} is unknown rather than wrong:`, () => {
    it("what was done and never told is found by its id, and done no second time", async () => {
      const { provider, pay, ...faults } = make();
      const [order, payout] = [pixOrder(), payoutOrder()];
      faults.loseAnswers();
      expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
      expect(await provider.sendPayout(payout)).toEqual({ kind: "unknown" });
      faults.mend();

      expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "open" });
      expect((await provider.createCharge(order)).kind).toBe("registered");
      const paymentId = await pay(order.chargeId, order.amount);
      const refund = refundOrder({ chargeId: order.chargeId, paymentId }, order.amount);
      faults.loseAnswers();
      expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
      faults.mend();

      expect((await provider.findRefund(refund)).kind).toMatch(/done|processing/);
      expect((await provider.sendRefund(refund)).kind).toMatch(/done|processing/);
      expect(faults.refunded(paymentId)).toBe(order.amount);
      expect((await provider.findPayout(payout.payoutId)).kind).toMatch(/paid|processing/);
      expect((await provider.sendPayout(payout)).kind).toMatch(/paid|processing/);
      expect(faults.paidOut(payout.payoutId)).toBe(1);
    });

    it("what cannot be understood is unknown: never success, never failure", async () => {
      const { provider, pay, ...faults } = make();
      const [order, payout] = [pixOrder(), payoutOrder()];
      await provider.createCharge(order);
      await provider.sendPayout(payout);
      const { chargeId } = order;
      const paymentId = await pay(chargeId, order.amount);
      const refund = refundOrder({ chargeId, paymentId }, 1);
      await provider.sendRefund(refund);
      for (const [fault, begin] of Object.entries(faults.unclear)) {
        begin();
        const answers = await Promise.all([
          provider.createCharge(pixOrder()),
          provider.findCharge(chargeId),
          provider.findPayment(paymentId),
          provider.cancelCharge(chargeId),
          provider.sendRefund(refund),
          provider.findRefund(refund),
          provider.sendPayout(payout),
          provider.findPayout(payout.payoutId),
          provider.recentPayments({ from: 0, to: Date.now() }, 0),
        ]);
        expect.soft(new Set(answers.map(({ kind }) => kind)), fault).toEqual(new Set(["unknown"]));
        faults.mend();
      }
      expect((await provider.findCharge(chargeId)).kind).toBe("known");
    });
  });
}
