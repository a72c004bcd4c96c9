import type { StoredCharge } from "../charges/charge-store.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import { refundableAmount } from "../operations/refund-limit.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";

/**
 * A report of a dispute. One whose provider names no amount (`isOfRest`) is of at most what is left of its charge:
 * what is neither given back nor on its way. What a known dispute is of already stays its amount. Null where refunds
 * gave the payer all of it; one that had opened before is won then, so that its hold ends.
 */
export function reportOfRest(
  report: DisputeReport,
  known: Pick<StoredDispute, "status" | "amount"> | null,
  charge: StoredCharge,
  operations: Pick<OperationStore, "listByTransaction">,
): DisputeReport | null {
  if (report.isOfRest !== true) return report;
  const { status } = report;
  if (status === "WON") return known === null ? report : { ...report, amount: known.amount };
  if (known?.status === "OPEN" && status === "OPEN") return { ...report, amount: known.amount };
  const refunds = operations.listByTransaction("refund", charge.transactionId);
  const left = refundableAmount(charge, refunds);
  if (known?.status === "LOST") return { ...report, amount: known.amount + left };
  if (left > 0) return { ...report, amount: Math.min(report.amount, left) };
  return known?.status === "OPEN" ? { ...report, status: "WON", amount: known.amount } : null;
}
