import { expect, test } from "vitest";
import { debitEnd, debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import {
  withoutBankTexts,
  withoutPayer,
} from "../../../../src/domain/subscriptions/payer-erasure.ts";
import {
  CYCLE,
  FAILED,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

test("a bank's sentence about a payer goes with him; its code stays", () => {
  const end = { by: "payer" as const, providerCode: "SLDB", providerMessage: "Maria cancelou" };
  const mandate = { ...SUBSCRIPTION.mandate, end };
  expect(withoutPayer({ ...SUBSCRIPTION, mandate }).mandate).toEqual({
    ...mandate,
    end: { ...end, providerMessage: null },
  });
  const worded = { ...mandate, end: { ...end, providerCode: "Maria cancelou" } };
  expect(withoutPayer({ ...SUBSCRIPTION, mandate: worded }).mandate.end?.providerCode).toBeNull();
  expect(withoutPayer(SUBSCRIPTION).mandate).toEqual(SUBSCRIPTION.mandate);
});

test("what banks have said of a payer in a cycle goes with him", () => {
  const unknown = debitReason(null);
  const end = debitEnd({ kind: "cancelled", by: "payer_bank", providerCode: "ZZ99" });
  const told = (text: string) => ({
    ...CYCLE,
    attempts: [{ ...FAILED, reason: { ...unknown, message: text, providerCode: text } }],
    debit: { ...CYCLE.debit, end: { ...end, providerCode: text } },
  });
  expect(withoutBankTexts(told("Maria não tem conta"))).toEqual({
    ...CYCLE,
    attempts: [{ ...FAILED, reason: unknown }],
    debit: { ...CYCLE.debit, end: { ...end, providerCode: null } },
  });
  const coded = { ...CYCLE, attempts: [{ ...FAILED, reason: debitReason("AM02") }] };
  expect(withoutBankTexts(coded)).toEqual(coded);
});
