import { describe, expect, it } from "vitest";
import type { StoredCharge } from "../../../../src/company/charges/charge-store.ts";
import { unexpectedOn } from "../../../../src/company/charges/unexpected-payment-commands.ts";
import type { ChargeStatus, PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import { initialChargeState } from "../../../../src/domain/charges/transaction.ts";
import {
  UNEXPECTED_RULES,
  type UnexpectedPaymentRules,
} from "../../../../src/domain/charges/unexpected-payment.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";

function chargeOf(status: ChargeStatus, paymentMethod: PaymentMethod = "PIX"): StoredCharge {
  return {
    ...initialChargeState(1),
    status,
    transactionId: "0f8fad5b-d9cb-469f-a165-70867728950e",
    amount: 2_500,
    paymentMethod,
    installments: 1,
    fee: NO_FEE,
    releaseDays: 0,
    account: "first",
    textBytes: 100,
    eventSequence: 0,
    trail: [],
    movements: [],
    paymentId: null,
  };
}

function paidBy(rules?: UnexpectedPaymentRules) {
  const payment = { paymentId: "E1", method: "PIX" as const, amount: 2_500, paidAt: 1 };
  return { payment, rules };
}

describe("a payment of a card that was refused", () => {
  const refused = chargeOf("refused", "CREDIT_CARD");

  it("is kept by default, and where the rule would credit it: its charge takes no money", () => {
    expect(unexpectedOn(refused, paidBy(), null)).toEqual({ reason: "LATE", rule: "keep" });
    expect(unexpectedOn(refused, paidBy({ LATE: "credit" }), null)).toEqual({
      reason: "LATE",
      rule: "keep",
    });
  });

  it("is returned where the rule says so", () => {
    expect(unexpectedOn(refused, paidBy({ LATE: "return" }), null)).toEqual({
      reason: "LATE",
      rule: "return",
    });
  });
});

it.each(UNEXPECTED_RULES)("the company's rule is followed for a second payment: %s", (rule) => {
  expect(unexpectedOn(chargeOf("paid"), paidBy({ SECOND_PAYMENT: rule }), null)).toEqual({
    reason: "SECOND_PAYMENT",
    rule,
  });
});

describe("a payment of a link's charge", () => {
  it("whose place was given back and is sold is kept rather than credited", () => {
    expect(unexpectedOn(chargeOf("cancelled"), paidBy(), "sold_out")).toEqual({
      reason: "LATE",
      rule: "keep",
    });
  });

  it("whose place was given back and is sold is returned where the rule says so", () => {
    expect(unexpectedOn(chargeOf("cancelled"), paidBy({ LATE: "return" }), "sold_out")).toEqual({
      reason: "LATE",
      rule: "return",
    });
  });

  it("whose checkout was paid otherwise is a second payment, even while it is open", () => {
    const rules = { SECOND_PAYMENT: "return", LATE: "credit" } as const;

    for (const status of ["waiting_payment", "cancelled"] as const) {
      expect(unexpectedOn(chargeOf(status), paidBy(rules), "paid_otherwise")).toEqual({
        reason: "SECOND_PAYMENT",
        rule: "return",
      });
    }
  });
});
