import type { PaymentMethod } from "./charge-status.ts";
import type { Cents } from "../shared/money.ts";

/**
 * Orders to a provider beside charges and payouts: a refund, the cancelling of a charge, the capture of
 * an authorized card, the return of a payment that no charge expected, and another due date of a boleto.
 */
export const OPERATION_KINDS = ["refund", "cancel", "capture", "return", "due_date"] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationStatus = "PENDING" | "DONE" | "FAILED";

/** Another due date of a boleto. Days are `YYYY-MM-DD` in America/Sao_Paulo. */
export interface DueDateChange {
  from: string;
  to: string;
  /** When a charge of the new day ends unpaid, epoch milliseconds; left out where its provider or a reader is told. */
  expiresAt?: number;
}

/** An order to a provider. Amount in centavos; 0 where no money moves. */
export interface OperationOrder {
  kind: OperationKind;
  /** Global and fixed before the first attempt; the only id the provider sees. */
  operationId: string;
  /** Null where a payment that matched no charge goes back. */
  transactionId: string | null;
  paymentMethod: PaymentMethod;
  /** The payment that goes back; null where the provider knows it by its charge. */
  paymentId: string | null;
  amount: Cents;
  /** The account at the provider that has the charge or payment; no other can act on it. */
  account: string;
  /** The provider's id of the dispute that a refund stands instead of; absent of any other. */
  insteadOf?: string;
  /** The earlier refunds of a refund's charge that have failed, by their operation ids; absent where none has. */
  failedBefore?: string[];
  /** Those that were sent before it and have no end yet, likewise. */
  sentBefore?: string[];
  /** Of a change of a due date; absent of any other. */
  dueDate?: DueDateChange;
}

/** The id a provider knows an operation by: its UUID without hyphens (BACEN `devolucao`: 1 to 35). */
export function providerOperationId(operationId: string): string {
  return operationId.replaceAll("-", "");
}
