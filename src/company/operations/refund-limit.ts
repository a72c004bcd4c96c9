import type { Cents } from "../../domain/shared/money.ts";

/** Refunds of one charge, failed ones included: a response shows all of them. */
export const REFUNDS_MAX = 100;

export interface RefundOfCharge {
  status: string;
  amount: Cents;
}

/**
 * What of a paid charge may still be refunded, in centavos: the paid amount less the refunded amount and the
 * refunds in progress. Never negative: a chargeback may have taken the money of a refund in progress.
 * `requestRefund` in `operation-commands.ts` checks it, less what operators took (`ToldSums.refundable`), and the
 * available balance.
 */
export function refundableAmount(
  charge: { paidAmount: Cents; refundedAmount: Cents },
  refunds: readonly RefundOfCharge[],
): Cents {
  const pending = refunds
    .filter((refund) => refund.status === "PENDING")
    .reduce((sum, refund) => sum + refund.amount, 0);
  return Math.max(0, charge.paidAmount - charge.refundedAmount - pending);
}
