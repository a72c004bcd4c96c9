import type {
  ChargeProjection,
  WithdrawProjection,
} from "../../db/reconciliation/reconciliation.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { Refund } from "../../domain/charges/transaction.ts";
import type {
  ChargeDetails,
  ListedPayment,
  PayoutOutcome,
  ProviderPayment,
} from "../../providers/provider.ts";

const REFUND_STATUSES = { PROCESSING: "PENDING", DONE: "DONE", FAILED: "FAILED" } as const;

/** Whether D1's copy of its charge says all that a provider says of a payment. */
export function projectionHasPayment(
  projected: ChargeProjection | undefined,
  payment: ListedPayment,
): boolean {
  return projected !== undefined && hasReceived(projected, payment, payment);
}

/**
 * The same of a charge. One that nobody paid and that goes on says nothing; one that ended without money
 * is shown where the copy is not open either. What is no charge of the company's is none of its business.
 */
export function projectionHasCharge(
  projected: ChargeProjection | undefined,
  charge: ChargeDetails,
): boolean {
  if (projected === undefined) return true;
  const { payments, status } = charge;
  if (payments.length > 0) return payments.every((each) => hasReceived(projected, each, charge));
  return status === "open" || !(isOpenCharge(projected.status) || projected.status === "creating");
}

function hasReceived(
  projected: ChargeProjection,
  { paymentId, amount }: ProviderPayment,
  { disputes, refunds }: Pick<ChargeDetails, "disputes" | "refunds">,
): boolean {
  return (
    projected.endToEndId === paymentId &&
    projected.paidAmount === amount &&
    hasDisputes(projected, disputes) &&
    refunds.every((refund) => projected.refunds.some((known) => isSameRefund(known, refund)))
  );
}

/** A copy shows the newest dispute only: of several some are always told to the object. */
function hasDisputes({ dispute }: ChargeProjection, reported: ChargeDetails["disputes"]): boolean {
  const [only, ...others] = reported;
  if (only === undefined) return true;
  const isSame =
    dispute?.id === only.id && dispute.status === only.status && dispute.amount === only.amount;
  return isSame && others.length === 0;
}

/** Our own refunds are known to a provider by their UUID without hyphens, others' by ids of its own. */
function isSameRefund(known: Refund, reported: ChargeDetails["refunds"][number]): boolean {
  const isOne = known.id === reported.id || known.id.replaceAll("-", "") === reported.id;
  return (
    isOne && known.amount === reported.amount && known.status === REFUND_STATUSES[reported.status]
  );
}

/** Whether D1's copy of a withdraw says what a provider says of its payout. */
export function projectionHasPayout(
  projected: WithdrawProjection | undefined,
  outcome: PayoutOutcome,
): boolean {
  switch (outcome.kind) {
    case "processing":
    case "unknown":
      return true;
    case "failed":
      return projected?.status === "Failed";
    case "returned":
      return projected?.status === "Returned";
    case "paid":
      return (
        projected?.status === "Paid" && projected.returnedAmount === (outcome.returnedAmount ?? 0)
      );
  }
}
