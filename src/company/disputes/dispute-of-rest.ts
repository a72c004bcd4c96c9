import type { StoredCharge } from "../charges/charge-store.ts";
import type { OperationStore, StoredOperation } from "../operations/operation-store.ts";
import { refundableAmount } from "../operations/refund-limit.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";

/**
 * What a report of the rest of a charge is of. `nothing`: it changes nothing. `undecided`: the bank took what these
 * refunds, which were sent, may have given back. `refunded`: it took what refunds have given back.
 */
type RestReport =
  | { kind: "report"; report: DisputeReport }
  | { kind: "undecided"; refunds: StoredOperation[] }
  | { kind: "nothing" }
  | { kind: "refunded" };

/**
 * A report of a dispute. One whose provider names no amount (`isOfRest`) is of at most what is left of its charge. What a
 * known dispute is of already stays its amount. While it is open, that is what was not given back. Once it is lost, what
 * was sent back and has no answer yet is not left either: the bank took one of the two. One that had opened before is won
 * once refunds gave the payer all of it, so that its hold ends.
 */
export function reportOfRest(
  report: DisputeReport,
  known: Pick<StoredDispute, "status" | "amount"> | null,
  charge: StoredCharge,
  operations: Pick<OperationStore, "listByTransaction">,
): RestReport {
  const of = (changed: Partial<DisputeReport>): RestReport => {
    return { kind: "report", report: { ...report, ...changed } };
  };
  if (report.isOfRest !== true) return of({});
  const { status, id } = report;
  if (status === "WON") return of(known === null ? {} : { amount: known.amount });
  if (known?.status === "OPEN" && status === "OPEN") return of({ amount: known.amount });
  const refunds = operations.listByTransaction("refund", charge.transactionId);
  const isInItsPlace = refunds.some((each) => each.insteadOf === id && each.status === "DONE");
  if (known?.status === "OPEN" && isInItsPlace) return of({ amount: known.amount });
  const sent =
    status === "OPEN"
      ? []
      : refunds.filter(({ sentAt, insteadOf }) => sentAt !== null && insteadOf !== id);
  const left = refundableAmount(charge, sent);
  if (known?.status === "LOST") return of({ amount: known.amount + left });
  if (left > 0) return of({ amount: Math.min(report.amount, left) });
  const undecided = sent.filter((each) => each.status === "PENDING");
  if (known?.status === "OPEN") {
    return undecided.length > 0 ? { kind: "nothing" } : of({ status: "WON", amount: known.amount });
  }
  if (status === "OPEN") return { kind: "nothing" };
  if (undecided.length === 0) return { kind: "refunded" };
  const isOfOthers = known !== null || undecided.some(({ insteadOf }) => insteadOf !== null);
  return isOfOthers ? { kind: "nothing" } : { kind: "undecided", refunds: undecided };
}
