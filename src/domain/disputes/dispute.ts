import type { DisputeKind } from "../charges/charge-history.ts";
import type { Dispute } from "../charges/transaction.ts";
import type { DisputeEvent } from "../events/event-types.ts";
import { isoTime, isoTimeOrNull } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";
import { evidenceFileView } from "./evidence-file.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Why a payment is asked back. The three of the MED are BACEN's (`devolucao.natureza`): suspicion of
 * fraud, an operational failure, and an automatic PIX that the payer did not agree to.
 */
export const DISPUTE_REASONS = [
  "MED_FRAUD",
  "MED_OPERATIONAL_FAILURE",
  "MED_AUTOMATIC_PIX",
  "CHARGEBACK",
  "OTHER",
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** The words of the API for `Dispute["status"]`. */
export const DISPUTE_STATUS_WORDS = ["open", "won", "lost"] as const;
export type DisputeStatusWord = (typeof DISPUTE_STATUS_WORDS)[number];

/** A dispute or a chargeback as the company's object keeps it. Times epoch milliseconds. */
export interface DisputeRecord {
  /** Dense within the company, from 1. */
  number: number;
  /** The provider's id. */
  id: string;
  kind: DisputeKind;
  reason: DisputeReason;
  /** Null for a dispute about an unexpected payment, which has a `paymentId` instead. */
  transactionId: string | null;
  paymentId: string | null;
  amount: Cents;
  /** The part of `amount` that is blocked. */
  held: Cents;
  status: Dispute["status"];
  /** Until when evidence counts; null where nobody says. */
  deadline: number | null;
  openedAt: number;
  updatedAt: number;
  /** From 1; grows by one with each change. */
  version: number;
  evidence: Evidence | null;
}

/**
 * How long the receiver's institution analyses an infraction report of the MED (BACEN, Manual Operacional
 * do DICT, "notificação de infração"; MED 2.0 keeps the seven days within the eleven until the money
 * goes back). Evidence is of use until then.
 */
const MED_ANALYSIS_MS = 7 * 24 * 60 * 60_000;
const ANALYSED_REASONS: ReadonlySet<DisputeReason> = new Set([
  "MED_FRAUD",
  "MED_OPERATIONAL_FAILURE",
]);

/**
 * Until when evidence counts for a dispute that the gateway hears of now: the provider's deadline, else
 * the MED's where it is open; null for any other. Epoch milliseconds.
 */
export function deadlineOf(
  { reason, status, deadline }: Pick<DisputeRecord, "reason" | "status"> & { deadline?: number },
  nowMs: number,
): number | null {
  if (deadline !== undefined) return deadline;
  return status === "OPEN" && ANALYSED_REASONS.has(reason) ? nowMs + MED_ANALYSIS_MS : null;
}

/** The reason of a report. A chargeback has one of its own; a provider may give none for the others. */
export function reasonOf(kind: DisputeKind, reason: DisputeReason | undefined): DisputeReason {
  return kind === "CHARGEBACK" ? "CHARGEBACK" : (reason ?? "OTHER");
}

/** A dispute as lists and single answers show it. Centavos. */
export function disputeView(dispute: DisputeRecord) {
  const { evidence } = dispute;
  return {
    ...disputeHeadView(dispute),
    evidence: evidence === null ? null : evidenceView(evidence),
  };
}

function evidenceView({ files = [], submittedAt, ...evidence }: Evidence) {
  return { ...evidence, files: files.map(evidenceFileView), submittedAt: isoTime(submittedAt) };
}

/**
 * The `data` of a dispute's webhook, without the evidence, which the merchant has and which may name its
 * customer.
 */
export function disputeEventData(
  companyId: number,
  dispute: DisputeRecord,
  { previousStatus }: Pick<DisputeEvent, "previousStatus">,
) {
  return {
    companyId,
    ...disputeHeadView(dispute),
    previousStatus: previousStatus === null ? null : statusWord(previousStatus),
  };
}

/** What operators are told of new evidence: where to find it, and nothing of its content. */
export function evidenceEventData(
  companyId: number,
  dispute: DisputeRecord,
): Record<string, unknown> {
  const { id, transactionId, paymentId, reason, amount, status, deadline } =
    disputeHeadView(dispute);
  return {
    companyId,
    id,
    transactionId,
    paymentId,
    reason,
    amount,
    status,
    deadline,
    submittedAt: isoTimeOrNull(dispute.evidence?.submittedAt ?? null),
  };
}

/** A dispute without its evidence. Centavos. */
export function disputeHeadView(dispute: DisputeRecord) {
  const { id, transactionId, paymentId, reason, amount, held, deadline } = dispute;
  return {
    id,
    transactionId,
    paymentId,
    reason,
    amount,
    held,
    status: statusWord(dispute.status),
    deadline: isoTimeOrNull(deadline),
    openedAt: isoTime(dispute.openedAt),
    updatedAt: isoTime(dispute.updatedAt),
  };
}

function statusWord(status: Dispute["status"]): DisputeStatusWord {
  return status.toLowerCase() as DisputeStatusWord;
}
