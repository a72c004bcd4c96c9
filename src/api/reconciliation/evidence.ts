import type {
  ReportedPayment,
  ReportedPayout,
  ReportedReturn,
} from "../../domain/reconciliation/callback.ts";
import type { ChargeDetails, PayoutLookup } from "../../providers/provider.ts";

/** What a provider's own answer makes of what was told: it says so too, not yet, or it ends otherwise. */
export type Verdict = "seen" | "not_yet" | "contradicted";

type Received = Pick<ChargeDetails, "payments" | "disputes" | "refunds">;
type ReturnStatus = ReportedReturn["status"];

const RETURN_STATUSES = {
  OPEN: "OPEN",
  PROCESSING: "OPEN",
  LOST: "DONE",
  DONE: "DONE",
  WON: "FAILED",
  FAILED: "FAILED",
} as const satisfies Record<string, ReturnStatus>;

/**
 * Whether a provider's answer has a payment, and each of its returns as far as it was told or further. An
 * answer that is older than the callback has not. One return that ended otherwise is a contradiction only
 * where all else is seen.
 */
export function verdictOnPayment(answer: Received, reported: ReportedPayment): Verdict {
  const { paymentId, returns } = reported;
  if (!answer.payments.some((payment) => payment.paymentId === paymentId)) return "not_yet";
  const verdicts = new Set(
    returns.map((each) => verdictOnReturn(statusOfReturn(answer, paymentId, each.id), each)),
  );
  if (verdicts.has("not_yet")) return "not_yet";
  return verdicts.has("contradicted") ? "contradicted" : "seen";
}

function verdictOnReturn(status: ReturnStatus | null, reported: ReportedReturn): Verdict {
  if (status === null) return "not_yet";
  if (reported.status === "OPEN" || reported.status === status) return "seen";
  return status === "OPEN" ? "not_yet" : "contradicted";
}

/** How far a return is by the provider's answer; null where it does not stand there. */
function statusOfReturn(
  answer: Received,
  paymentId: string,
  returnId: string,
): ReturnStatus | null {
  const dispute = answer.disputes.find(({ id }) => id === `${paymentId}:${returnId}`);
  if (dispute !== undefined) return RETURN_STATUSES[dispute.status];
  const refund = answer.refunds.find(
    (each) => each.paymentId === paymentId && each.id === returnId,
  );
  return refund === undefined ? null : RETURN_STATUSES[refund.status];
}

/** The same of a payout. One that came back, wholly or in part, was paid before. */
export function verdictOnPayout(answer: PayoutLookup, reported: ReportedPayout): Verdict {
  switch (answer.kind) {
    case "unknown":
    case "not_found":
      return "not_yet";
    case "processing":
      return reported.status === "OPEN" && reported.returned === 0 ? "seen" : "not_yet";
    case "failed":
      return endedOtherThan(reported, "FAILED") || reported.returned > 0 ? "contradicted" : "seen";
    case "returned":
      return reported.status === "FAILED" ? "contradicted" : "seen";
    case "paid":
      if (reported.status === "FAILED") return "contradicted";
      if (reported.status === "RETURNED") return "not_yet";
      return reported.returned <= (answer.returnedAmount ?? 0) ? "seen" : "not_yet";
  }
}

function endedOtherThan({ status }: ReportedPayout, end: ReportedPayout["status"]): boolean {
  return status !== "OPEN" && status !== end;
}
