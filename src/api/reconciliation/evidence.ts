import type { ToldPayment, ToldPayout, ToldReturn } from "../../domain/reconciliation/callback.ts";
import type { KnownCharge, PayoutLookup } from "../../providers/provider.ts";

/** What a provider's own answer makes of what was told: it says so too, not yet, or it ends otherwise. */
export type Verdict = "seen" | "not_yet" | "contradicted";

type Received = Pick<KnownCharge, "payments" | "disputes" | "refunds">;
type Standing = ToldReturn["status"];

const STANDINGS = {
  OPEN: "OPEN",
  PROCESSING: "OPEN",
  LOST: "DONE",
  DONE: "DONE",
  WON: "FAILED",
  FAILED: "FAILED",
} as const satisfies Record<string, Standing>;

/**
 * Whether a provider's answer has a payment, and each of its returns as far as it was told or further. An
 * answer that is older than the callback has not. One return that ended otherwise is a contradiction only
 * where all else is seen.
 */
export function verdictOnPayment(said: Received, told: ToldPayment): Verdict {
  const { paymentId, returns } = told;
  if (!said.payments.some((payment) => payment.paymentId === paymentId)) return "not_yet";
  const verdicts = new Set(
    returns.map((each) => verdictOnReturn(standingOf(said, paymentId, each.id), each)),
  );
  if (verdicts.has("not_yet")) return "not_yet";
  return verdicts.has("contradicted") ? "contradicted" : "seen";
}

function verdictOnReturn(standing: Standing | null, told: ToldReturn): Verdict {
  if (standing === null) return "not_yet";
  if (told.status === "OPEN" || told.status === standing) return "seen";
  return standing === "OPEN" ? "not_yet" : "contradicted";
}

/** How far a return is by the provider's answer; null where it does not stand there. */
function standingOf(said: Received, paymentId: string, returnId: string): Standing | null {
  const dispute = said.disputes.find(({ id }) => id === `${paymentId}:${returnId}`);
  if (dispute !== undefined) return STANDINGS[dispute.status];
  const refund = said.refunds.find((each) => each.paymentId === paymentId && each.id === returnId);
  return refund === undefined ? null : STANDINGS[refund.status];
}

/** The same of a payout. One that came back, wholly or in part, was paid before. */
export function verdictOnPayout(said: PayoutLookup, told: ToldPayout): Verdict {
  switch (said.kind) {
    case "unknown":
    case "not_found":
      return "not_yet";
    case "processing":
      return told.status === "OPEN" && told.returned === 0 ? "seen" : "not_yet";
    case "failed":
      return isOtherThan(told, "FAILED") || told.returned > 0 ? "contradicted" : "seen";
    case "returned":
      return told.status === "FAILED" ? "contradicted" : "seen";
    case "paid":
      if (told.status === "FAILED") return "contradicted";
      if (told.status === "RETURNED") return "not_yet";
      return told.returned <= (said.returnedAmount ?? 0) ? "seen" : "not_yet";
  }
}

function isOtherThan({ status }: ToldPayout, end: ToldPayout["status"]): boolean {
  return status !== "OPEN" && status !== end;
}
