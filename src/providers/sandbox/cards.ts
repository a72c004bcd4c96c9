import type { RefusedReason } from "../../domain/charges/payment-details.ts";

const RETRYABLE = true;
const FINAL = false;

/** The sandbox acquirer's refusals, by code. */
const REFUSALS = {
  CARD_DECLINED: refusal("The card was declined by its issuer.", FINAL),
  INSUFFICIENT_FUNDS: refusal("The card does not have the funds for this charge.", RETRYABLE),
  EXPIRED_CARD: refusal("The card has expired.", FINAL),
  INCORRECT_CVV: refusal("The card's CVV is incorrect.", FINAL),
} as const;

/** The outcome of a card number: approved, no answer at all, or the code of a refusal. */
export type CardOutcome = "APPROVED" | "NO_ANSWER" | keyof typeof REFUSALS;

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
  if (!isRefusal(outcome)) return null;
  return { code: outcome, ...REFUSALS[outcome] };
}

function isRefusal(outcome: string): outcome is keyof typeof REFUSALS {
  return outcome in REFUSALS;
}

function refusal(message: string, retryable: boolean): Omit<RefusedReason, "code"> {
  return { message, retryable };
}
