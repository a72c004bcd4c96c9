import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import type { ReceivedPayment } from "../../domain/charges/received-payment.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { ExitLimitRefusal, ExitLimits } from "../../domain/exits/exit-limits.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { UnexpectedPayment } from "../../domain/charges/unexpected-payment.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { ClaimedReturn, KeyedRequest, OperationReply } from "../operations/command-types.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";

/**
 * What the caller does right after a payment was booked, by the company's rule. Forgetting it only delays it:
 * the object asks the provider about the return, and the cron makes the transaction.
 */
export type PaymentFollowUp =
  | { kind: "return"; claimed: ClaimedReturn }
  | { kind: "credit"; paymentId: string };

/**
 * The charge that a payment is credited to. `own`: the one that it came for, if that can still be paid.
 * `chosen`: the merchant's. `made`: for this payment alone.
 */
export interface CreditTarget {
  kind: "own" | "chosen" | "made";
  terms: ChargeTerms;
}

/** The merchant's or the service's decision about an unexpected payment. */
export interface DecidePayment extends VersionedCommand {
  paymentId: string;
  action: "return" | "credit";
  /** Only for `credit`; without one a transaction is made for the payment. */
  target: CreditTarget | null;
  /** Made by the caller, for a return. */
  operationId: string;
  /** Null for a credit that goes on: who asked for it is stored already. */
  requestedBy: Requester | null;
  /** Of a caller of the company; a rule has none. */
  limits?: ExitLimits;
  request: KeyedRequest & { requestHash: string };
}

/** A payment that a transaction is made for. */
export interface PaymentToCredit extends UnexpectedPayment {
  paymentMethod: PaymentMethod;
  paidAt: number;
  /** The provider account that took it. */
  account: string;
}

/**
 * `credited` and `answered`: nothing is left to do. `make`: the caller makes a transaction and credits the
 * payment to it. `claimed`: the caller sends the return. `not_possible`: nothing was booked.
 */
export type DecidePaymentAnswer =
  | { kind: "credited"; payment: UnexpectedPayment; replayed: boolean }
  | { kind: "make"; payment: PaymentToCredit }
  | { kind: "claimed"; claimed: ClaimedReturn }
  /** `isNew`: this very request waits for an approval. */
  | { kind: "answered"; reply: OperationReply; isNew?: boolean }
  | { kind: "not_possible"; reason: string }
  | VersionConflict
  | ExitLimitRefusal
  | { kind: "frozen" }
  | { kind: "not_found" | "key_reused" | "returning" };

/** Asks for a payment that arrived. `at`: epoch ms of the minute that somebody names. */
export type FindReceivedPayments = { endToEndId: string } | { amount: Cents; at: number };

/** `isWhole`: whether these are all. */
export interface ReceivedPayments {
  payments: ReceivedPayment[];
  isWhole: boolean;
}
