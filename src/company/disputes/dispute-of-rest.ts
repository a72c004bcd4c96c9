import type { Cents } from "../../domain/shared/money.ts";
import type { StoredCharge } from "../charges/charge-store.ts";
import type { StoredOperation } from "../operations/operation-store.ts";
import { refundableAmount } from "../operations/refund-limit.ts";
import type { ToldSums } from "../operations/told-sums.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";

/**
 * What a report of the rest of a charge is of. `nothing`: it changes nothing. `undecided`: the bank took what is `left`
 * (centavos), and what of these refunds, which were sent, was not given back. `refunded`: it took what refunds gave back.
 */
export type RestReport =
  | { kind: "report"; report: DisputeReport }
  | { kind: "undecided"; refunds: StoredOperation[]; report: DisputeReport; left: Cents }
  | { kind: "nothing" }
  | { kind: "refunded" };

/**
 * A report of a dispute. One whose provider names no amount (`isOfRest`) is of at most what is left of its charge. What a
 * known dispute is of already stays its amount. While it is open, that is what was not given back. Of one that is lost, what
 * was sent back and has no answer yet decides by its end. One that had opened before is won once refunds gave the payer all
 * of it, so that its hold ends.
 */
export function reportOfRest(
  report: DisputeReport,
  known: Pick<StoredDispute, "status" | "amount"> | null,
  charge: StoredCharge,
  toldSums: Pick<ToldSums, "refundsOf">,
): RestReport {
  const of = (changed: Partial<DisputeReport>): RestReport => {
    return { kind: "report", report: { ...report, ...changed } };
  };
  if (report.isOfRest !== true) return of({});
  const { status, id } = report;
  if (status === "WON") return of(known === null ? {} : { amount: known.amount });
  if (known?.status === "OPEN" && status === "OPEN") return of({ amount: known.amount });
  const refunds = toldSums.refundsOf(charge);
  const isInItsPlace = refunds.some((each) => each.insteadOf === id && each.status === "DONE");
  if (known?.status === "OPEN" && isInItsPlace) return of({ amount: known.amount });
  const sent =
    status === "OPEN"
      ? []
      : refunds.filter(({ sentAt, insteadOf }) => sentAt !== null && insteadOf !== id);
  const left = refundableAmount(charge, sent);
  if (known?.status === "LOST") return of({ amount: known.amount + left });
  const undecided = sent.filter((each) => each.status === "PENDING");
  const isInstead = refunds.some((each) => each.insteadOf !== null && each.status === "PENDING");
  if (undecided.length > 0 && !isInstead) {
    const amount = Math.min(report.amount, refundableAmount(charge, []));
    return { kind: "undecided", refunds: undecided, report: { ...report, amount }, left };
  }
  if (left > 0) return of({ amount: Math.min(report.amount, left) });
  if (undecided.length > 0) return { kind: "nothing" };
  if (known?.status === "OPEN") return of({ status: "WON", amount: known.amount });
  return { kind: status === "OPEN" ? "nothing" : "refunded" };
}
