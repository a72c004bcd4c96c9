import { PAYMENT_METHODS, type PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";

/** The gateway's fee: a share in hundredths of a percent, and a fixed part in centavos. */
export interface Fee {
  basisPoints: number;
  fixed: Cents;
}

export const NO_FEE: Fee = { basisPoints: 0, fixed: 0 };

/** Payments by each method, and withdraws. */
export const FEE_KINDS = [...PAYMENT_METHODS, "WITHDRAW"] as const;
export type FeeKind = (typeof FEE_KINDS)[number];

/** The commercial terms the operator agreed with a company. */
export interface CompanyTerms {
  fees: Record<FeeKind, Fee>;
  /** Days from payment to release; of a card, for each installment in turn. */
  releaseDays: Record<PaymentMethod, number>;
  /** Centavos; never below the contract's minimum. */
  minimumWithdraw: Cents;
}

export const DEFAULT_FEES = Object.fromEntries(
  FEE_KINDS.map((kind) => [kind, NO_FEE]),
) as CompanyTerms["fees"];

export const MAX_BASIS_POINTS = 10_000;

/**
 * The fee on an amount, rounded half up on the integer, never more than the amount. The product of
 * the largest amount and 10,000 is beyond what a double counts, hence the amount in two parts.
 */
export function feeOn(amount: Cents, fee: Fee): Cents {
  const whole = Math.floor(amount / MAX_BASIS_POINTS) * fee.basisPoints;
  const rest = (amount % MAX_BASIS_POINTS) * fee.basisPoints;
  const share = whole + Math.floor((rest + MAX_BASIS_POINTS / 2) / MAX_BASIS_POINTS);
  return Math.min(amount, share + fee.fixed);
}
