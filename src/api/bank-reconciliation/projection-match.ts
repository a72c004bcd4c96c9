import type {
  ChargeProjection,
  WithdrawProjection,
} from "../../db/reconciliation/reconciliation.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import { externalRefundId, type Refund } from "../../domain/charges/transaction.ts";
import { ourRefundId } from "../../domain/psp/psp-ids.ts";
import type { ListedPayment, PayoutOutcome } from "../../providers/provider.ts";
import type { ChargeDetails, ProviderPayment } from "../../providers/charge.ts";

const REFUND_STATUSES = { PROCESSING: "PENDING", DONE: "DONE", FAILED: "FAILED" } as const;

/** Whether the charge's projection has a payment as the provider reports it. */
export function projectionHasPayment(
  projected: ChargeProjection | undefined,
  payment: ListedPayment,
): boolean {
  return projected !== undefined && hasReceived(projected, payment, payment);
}

/** Ends that are the house's own word: `expired` follows from the charge's time. */
const ENDED: ReadonlySet<ChargeDetails["status"]> = new Set(["cancelled", "failed", "refused"]);

/**
 * Whether a charge's projection has all that the provider reports of it. True for a charge that is not the
 * company's, for an open unpaid charge, and for a charge that ended unpaid on both sides.
 */
export function projectionHasCharge(
  projected: ChargeProjection | undefined,
  charge: ChargeDetails,
): boolean {
  if (projected === undefined) return true;
  const { payments, status } = charge;
  if (payments.length > 0) return payments.every((each) => hasReceived(projected, each, charge));
  if (projected.status === "paid") return !ENDED.has(status);
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

/** A projection holds the newest dispute only, so several disputes always go to the object. */
function hasDisputes({ dispute }: ChargeProjection, reported: ChargeDetails["disputes"]): boolean {
  const [only, ...others] = reported;
  if (only === undefined) return true;
  const isSame =
    dispute?.id === only.id && dispute.status === only.status && dispute.amount === only.amount;
  return isSame && others.length === 0;
}

/** A projection has our refunds by their UUID, and other refunds by their payment's id and the provider's. */
function isSameRefund(known: Refund, reported: ChargeDetails["refunds"][number]): boolean {
  const { id, paymentId } = reported;
  const isOne =
    known.id.replaceAll("-", "") === ourRefundId(id) ||
    known.id === externalRefundId(paymentId, id);
  return (
    isOne && known.amount === reported.amount && known.status === REFUND_STATUSES[reported.status]
  );
}

/** Whether a withdraw's projection has the payout's outcome as the provider reports it. */
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
