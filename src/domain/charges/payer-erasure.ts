import { isOpenCharge, type ChargeStatus } from "./charge-status.ts";
import type { Dispute, Payer, Refund } from "./transaction.ts";

/** Why a payer's data are erased: the payer asked, or the company keeps them only so long. */
export const ERASURE_REASONS = ["request", "retention"] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

/**
 * The fewest days that a company may keep payers' data after a charge's end. A payer's bank may take the money
 * back until then: 80 days by PIX (MED), 120 by card. The merchant needs the data to answer.
 */
export const RETENTION_DAYS_MIN = 120;

/** What stays of an erased payer. */
export const ERASED_PAYER: Payer = {
  externalId: null,
  name: "",
  email: "",
  phone: "",
  documentNumber: "",
  documentType: "",
  address: {},
};

const DAY_MS = 24 * 60 * 60_000;
/** What was in flight at the first erasure (an attempt at a webhook, a drain) has ended by then. */
const AGAIN_AFTER_MS = 10 * 60_000;
/** How often an unfinished charge of a request is looked at again, and one of the retention. */
const OPEN_RECHECK_MS: Record<ErasureReason, number> = { request: 60 * 60_000, retention: DAY_MS };

/** The part of a charge that says whether its payer's data are still needed. */
export interface ErasableCharge {
  status: ChargeStatus;
  /** Null while its create runs. */
  answeredAt: number | null;
  updatedAt: number;
  refunds: Refund[];
  dispute: Dispute | null;
}

/** Whether a charge has ended: nothing is open, neither a payment nor a refund nor a dispute. */
export function hasEnded({ status, answeredAt, refunds, dispute }: ErasableCharge): boolean {
  return (
    status !== "creating" &&
    !isOpenCharge(status) &&
    answeredAt !== null &&
    refunds.every((refund) => refund.status !== "PENDING") &&
    dispute?.status !== "OPEN"
  );
}

/** When the data of an ended charge are no longer kept. Unix milliseconds. */
export function retentionEnd({ updatedAt }: ErasableCharge, retentionDays: number): number {
  return updatedAt + retentionDays * DAY_MS;
}

/** What to do with a charge whose erasure is due. Times in Unix milliseconds. */
export type ErasureStep =
  | { kind: "wait"; until: number }
  /** Erase, and look again at `again`; null where this was the second time. */
  | { kind: "erase"; again: number | null }
  /** The company's setting was taken back. */
  | { kind: "drop" };

/**
 * The next step of a due erasure. Each charge is erased twice, so that the second time takes what was in
 * flight at the first.
 */
export function erasureStep(
  erasure: { reason: ErasureReason; erasedAt: number | null },
  charge: ErasableCharge,
  retentionDays: number | null,
  nowMs: number,
): ErasureStep {
  const { reason, erasedAt } = erasure;
  if (erasedAt !== null) return { kind: "erase", again: null };
  if (reason === "retention" && retentionDays === null) return { kind: "drop" };
  if (!hasEnded(charge)) return { kind: "wait", until: nowMs + OPEN_RECHECK_MS[reason] };
  if (reason === "retention" && retentionDays !== null) {
    const end = retentionEnd(charge, retentionDays);
    if (end > nowMs) return { kind: "wait", until: end };
  }
  return { kind: "erase", again: nowMs + AGAIN_AFTER_MS };
}
