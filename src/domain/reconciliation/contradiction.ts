import { isoTime } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";
import type { Reason } from "../shared/problem.ts";

/**
 * Cases that only operators can decide: a provider's report that contradicts the ledger, a payment that no
 * charge expected, an outbox entry that D1 cannot apply, a provider's record that cannot be parsed.
 */
export const CONTRADICTION_KINDS = [
  "payment_set_aside",
  "payment_amount",
  "payment_charge",
  /** Whose payment it is, or whether it is one of its own, is not known. */
  "payment_identity",
  "refund_status",
  "dispute_status",
  "payout_status",
  "payout_unknown",
  "entry_set_aside",
  "record_unreadable",
  "ledger_anchor",
  /** What a house took or paid out is not what was agreed and booked: all lines of an account, kind and day. */
  "settlement_difference",
  /** A payer's bank refused a debit for what contradicts the agreement, or for a fault of ours. */
  "debit_refused",
] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

/** `proposed`: of before proposals had a list of their own; it is decided like an `open` one. */
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

/** The actions allowed for each kind, but for `allowedActions`. */
export const ALLOWED_ACTIONS: Record<ContradictionKind, readonly DecisionAction[]> = {
  payment_set_aside: ["credit", "return", "dismiss"],
  payment_amount: ["correct", "dismiss"],
  payment_charge: ["correct", "dismiss"],
  // `dismiss`: the payment is not this company's; the next one behind the PSP's client is asked.
  payment_identity: ["correct", "dismiss"],
  refund_status: ["correct", "dismiss"],
  dispute_status: ["correct", "dismiss"],
  // `apply` books a payout as paid that had failed here.
  payout_status: ["apply", "correct", "dismiss"],
  payout_unknown: ["correct", "dismiss"],
  // After `dismiss` D1 never gets the rejected entries.
  entry_set_aside: ["retry", "dismiss"],
  record_unreadable: ["correct", "dismiss"],
  ledger_anchor: ["dismiss"],
  settlement_difference: ["correct", "dismiss"],
  debit_refused: ["dismiss"],
};

/** How an operator decides a contradiction. `amount` in centavos: positive credits the company. */
export interface Decision {
  action: DecisionAction;
  /** Only for `correct`. */
  amount: Cents | null;
  /** Only for `credit`: the charge that the payment was for. */
  transactionId: string | null;
  reason: string;
}

export interface Proposal extends Decision {
  /** The proposing operator's name. Another one must agree. */
  by: string;
  at: number;
}

/** A contradiction as its company's object stores it. Times in epoch milliseconds, amounts in centavos. */
export interface Contradiction {
  /** Dense within the company, from 1. */
  number: number;
  /** Identifies the finding: the same finding again is the same contradiction. */
  finding: string;
  kind: ContradictionKind;
  /** A transaction's UUID, `withdraw:<n>`, `payment:<id>`, `operation:<id>`, `record:<hash>`, `settlements:<account>`. */
  object: string;
  /** The provider's report. `booked` is the state of the ledger. */
  said: Record<string, unknown>;
  booked: Record<string, unknown>;
  /** The disputed amount. */
  amount: Cents;
  /** The part of it that the company cannot withdraw until the decision. */
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
  /** A merchant sent evidence, which a person forwards to the PSP: `evidenceEventData`. */
  | "dispute.evidence_submitted"
  /** The company's object is filling up: `storageEventData`. */
  | "storage.filling";

/** An event for operators. `number` is dense within the company, from 1. */
export interface OperatorEvent {
  number: number;
  type: OperatorEventType;
  at: number;
}

/** The actions allowed for a contradiction. */
export function allowedActions(
  found: Pick<Contradiction, "kind" | "booked">,
): readonly DecisionAction[] {
  return isCorrectedAlready(found) ? ["dismiss"] : ALLOWED_ACTIONS[found.kind];
}

/**
 * Whether it is about a sum that is known since operators took it when the house called its charge ended (`ToldSums`). What
 * they took is counted there: no sum, refund or dispute would know of another correction.
 */
function isCorrectedAlready({ kind, booked }: Pick<Contradiction, "kind" | "booked">): boolean {
  return kind === "refund_status" && booked["corrected"] !== undefined;
}

/** Why a contradiction cannot be decided like this: a sentence without its full stop, and its reason. Null if it can. */
export function decisionObstacle(
  found: Pick<Contradiction, "kind" | "booked" | "amount" | "held" | "decision">,
  decision: Decision,
): { sentence: string; reason: Reason } | null {
  if (found.decision !== null)
    return notPossible("The contradiction is already decided. A decision is final");
  if (decision.action === "correct" && isCorrectedAlready(found)) {
    const why = "Operators took this money when the house called its charge ended";
    const sentence = `${why}. Another correction would be counted nowhere: dismiss it`;
    return { sentence, reason: "corrected_already" };
  }
  const allowed = allowedActions(found);
  if (!allowed.includes(decision.action)) {
    return notPossible(
      `A contradiction of this kind allows only these actions: ${allowed.join(", ")}`,
    );
  }
  if (found.held > 0 && decision.amount !== null && decision.amount > 0) {
    return notPossible(
      "The provider has taken more than is booked. A correction can only debit the company",
    );
  }
  if (isCorrectionWithinAmount(found, decision)) return null;
  return notPossible("The correction exceeds the amount of the contradiction");
}

function notPossible(sentence: string): { sentence: string; reason: Reason } {
  return { sentence, reason: "decision_not_possible" };
}

/** Whether a correction is at most the disputed amount, which is unknown for an unparseable record. */
function isCorrectionWithinAmount(
  { kind, amount }: Pick<Contradiction, "kind" | "amount">,
  decision: Decision,
): boolean {
  if (decision.amount === null || kind === "record_unreadable") return true;
  return Math.abs(decision.amount) <= amount;
}

/** The details of a correction movement: its reason and the two operators. */
export interface CorrectionDetails {
  /** The contradiction's number. */
  contradiction: number;
  reason: string;
  proposedBy: string;
  agreedBy: string;
}

/** The subject of a payment, by its id at the provider. */
export function paymentSubject(paymentId: string): string {
  return `payment:${paymentId}`;
}

/** The provider's id of the payment in a subject; null for other subjects. */
export function paymentIdOfSubject(subject: string): string | null {
  return PAYMENT_SUBJECT.exec(subject)?.[1] ?? null;
}

const PAYMENT_SUBJECT = /^payment:(.+)$/;

/** The global id of the operation in a subject; null for other subjects. */
export function operationIdOfSubject(subject: string): string | null {
  return OPERATION_SUBJECT.exec(subject)?.[1] ?? null;
}

const OPERATION_SUBJECT = /^operation:(.+)$/;

/** A contradiction's id for operators: company and number. */
export function contradictionId(companyId: number, number: number): string {
  return `${companyId}-${number}`;
}

const CONTRADICTION_ID = /^([1-9]\d{0,7})-([1-9]\d{0,14})$/;

/** The company and the number in a contradiction id; null for any other text. */
export function parseContradictionId(id: string): { companyId: number; number: number } | null {
  const [, company, number] = CONTRADICTION_ID.exec(id) ?? [];
  if (company === undefined || number === undefined) return null;
  return { companyId: Number(company), number: Number(number) };
}

/** A contradiction's event data for operators, centavos. It contains no payer data. */
export function contradictionEventData(
  companyId: number,
  { number, kind, object, amount, held, status, since }: Contradiction,
): Record<string, unknown> {
  const id = contradictionId(companyId, number);
  return { id, kind, companyId, object, amount, held, status, since: isoTime(since) };
}
