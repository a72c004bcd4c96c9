import { expect, it } from "vitest";
import {
  cardFailure,
  FAILURE_CODES,
  failureReason,
  transactionFailure,
} from "../../../../src/domain/charges/failure-reason.ts";

it("each code has a sentence of its own", () => {
  const reasons = FAILURE_CODES.map((code) => failureReason(code));
  expect(reasons.map(({ code }) => code)).toEqual(FAILURE_CODES);
  expect(new Set(reasons.map(({ message }) => message)).size).toBe(FAILURE_CODES.length);
  for (const { message } of reasons) expect(message).toMatch(/^[A-Z].*\.$/);
});

it.each([null, undefined, "NEW_CODE", "__proto__", "toString"])("%s is UNKNOWN", (code) => {
  expect(failureReason(code).code).toBe("UNKNOWN");
});

it("a card's reason keeps the acquirer's word on a retry, and none of its text", () => {
  const refusal = { code: "EXPIRED_CARD", message: "acquirer's words", retryable: true };
  const reason = { code: "EXPIRED_CARD", message: "The card has expired.", retryable: true };
  expect(cardFailure(refusal)).toEqual(reason);
  expect(cardFailure({ ...refusal, code: "X17" }).code).toBe("CARD_DECLINED");
});

it("only a failed or refused transaction has one; an old one has its card's, else UNKNOWN", () => {
  const none = { failureReason: null, refusedReason: null };
  const stored = failureReason("TIMED_OUT");
  expect(transactionFailure({ ...none, status: "paid", failureReason: stored })).toBeNull();
  expect(transactionFailure({ ...none, status: "failed", failureReason: stored })).toBe(stored);
  expect(transactionFailure({ ...none, status: "failed" })?.code).toBe("UNKNOWN");
  const refusedReason = { code: "INCORRECT_CVV", message: "", retryable: false };
  expect(transactionFailure({ ...none, status: "refused", refusedReason })?.code).toBe(
    "INCORRECT_CVV",
  );
});
