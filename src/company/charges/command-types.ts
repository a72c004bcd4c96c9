import type { FailureReason } from "../../domain/charges/failure-reason.ts";
import type { CardReport } from "../../domain/charges/payment-details.ts";
import type { RetryStanding } from "../../domain/cards/retry-rules.ts";
import type {
  CancelReason,
  ChargeStatus,
  PaymentMethod,
} from "../../domain/charges/charge-status.ts";
import type { CardPayer } from "../../domain/cards/card-payer.ts";
import type { OperationStatus } from "../../domain/charges/operation.ts";
import type { ChargeTerms, PaidBy, PayerMatch } from "../../domain/charges/transaction.ts";
import type { UnexpectedPaymentRules } from "../../domain/charges/unexpected-payment.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PaymentFollowUp } from "./payment-types.ts";

/** A payment that a provider received for a charge. */
export interface SettlePayment {
  companyId: number;
  terms: ChargeTerms;
  /** `paymentId` is the provider's id; for PIX, BACEN's end-to-end id. */
  payment: {
    paymentId: string;
    method: PaymentMethod;
    amount: Cents;
    paidAt: number;
    /** The provider account that received it; by default the charge's. */
    account?: string | undefined;
    /** Who paid, where the provider says so. */
    paidBy?: PaidBy | null | undefined;
    /** Whether that is the charge's customer; the object never sees a whole document. */
    payerMatch?: PayerMatch | undefined;
  };
  /** Card payments only. */
  card?: CardReport | undefined;
  /** What was owed on the day of the payment, centavos; absent where any amount is fine. */
  amountDue?: Cents | undefined;
  /** The company's rules for unexpected payments; absent means the defaults. */
  rules?: UnexpectedPaymentRules | undefined;
  /** Made by the caller, for a return by rule. */
  operationId?: string | undefined;
}

/** A payment without a charge, such as a transfer to the company's PIX key. */
export interface BookUnexpected {
  companyId: number;
  paymentMethod: PaymentMethod;
  /** `account`: the one that received it. */
  payment: SettlePayment["payment"] & { account: string };
  rules?: UnexpectedPaymentRules | undefined;
  operationId?: string | undefined;
}

/**
 * `unexpected`: the money is safe, but no open charge expected it. `contradiction`: it was booked before
 * with another amount or for another charge; operators decide.
 */
export interface SettlePaymentAnswer {
  kind: "credited" | "unexpected" | "already" | "contradiction";
  /** Absent where no rule asks for more. */
  followUp?: PaymentFollowUp;
}

/** `returned`: some of it was or is being sent back. `disputed`: the payer's bank asks it back. */
export type CreditFromSuspenseAnswer =
  | { kind: "credited" | "not_found" | "returned" | "disputed" }
  | { kind: "not_allowed"; status: ChargeStatus };

export interface TransitionCharge {
  companyId: number;
  terms: ChargeTerms;
  to: Extract<ChargeStatus, "authorized" | "refused" | "failed" | "cancelled">;
  cancelReason?: CancelReason | undefined;
  /** Of a failed or refused charge. */
  failureReason?: FailureReason | undefined;
  /** Card charges only. */
  card?: CardReport | undefined;
  /** A keyed hash of a refused card; left out where the acquirer does not name it. */
  cardHash?: string | undefined;
  /** The account whose house says so of a charge that it was asked about after its payment; left out of any other. */
  toldOfPaid?: string;
  /** Of a boleto that ends by its own due date: the day that the caller went by. */
  dueDate?: string;
}

/** Ends a charge that nobody is to pay. */
export type CancelLostCharge = Pick<TransitionCharge, "companyId" | "terms">;

export type TransitionChargeAnswer =
  | { kind: "transitioned" | "already" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** A card that is about to be sent to an acquirer. */
export interface AdmitCardAttempt extends CardPayer {
  transactionId: string;
  /** The same for each repetition of a request: its idempotency key or transaction id. */
  attempt: string;
  /** Centavos: brands count attempts with one amount. */
  amount: Cents;
  /** A keyed hash of first six, last four and expiry; null where only the acquirer knows what a token stands for. */
  card: string | null;
  /** A keyed hash of who is to pay; null where the card is known. */
  payer: string | null;
}

/**
 * `forbidden`: the card's brand would charge the merchant for the attempt. `exceeded`: too many attempts with this card,
 * from this address, of this payer, or of `all` of its source were declined;
 * `retryAt` in Unix milliseconds.
 */
export type AdmitCardAttemptAnswer =
  | { kind: "admitted" }
  | ({ kind: "forbidden" } & RetryStanding)
  | { kind: "exceeded"; scope: "card" | "address" | "payer" | "all"; retryAt: number };

/** An unexpected payment, as the operator sees it. */
export interface PaymentInSuspense {
  paymentId: string;
  /** Null if it matched no charge. */
  transactionId: string | null;
  amount: Cents;
  paidAt: number;
  /** The provider account that received it. */
  account: string;
  /** Centavos that were returned at the PSP, not by an operation. */
  returnedAmount: Cents;
  /** Null if no return was requested. */
  returnStatus: OperationStatus | null;
}
