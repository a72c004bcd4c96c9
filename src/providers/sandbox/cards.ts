import { failureReason, type FailureCode } from "../../domain/charges/failure-reason.ts";
import type { RefusedReason } from "../../domain/charges/payment-details.ts";

/** The sandbox acquirer's refusals. */
const REFUSALS = [
  "CARD_DECLINED",
  "INSUFFICIENT_FUNDS",
  "EXPIRED_CARD",
  "INCORRECT_CVV",
] as const satisfies FailureCode[];

/** The outcome of a card number: approved, no answer at all, or the code of a refusal. */
export type CardOutcome = "APPROVED" | "NO_ANSWER" | (typeof REFUSALS)[number];

/** Any other number is approved. */
const OUTCOMES: Record<string, CardOutcome> = {
  "4000000000000002": "CARD_DECLINED",
  "4000000000009995": "INSUFFICIENT_FUNDS",
  "4000000000000069": "EXPIRED_CARD",
  "4000000000000127": "INCORRECT_CVV",
  "4000000000000119": "NO_ANSWER",
};

/** The outcome of a card by its number (digits only). */
export function cardOutcome(number: string): CardOutcome {
  return OUTCOMES[number] ?? "APPROVED";
}

/** Null where the outcome is no refusal. */
export function refusedReason(outcome: string): RefusedReason | null {
  const code = REFUSALS.find((refusal) => refusal === outcome);
  return code === undefined ? null : failureReason(code);
}
