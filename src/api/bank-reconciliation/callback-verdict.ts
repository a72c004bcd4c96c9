import type {
  ReportedPayment,
  ReportedPayout,
  ReportedReturn,
} from "../../domain/reconciliation/callback.ts";
import type { PayoutLookup } from "../../providers/provider.ts";
import type { ChargeDetails } from "../../providers/charge.ts";

/** Whether a provider's response confirms its callback, does not show it yet, or contradicts it. */
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
 * Compares a provider's response with a callback's payment and returns. A return that has progressed further
 * counts as seen. A return that ended otherwise is a contradiction only if all else is seen: the response may
 * be older than the callback.
 */
export function verdictOnPayment(response: Received, reported: ReportedPayment): Verdict {
  const { paymentId, returns } = reported;
  if (!response.payments.some((payment) => payment.paymentId === paymentId)) return "not_yet";
  const verdicts = new Set(
    returns.map((each) => verdictOnReturn(statusOfReturn(response, paymentId, each.id), each)),
  );
  if (verdicts.has("not_yet")) return "not_yet";
  return verdicts.has("contradicted") ? "contradicted" : "seen";
}

function verdictOnReturn(status: ReturnStatus | null, reported: ReportedReturn): Verdict {
  if (status === null) return "not_yet";
  if (reported.status === "OPEN" || reported.status === status) return "seen";
  return status === "OPEN" ? "not_yet" : "contradicted";
}

/** The status of a return in the provider's response; null if it is not there. */
function statusOfReturn(
  response: Received,
  paymentId: string,
  returnId: string,
): ReturnStatus | null {
  const dispute = response.disputes.find(({ id }) => id === `${paymentId}:${returnId}`);
  if (dispute !== undefined) return RETURN_STATUSES[dispute.status];
  const refund = response.refunds.find(
    (each) => each.paymentId === paymentId && each.id === returnId,
  );
  return refund === undefined ? null : RETURN_STATUSES[refund.status];
}

/** Compares a provider's response with a callback's payout. A returned payout was paid before. */
export function verdictOnPayout(response: PayoutLookup, reported: ReportedPayout): Verdict {
  switch (response.kind) {
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
      return reported.returned <= (response.returnedAmount ?? 0) ? "seen" : "not_yet";
  }
}

function endedOtherThan({ status }: ReportedPayout, end: ReportedPayout["status"]): boolean {
  return status !== "OPEN" && status !== end;
}
