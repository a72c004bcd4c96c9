import { describe, expect, it } from "vitest";
import type { Cents } from "../../../../src/domain/shared/money.ts";
import { LIST_NAMES } from "../../../../src/domain/reconciliation/reconciliation.ts";
import { payoutOrder, refundOrder } from "../../builders/providers/provider-orders.ts";
import {
  orderOf,
  type ContractScope,
  type ContractSubject,
  type PushOrder,
} from "./contract-scope.ts";

/** Faults between the gateway and a provider, and the provider's true state. */
interface ProviderFaults {
  /** Faults by name: each makes every response unreadable. */
  unintelligible: Record<string, () => void>;
  /** Every request takes effect and its response is lost. */
  loseResponses: () => void;
  clearFaults: () => void;
  /** The refunded amount of a payment, in centavos. */
  refundedAmount: (paymentId: string) => Cents;
  /** How often a payout was paid. */
  payoutCount: (payoutId: string) => number;
}

/** The contract of a provider behind an unreliable network. */
export function faultContract(
  name: string,
  scope: ContractScope,
  make: () => ContractSubject & ProviderFaults,
): void {
  const { lacks = [] } = scope;
  const pushOrder = orderOf(scope);
  describe(`${name} under faults:`, () => {
    it("a charge whose response was lost is found by its id and is one charge", async () => {
      const { provider, ...faults } = make();
      const order = pushOrder();
      faults.loseResponses();
      expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
      faults.clearFaults();

      expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "open" });
      expect((await provider.createCharge(order)).kind).toBe("registered");
    });

    it("an unreadable response is unknown, neither success nor failure", async () => {
      const { provider, pay, ...faults } = make();
      const [order, payout] = [pushOrder(), payoutOrder()];
      await provider.createCharge(order);
      await provider.sendPayout(payout);
      const { chargeId } = order;
      const paymentId = await pay(chargeId, order.amount);
      const refund = refundOrder({ chargeId, paymentId }, 1);
      await provider.sendRefund(refund);
      for (const [fault, begin] of Object.entries(faults.unintelligible)) {
        begin();
        const answers = await Promise.all([
          provider.createCharge(pushOrder()),
          provider.findCharge(chargeId),
          provider.findPayment(paymentId),
          provider.cancelCharge(chargeId),
          provider.sendRefund(refund),
          ...(lacks.includes("refund_ids") ? [] : [provider.findRefund(refund)]),
          provider.sendPayout(payout),
          provider.findPayout(payout.payoutId),
          ...(lacks.includes("balance") ? [] : [provider.balance()]),
          ...LIST_NAMES.map((each) => provider.list(each, { from: 0, to: Date.now() }, 0)),
        ]);
        expect.soft(new Set(answers.map(({ kind }) => kind)), fault).toEqual(new Set(["unknown"]));
        faults.clearFaults();
      }
      expect((await provider.findCharge(chargeId)).kind).toBe("known");
    });

    if (!lacks.includes("refund_ids")) lostRefundContract(pushOrder, make);
    if (!lacks.includes("payouts")) lostPayoutContract(make);
  });
}

function lostRefundContract(
  pushOrder: () => PushOrder,
  make: () => ContractSubject & ProviderFaults,
): void {
  it("a refund whose response was lost is found by its id and not executed twice", async () => {
    const { provider, pay, ...faults } = make();
    const order = pushOrder();
    await provider.createCharge(order);
    const paymentId = await pay(order.chargeId, order.amount);
    const refund = refundOrder({ chargeId: order.chargeId, paymentId }, order.amount);
    faults.loseResponses();
    expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
    faults.clearFaults();

    expect((await provider.findRefund(refund)).kind).toMatch(/done|processing/);
    expect((await provider.sendRefund(refund)).kind).toMatch(/done|processing/);
    expect(faults.refundedAmount(paymentId)).toBe(order.amount);
  });
}

function lostPayoutContract(make: () => ContractSubject & ProviderFaults): void {
  it("a payout whose response was lost is found by its id and not executed twice", async () => {
    const { provider, ...faults } = make();
    const payout = payoutOrder();
    faults.loseResponses();
    expect(await provider.sendPayout(payout)).toEqual({ kind: "unknown" });
    faults.clearFaults();

    expect((await provider.findPayout(payout.payoutId)).kind).toMatch(/paid|processing/);
    expect((await provider.sendPayout(payout)).kind).toMatch(/paid|processing/);
    expect(faults.payoutCount(payout.payoutId)).toBe(1);
  });
}
