import { describe, expect, test } from "vitest";
import {
  DEBIT_ACTIONS,
  DEBIT_FAILURE_CODES,
  debitReason,
  endsCharge,
  isRetryable,
  MANDATE_END_REASONS,
  mandateEndReason,
  unpaidByEndOfDay,
} from "../../../../src/domain/subscriptions/debit-codes.ts";

/** Every code of BACEN's list of rejections, and those that Woovi tells beside it. */
const PUBLISHED =
  "AB10 AC05 AC06 AM02 AM09 DENC DS27 DTED DTNT FBRD IRNT MIDI MSUC NIEC NIPA NITX QUNT RC09 UDEI";
const BESIDE = "AG12 CRNC EXPR FCD1 FCD2 GRER RJCT";

describe("codes of a refused debit", () => {
  test.each([
    ["AM02", "PAYER_LIMIT", "tell_payer_offer_link"],
    ["AG12", "SAME_PARTICIPANT", "tell_payer_offer_link"],
    ["EXPR", "NO_BALANCE", "retry"],
    ["AC05", "PAYER_ACCOUNT_CLOSED", "new_approval"],
    ["DENC", "DOCUMENT_MISMATCH", "a_person"],
    ["MSUC", "MANDATE_UNKNOWN", "a_person"],
    ["AM09", "AMOUNT_NOT_AGREED", "our_fault"],
    ["FCD2", "OUTSIDE_WINDOW", "our_fault"],
    ["FCD1", "OUTSIDE_WINDOW", "our_fault"],
    ["QUNT", "RETRY_NOT_ALLOWED", "our_fault"],
    ["NIPA", "ALREADY_PAID", "a_person"],
  ])("%s is %s: %s", (providerCode, code, action) => {
    expect(debitReason(providerCode)).toMatchObject({ code, action, providerCode });
  });

  test("only one published code has no known meaning", () => {
    const unknown = `${PUBLISHED} ${BESIDE}`
      .split(" ")
      .filter((code) => debitReason(code).code === "UNKNOWN");
    expect(unknown).toEqual(["FBRD"]);
  });

  test("a code that is not known is kept, and ends nothing", () => {
    const reason = debitReason("ZZ99");
    expect(reason).toMatchObject({ code: "UNKNOWN", providerCode: "ZZ99" });
    expect(endsCharge(reason)).toBe(false);
    expect(isRetryable(reason)).toBe(true);
    expect(debitReason(null)).toMatchObject({ code: "UNKNOWN", providerCode: null });
    expect(debitReason("")).toEqual(debitReason(null));
  });

  test("those that BACEN lists end the charge, so that no retry is left", () => {
    const ending = PUBLISHED.split(" ").filter((code) => endsCharge(debitReason(code)));
    expect(ending.join(" ")).toBe("AC05 AM09 DENC DS27 DTED MIDI MSUC NITX RC09");
    for (const code of ending) expect(isRetryable(debitReason(code))).toBe(false);
    expect(isRetryable(debitReason("EXPR"))).toBe(true);
    expect(isRetryable(debitReason("AM02"))).toBe(false);
  });

  test("a day that ends unpaid without a code is a missing balance", () => {
    expect(unpaidByEndOfDay(null)).toMatchObject({ code: "NO_BALANCE", providerCode: null });
    expect(unpaidByEndOfDay("")).toMatchObject({ code: "NO_BALANCE" });
    expect(unpaidByEndOfDay("AM02")).toEqual(debitReason("AM02"));
  });

  test("each reason has a sentence and something to do", () => {
    for (const code of `${PUBLISHED} ${BESIDE}`.split(" ")) {
      const { message, action, code: ours } = debitReason(code);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(DEBIT_ACTIONS).toContain(action);
      expect(DEBIT_FAILURE_CODES).toContain(ours);
    }
  });
});

test.each([
  ["AP13", "PAYER_REFUSED"],
  ["SLDB", "PAYER_CANCELLED"],
  ["SLCR", "RECEIVER_CANCELLED"],
  ["ACCL", "PAYER_ACCOUNT_CLOSED"],
  ["ERSL", "OTHER"],
  ["NEW1", "OTHER"],
  [null, "OTHER"],
])("a mandate that ended by %s is %s", (code, reason) => {
  expect(mandateEndReason(code)).toBe(reason);
  expect(MANDATE_END_REASONS).toContain(reason);
});
