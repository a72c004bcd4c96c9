import type { ChargeCopy, WithdrawCopy } from "../../db/reconciliation/reconciliation.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { Refund } from "../../domain/charges/transaction.ts";
import type {
  KnownCharge,
  ListedPayment,
  PayoutOutcome,
  ProviderPayment,
} from "../../providers/provider.ts";

const REFUND_STATUSES = { PROCESSING: "PENDING", DONE: "DONE", FAILED: "FAILED" } as const;

/** Whether D1's copy of its charge says all that a provider says of a payment. */
export function showsPayment(copy: ChargeCopy | undefined, payment: ListedPayment): boolean {
  return copy !== undefined && showsReceived(copy, payment, payment);
}

/**
 * The same of a charge. One that nobody paid and that goes on says nothing; one that ended without money
 * is shown where the copy is not open either. What is no charge of the company's is none of its business.
 */
export function showsCharge(copy: ChargeCopy | undefined, charge: KnownCharge): boolean {
  if (copy === undefined) return true;
  const { payments, status } = charge;
  if (payments.length > 0) return payments.every((each) => showsReceived(copy, each, charge));
  return status === "open" || !(isOpenCharge(copy.status) || copy.status === "creating");
}

function showsReceived(
  copy: ChargeCopy,
  { paymentId, amount }: ProviderPayment,
  { disputes, refunds }: Pick<KnownCharge, "disputes" | "refunds">,
): boolean {
  return (
    copy.endToEndId === paymentId &&
    copy.paidAmount === amount &&
    showsDisputes(copy, disputes) &&
    refunds.every((refund) => copy.refunds.some((known) => isSameRefund(known, refund)))
  );
}

/** A copy shows the newest dispute only: of several some are always told to the object. */
function showsDisputes({ dispute }: ChargeCopy, said: KnownCharge["disputes"]): boolean {
  const [only, ...others] = said;
  if (only === undefined) return true;
  const isSame =
    dispute?.id === only.id && dispute.status === only.status && dispute.amount === only.amount;
  return isSame && others.length === 0;
}

/** Our own refunds are known to a provider by their UUID without hyphens, others' by ids of its own. */
function isSameRefund(known: Refund, said: KnownCharge["refunds"][number]): boolean {
  const isOne = known.id === said.id || known.id.replaceAll("-", "") === said.id;
  return isOne && known.amount === said.amount && known.status === REFUND_STATUSES[said.status];
}

/** Whether D1's copy of a withdraw says what a provider says of its payout. */
export function showsPayout(copy: WithdrawCopy | undefined, outcome: PayoutOutcome): boolean {
  switch (outcome.kind) {
    case "processing":
    case "unknown":
      return true;
    case "failed":
      return copy?.status === "Failed";
    case "returned":
      return copy?.status === "Returned";
    case "paid":
      return copy?.status === "Paid" && copy.returnedAmount === (outcome.returnedAmount ?? 0);
  }
}
