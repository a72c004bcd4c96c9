import type { StoredCharge } from "../charges/charge-store.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import { refundableAmount } from "../operations/refund-limit.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";

/**
 * A report of a dispute. One whose provider names no amount (`isOfRest`) is of at most what is left of its charge. What a
 * known dispute is of already stays its amount. While it is open, that is what was not given back. Once it is lost, what
 * was sent back and has no answer yet is not left either: the bank took one of the two. Null where refunds gave, or may
 * have given, the payer all of it; one that had opened before is won once they did, so that its hold ends.
 */
export function reportOfRest(
  report: DisputeReport,
  known: Pick<StoredDispute, "status" | "amount"> | null,
  charge: StoredCharge,
  operations: Pick<OperationStore, "listByTransaction">,
): DisputeReport | null {
  if (report.isOfRest !== true) return report;
  const { status, id } = report;
  if (status === "WON") return known === null ? report : { ...report, amount: known.amount };
  if (known?.status === "OPEN" && status === "OPEN") return { ...report, amount: known.amount };
  const refunds = operations.listByTransaction("refund", charge.transactionId);
  const isInItsPlace = refunds.some((each) => each.insteadOf === id && each.status === "DONE");
  if (known?.status === "OPEN" && isInItsPlace) return { ...report, amount: known.amount };
  const sent =
    status === "OPEN"
      ? []
      : refunds.filter(({ sentAt, insteadOf }) => sentAt !== null && insteadOf !== id);
  const left = refundableAmount(charge, sent);
  if (known?.status === "LOST") return { ...report, amount: known.amount + left };
  if (left > 0) return { ...report, amount: Math.min(report.amount, left) };
  const isUndecided = sent.some((each) => each.status === "PENDING");
  if (known?.status !== "OPEN" || isUndecided) return null;
  return { ...report, status: "WON", amount: known.amount };
}
