import { expect, it } from "vitest";
import type { StoredCharge } from "../../../../src/company/charges/charge-store.ts";
import { endFinding } from "../../../../src/company/charges/payment-findings.ts";
import type { ChargeStatus } from "../../../../src/domain/charges/charge-status.ts";
import { initialChargeState } from "../../../../src/domain/charges/transaction.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";

/** A charge that was paid in a status. */
function paidAs(from: ChargeStatus): StoredCharge {
  const cause = { kind: "payment", id: "E1", amount: 2_500, paidAt: 1, expected: true } as const;
  return {
    ...initialChargeState(1),
    status: "paid",
    paidAt: 1,
    paidAmount: 2_500,
    transactionId: "0f8fad5b-d9cb-469f-a165-70867728950e",
    amount: 2_500,
    paymentMethod: "PIX",
    installments: 1,
    fee: NO_FEE,
    releaseDays: 0,
    account: "first",
    textBytes: 100,
    eventSequence: 1,
    trail: [{ at: 1, from, to: "paid", cause, movement: 1, event: null }],
    movements: [],
    paymentId: "E1",
  };
}

it.each<[ChargeStatus, boolean]>([
  ["waiting_payment", true],
  ["authorized", true],
  ["cancelled", false],
  ["failed", false],
])("a house that calls a charge ended, which was paid as %s, is told: %s", (from, isTold) => {
  const told = endFinding(paidAs(from), { to: "cancelled", toldOfPaid: "first" }, () => false);

  expect(told === null).toBe(!isTold);
  // It may be a word of before the payment.
  if (told !== null) expect(told).toMatchObject({ amount: 2_500, held: 0 });
});

it("the account of another payment is not asked about this one", () => {
  const told = { to: "cancelled", toldOfPaid: "second" };

  expect(endFinding(paidAs("waiting_payment"), told, () => false)).toBeNull();
});

it.each<[string, ChargeStatus]>([
  ["a refund, a dispute or a capture has left a trace", "paid"],
  ["a chargeback of all of it was reversed", "refunded"],
])("a paid charge is told of as well where %s", (_why, from) => {
  const paid = paidAs("waiting_payment");
  const cause = { kind: "authorization" } as const;
  const later = { at: 2, from, to: "paid", cause, movement: 2, event: null } as const;
  const charge = { ...paid, trail: [...paid.trail, later] };

  const told = endFinding(charge, { to: "cancelled", toldOfPaid: "first" }, () => false);

  expect(told).toMatchObject({ amount: 2_500 });
});
