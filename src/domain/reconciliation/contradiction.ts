import { isoTime } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";

/**
 * What only a person can end: a provider's word against what was booked, a payment that no charge
 * expected, an outbox entry that D1 cannot apply, a record of a provider that cannot be read.
 */
export const CONTRADICTION_KINDS = [
  "payment_set_aside",
  "payment_amount",
  "payment_charge",
  "refund_status",
  "dispute_status",
  "payout_status",
  "payout_unknown",
  "entry_set_aside",
  "record_unreadable",
  "ledger_anchor",
] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

/** `proposed`: one operator has said how it ends, another one has still to agree. */
export const CONTRADICTION_STATUSES = ["open", "proposed", "decided"] as const;
export type ContradictionStatus = (typeof CONTRADICTION_STATUSES)[number];

export const DECISION_ACTIONS = [
  "apply",
  "correct",
  "credit",
  "return",
  "retry",
  "dismiss",
] as const;
export type DecisionAction = (typeof DECISION_ACTIONS)[number];

/** The closed table of what may end which kind. What ends nothing by itself may be dismissed. */
export const ALLOWED_ACTIONS: Record<ContradictionKind, readonly DecisionAction[]> = {
  payment_set_aside: ["credit", "return", "dismiss"],
  payment_amount: ["correct", "dismiss"],
  payment_charge: ["correct", "dismiss"],
  refund_status: ["correct", "dismiss"],
  dispute_status: ["correct", "dismiss"],
  // Of a payout that failed here and was paid there: booked again as paid.
  payout_status: ["apply", "correct", "dismiss"],
  payout_unknown: ["correct", "dismiss"],
  // Dismissed, D1 is never told of what was set aside.
  entry_set_aside: ["retry", "dismiss"],
  record_unreadable: ["correct", "dismiss"],
  ledger_anchor: ["dismiss"],
};

/** How an operator ends one. `amount` in centavos, signed: what the company is given, or loses. */
export interface Decision {
  action: DecisionAction;
  /** Of `correct` only. */
  amount: Cents | null;
  /** Of `credit` only: the charge that the payment was for. */
  transactionId: string | null;
  reason: string;
}

export interface Proposal extends Decision {
  /** The operator's name; never the one who agrees. */
  by: string;
  at: number;
}

/** A contradiction as its company's object keeps it. Times epoch milliseconds, amounts centavos. */
export interface Contradiction {
  /** Dense within the company, from 1. */
  number: number;
  /** What was found about what: the same finding again is the same contradiction. */
  finding: string;
  kind: ContradictionKind;
  /** A transaction's UUID, `withdraw:<n>`, `payment:<id>`, `operation:<id>`, `record:<hash>`. */
  object: string;
  /** What the provider says, and what was booked. */
  said: Record<string, unknown>;
  booked: Record<string, unknown>;
  /** Centavos that are in question. */
  amount: Cents;
  /** Centavos of them that the company cannot withdraw until this is decided. */
  held: Cents;
  status: ContradictionStatus;
  since: number;
  proposal: Proposal | null;
  decision: (Proposal & { agreedBy: string; decidedAt: number }) | null;
  /** Grows by one with each change. */
  version: number;
}

export type OperatorEventType =
  | "contradiction.opened"
  | "contradiction.proposed"
  | "contradiction.decided"
  /** The company's object fills: `storageEventData`. */
  | "storage.filling";

/** What operators are told; dense within the company, from 1. */
export interface OperatorEvent {
  number: number;
  type: OperatorEventType;
  at: number;
}

/** Whether an operator says just what another one has proposed. */
export function isSameDecision(left: Decision, right: Decision): boolean {
  return (
    left.action === right.action &&
    left.amount === right.amount &&
    left.transactionId === right.transactionId &&
    left.reason === right.reason
  );
}

/** A correction is of what is in question; of a record that nobody could read that is not known. */
export function isCorrectionWithinAmount(
  { kind, amount }: Pick<Contradiction, "kind" | "amount">,
  decision: Decision,
): boolean {
  if (decision.amount === null || kind === "record_unreadable") return true;
  return Math.abs(decision.amount) <= amount;
}

/** What a correcting movement carries: why it was made, and by whom. */
export interface CorrectionDetails {
  /** The contradiction's number. */
  contradiction: number;
  reason: string;
  proposedBy: string;
  agreedBy: string;
}

/** The payment that one is about, by the id its provider gave it; null where it is about none. */
export function paymentIdOfSubject(subject: string): string | null {
  return PAYMENT_SUBJECT.exec(subject)?.[1] ?? null;
}

const PAYMENT_SUBJECT = /^payment:(.+)$/;

/** The id under which operators see one: it leads to its company. */
export function contradictionId(companyId: number, number: number): string {
  return `${companyId}-${number}`;
}

const CONTRADICTION_ID = /^([1-9]\d{0,7})-([1-9]\d{0,14})$/;

/** The company and the number inside an id; null where it is none. */
export function parseContradictionId(id: string): { companyId: number; number: number } | null {
  const [, company, number] = CONTRADICTION_ID.exec(id) ?? [];
  if (company === undefined || number === undefined) return null;
  return { companyId: Number(company), number: Number(number) };
}

/** What operators are told of one. It holds nothing that says who a payer is. */
export function contradictionEventData(
  companyId: number,
  { number, kind, object, amount, held, status, since }: Contradiction,
): Record<string, unknown> {
  const id = contradictionId(companyId, number);
  return { id, kind, companyId, object, amount, held, status, since: isoTime(since) };
}
