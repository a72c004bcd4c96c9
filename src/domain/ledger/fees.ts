import type { PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";

/** What the gateway keeps: a share in hundredths of a percent, and a fixed part in centavos. */
export interface Fee {
  basisPoints: number;
  fixed: Cents;
}

export const NO_FEE: Fee = { basisPoints: 0, fixed: 0 };

export const FEE_KINDS = ["PIX", "BOLETO", "CREDIT_CARD", "WITHDRAW"] as const;
export type FeeKind = (typeof FEE_KINDS)[number];

/** What the operator of the gateway agreed with a company (`product.md` section 5). */
export interface CompanyTerms {
  fees: Record<FeeKind, Fee>;
  /** Days from payment to release; of a card, for each installment in turn. */
  releaseDays: Record<PaymentMethod, number>;
  /** Centavos; never below the contract's minimum. */
  minimumWithdraw: Cents;
}

export const DEFAULT_FEES: CompanyTerms["fees"] = {
  PIX: NO_FEE,
  BOLETO: NO_FEE,
  CREDIT_CARD: NO_FEE,
  WITHDRAW: NO_FEE,
};

export const DEFAULT_RELEASE_DAYS: CompanyTerms["releaseDays"] = {
  PIX: 0,
  BOLETO: 1,
  CREDIT_CARD: 30,
};

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
