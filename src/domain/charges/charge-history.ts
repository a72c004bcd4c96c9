import type { ChargeStatus } from "./charge-status.ts";
import type { TransactionEventType } from "../events/event-types.ts";
import type { Cents } from "../shared/money.ts";
import {
  OPERATION_KINDS,
  type DueDateChange,
  type OperationKind,
  type OperationStatus,
} from "./operation.ts";
import type { DISPUTE_STATUSES } from "./transaction.ts";

/**
 * What a provider says of a charge by itself: its card is authorized, or it ended without money, as
 * its time ran out, it was refused or cancelled.
 */
const PROVIDER_OUTCOMES = ["authorization", "expiry", "refusal", "provider_cancel"] as const;

export const CAUSE_KINDS = [
  "payment",
  ...OPERATION_KINDS,
  "dispute",
  "chargeback",
  "release",
  ...PROVIDER_OUTCOMES,
] as const;

/** Who asks a payment back: a dispute blocks it until it is decided, a chargeback has taken it. */
export type DisputeKind = "DISPUTE" | "CHARGEBACK";

/** Why a charge changed, as it was recorded in the commit of the change. Amounts in centavos. */
export type Cause =
  | {
      kind: "payment";
      /** As its provider gave it; of a PIX the end-to-end id (BACEN). */
      id: string;
      amount: Cents;
      paidAt: number;
      /** False for an unexpected payment: no open charge expected it. */
      expected: boolean;
    }
  | {
      kind: OperationKind;
      id: string;
      /** 0 where no money moves. */
      amount: Cents;
      status: OperationStatus;
      /** Why it failed. */
      reason: string | null;
      /** Of a change of a due date. */
      dueDate?: DueDateChange;
    }
  | {
      kind: "dispute";
      id: string;
      dispute: DisputeKind;
      amount: Cents;
      status: (typeof DISPUTE_STATUSES)[number];
    }
  | { kind: (typeof PROVIDER_OUTCOMES)[number] };

/** One change of a charge. `from` and `to` are the same where its status stayed. */
export interface ChargeHistoryEntry {
  /** Epoch milliseconds. */
  at: number;
  from: ChargeStatus;
  to: ChargeStatus;
  cause: Cause;
  /** The ledger's newest movement then, which includes the change's own. */
  movement: number;
  event: { type: TransactionEventType; companySequence: number; sequence: number } | null;
}

/**
 * Changes of one charge whose causes are kept, in its own row, so that they cost no row of their
 * own. A row holds 2 MB and an entry is below 1 kB; 100 refunds and 20 cancels make 240.
 */
export const CHARGE_HISTORY_MAX = 500;
/** Characters kept of a provider's reason; the operation keeps all of it. */
const REASON_MAX = 200;

/** The history with one more change. A full history stays as it is, so that it never stops money. */
export function appendHistory(
  history: ChargeHistoryEntry[],
  entry: ChargeHistoryEntry,
): ChargeHistoryEntry[] {
  return history.length < CHARGE_HISTORY_MAX ? [...history, entry] : history;
}

/** A payment as the cause of a change; `expected` is false for an unexpected one. */
export function paymentCause(
  payment: { paymentId: string; amount: Cents; paidAt: number },
  expected: boolean,
): Cause {
  const { paymentId: id, amount, paidAt } = payment;
  return { kind: "payment", id, amount, paidAt, expected };
}

/** An operation as the cause of a change, as it stands then. */
export function operationCause(operation: {
  kind: OperationKind;
  operationId: string;
  amount: Cents;
  status: OperationStatus;
  failureReason: string | null;
  dueDate: DueDateChange | null;
}): Cause {
  const { kind, operationId: id, amount, status, failureReason, dueDate } = operation;
  const reason = failureReason?.slice(0, REASON_MAX) ?? null;
  if (dueDate === null) return { kind, id, amount, status, reason };
  const { from, to } = dueDate;
  return { kind, id, amount, status, reason, dueDate: { from, to } };
}
