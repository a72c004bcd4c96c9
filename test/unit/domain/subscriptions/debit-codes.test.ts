import { NO_DEBIT, unpaidReason } from "../../../../src/domain/subscriptions/records.ts";
import { FAILED } from "../../../support/builders/charges/subscription-state.ts";
import { describe, expect, test } from "vitest";
import {
  DEBIT_ACTIONS,
  DEBIT_FAILURE_CODES,
  debitEnd,
  debitReason,
  endsCharge,
  isRetryable,
  MANDATE_END_ACTIONS,
  MANDATE_END_REASONS,
  mandateEndMeaning,
  mandateEndReason,
  shortCode,
  unanswered,
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

  test("each published code has a meaning", () => {
    const unknown = `${PUBLISHED} ${BESIDE}`
      .split(" ")
      .filter((code) => debitReason(code).code === "UNKNOWN");
    expect(unknown).toEqual([]);
  });

  test("a code in small letters means the same, and is kept as it came", () => {
    expect(debitReason("am02")).toMatchObject({ code: "PAYER_LIMIT", providerCode: "am02" });
    expect(endsCharge(debitReason("ac05"))).toBe(true);
    expect(debitReason("constructor")).toMatchObject({ code: "UNKNOWN" });
  });

  test("a code that is not known is kept, and ends nothing", () => {
    const reason = debitReason("ZZ99");
    expect(reason).toMatchObject({ code: "UNKNOWN", providerCode: "ZZ99" });
    expect(endsCharge(reason)).toBe(false);
    expect(isRetryable(reason)).toBe(true);
    expect(debitReason(null)).toMatchObject({ code: "UNKNOWN", providerCode: null });
    expect(debitReason("")).toEqual(debitReason(null));
  });

  test.each(["SALDO_INSUFICIENTE", "ERR-1042", "E.10", "ZZ999", "A1", `A_${"B".repeat(38)}`])(
    "a PSP's own code is kept: %s",
    (code) => {
      expect(debitReason(code)).toMatchObject({ code: "UNKNOWN", providerCode: code });
    },
  );

  test.each([
    "MARIA",
    "ANA-MARIA",
    "MARIA.SILVA",
    "Maria_2",
    "MARIA SILVA 2",
    "12345678909",
    "123.456.789-09",
    "CPF12345678909",
    "CPF-123.456.789-09",
    "_1A",
    `A_${"B".repeat(39)}`,
    "SALDO_INSUFICIENTE\n",
    "ÁRVORE_1",
  ])("a text that may name the payer is no code: %s", (text) => {
    expect(shortCode(text)).toBeNull();
    expect(debitReason(text).providerCode).toBeNull();
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
    expect(unanswered()).toMatchObject({ code: "NO_ANSWER", action: "retry", providerCode: null });
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
  ["CPCL", "RECEIVER_CLOSED"],
  ["DCSD", "PAYER_DECEASED"],
  ["ERSL", "CONFIRMATION_FAILED"],
  ["FRUD", "FRAUD_SUSPECTED"],
  ["PCFD", "APPROVED_OTHERWISE"],
  ["NEW1", "OTHER"],
  [null, "OTHER"],
])("a mandate that ended by %s is %s", (code, reason) => {
  expect(mandateEndReason(code)).toBe(reason);
  expect(MANDATE_END_REASONS).toContain(reason);
});

test("each end of a mandate has a sentence and something to do", () => {
  for (const reason of MANDATE_END_REASONS) {
    const { message, action } = mandateEndMeaning(reason);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(MANDATE_END_ACTIONS).toContain(action);
  }
});

describe("the end of a debit", () => {
  const cancelled = { kind: "cancelled", by: "payer_bank" } as const;

  test.each([
    // The source says that the mandate stays in force: no further debit ends by this.
    ["ACCT", "PAYER_ACCOUNT_CLOSED", "a_person"],
    ["BLCK", "PAYER_ACCOUNT_BLOCKED", "offer_link"],
    ["CCLD", "APPROVAL_ENDED", "new_approval"],
    ["FAIL", "DEBIT_FAILED", "offer_link"],
    ["OTHR", "CANCELLED_BY_BANK", "offer_link"],
    ["SLBD", "PAYER_CANCELLED", "offer_link"],
    ["SLDB", "PAYER_CANCELLED", "offer_link"],
    ["SLCR", "RECEIVER_CANCELLED", "nothing"],
    ["ZZ99", "UNKNOWN", "offer_link"],
    [null, "CANCELLED_BY_BANK", "offer_link"],
  ])("cancelled by %s is %s: %s", (providerCode, code, action) => {
    expect(debitEnd({ ...cancelled, providerCode })).toMatchObject({ code, action, providerCode });
  });

  test("a code that is not known says at least who cancelled", () => {
    for (const [by, code] of [
      ["payer", "PAYER_CANCELLED"],
      ["receiver", "RECEIVER_CANCELLED"],
    ] as const)
      expect(debitEnd({ kind: "cancelled", by, providerCode: "ZZ99" })).toMatchObject({
        code,
        providerCode: "ZZ99",
      });
  });

  test("what is over is not tried again", () => {
    for (const providerCode of `${PUBLISHED} ${BESIDE}`.split(" ")) {
      const end = debitEnd({ kind: "rejected", by: "payer_bank", providerCode });
      expect(end.code).toBe(debitReason(providerCode).code);
      expect(end.action).not.toBe("retry");
    }
  });
});

test("a cycle is unpaid as its debit ended, or as its last attempt failed where only that says why", () => {
  const attempts = [
    { ...FAILED, reason: debitReason("AM02") },
    { ...FAILED, reason: debitReason("EXPR") },
  ];
  const because = (code: string | null, failed = attempts) => {
    const end = debitEnd({ kind: "cancelled", by: "payer_bank", providerCode: code });
    return unpaidReason({ debit: { ...NO_DEBIT, end }, attempts: failed })?.code;
  };
  for (const vague of ["OTHR", "FAIL", "ZZ99", null])
    expect(because(vague), vague ?? "").toBe("NO_BALANCE");
  expect(because("BLCK")).toBe("PAYER_ACCOUNT_BLOCKED");
  expect(because("OTHR", [])).toBe("CANCELLED_BY_BANK");
  expect(unpaidReason({ debit: NO_DEBIT, attempts })?.code).toBe("NO_BALANCE");
  expect(unpaidReason({ debit: NO_DEBIT, attempts: [] })).toBeNull();
});
