import type { RefusedReason } from "./payment-details.ts";

/** Whether the same request may succeed later. */
const RETRYABLE = true;
const FINAL = false;

/** Why a withdraw or a transaction failed: the closed list of codes, each with its sentence. */
const FAILURES = {
  KEY_NOT_FOUND: ["The PIX key does not exist.", FINAL],
  KEY_OWNER_MISMATCH: ["The PIX key belongs to another person than the order named.", FINAL],
  ACCOUNT_INVALID: ["The receiver's account does not exist or does not take this payment.", FINAL],
  ACCOUNT_CLOSED: ["The receiver's account is closed.", FINAL],
  ACCOUNT_BLOCKED: ["The receiver's account is blocked.", FINAL],
  REFUSED_BY_BANK: ["The receiver's bank refused the payment.", FINAL],
  FRAUD_SUSPECTED: ["A bank refused the payment on suspicion of fraud.", FINAL],
  BANK_UNAVAILABLE: ["The receiver's bank could not take the payment.", RETRYABLE],
  LIMIT_EXCEEDED: ["The payment exceeds a limit of a bank.", RETRYABLE],
  INSUFFICIENT_FUNDS_AT_PROVIDER: [
    "The account at the provider does not have the funds for this payment.",
    RETRYABLE,
  ],
  TIMED_OUT: ["The payment was not settled in time.", RETRYABLE],
  PROVIDER_REFUSED: ["The provider refused the order.", FINAL],
  REMOVED_BY_PROVIDER: ["The provider ended the charge before it was paid.", RETRYABLE],
  NOT_RECEIVED_BY_PROVIDER: ["The charge did not reach the provider.", RETRYABLE],
  AUTHORIZATION_ENDED: ["The card's authorization ended before it was announced.", RETRYABLE],
  DECIDED_BY_OPERATOR: ["The gateway's operator found that the payment was not made.", RETRYABLE],
  LINK_UNAVAILABLE: ["The payment link took no more payments.", FINAL],
  DEBIT_FAILED: ["The payer's bank did not pay the automatic debit.", RETRYABLE],
  CARD_TOKEN_EXPIRED: [
    "The card's token has expired or was used before. A new one may be tried.",
    RETRYABLE,
  ],
  CARD_DECLINED: ["The card was declined by its issuer.", FINAL],
  INSUFFICIENT_FUNDS: ["The card does not have the funds for this charge.", RETRYABLE],
  EXPIRED_CARD: ["The card has expired.", FINAL],
  INCORRECT_CVV: ["The card's CVV is incorrect.", FINAL],
  UNKNOWN: ["No reason was given.", FINAL],
} as const satisfies Record<string, readonly [message: string, retryable: boolean]>;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]];

/** Why a transaction or a withdraw failed, for the merchant. */
export interface FailureReason {
  code: FailureCode;
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

/** A code with its sentence. A code that is not in the list, or none, is `UNKNOWN`. */
export function failureReason(code: string | null | undefined): FailureReason {
  const known = isFailureCode(code) ? code : "UNKNOWN";
  const [message, retryable] = FAILURES[known];
  return { code: known, message, retryable };
}

/** The reason of a refused card, without the acquirer's own words. */
export function cardFailure({ code, retryable }: RefusedReason): FailureReason {
  return { ...failureReason(isFailureCode(code) ? code : "CARD_DECLINED"), retryable };
}

/**
 * Why a failed or refused transaction did; null in any other status. One that is older than the field
 * has its card's reason, else `UNKNOWN`.
 */
export function transactionFailure(record: {
  status: string;
  failureReason: FailureReason | null;
  refusedReason: RefusedReason | null;
}): FailureReason | null {
  const { status, failureReason: stored, refusedReason } = record;
  if (status !== "failed" && status !== "refused") return null;
  if (stored !== null) return stored;
  return refusedReason === null ? failureReason(null) : cardFailure(refusedReason);
}

function isFailureCode(code: string | null | undefined): code is FailureCode {
  return typeof code === "string" && Object.hasOwn(FAILURES, code);
}
