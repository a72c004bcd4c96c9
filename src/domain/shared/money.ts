import { formatCurrency } from "@brazilian-utils/brazilian-utils";

/** An integer number of centavos, at most `Number.MAX_SAFE_INTEGER`. */
export type Cents = number;

/** The largest amount of one charge: ten integer digits of reais (BACEN Pix API `valor.original`). */
export const MAX_AMOUNT_CENTS: Cents = 999_999_999_999;

/** The contract's minimum withdraw: 10.00 reais. */
export const MIN_WITHDRAW_CENTS: Cents = 1_000;

/** The only supported currency. */
export const CURRENCY = "BRL";

/**
 * Centavos as reais, for the contract's decimal fields (`value`, `fee`, the balance). Exact up to 10^13
 * reais: 435 prints as `4.35`.
 */
export function centsToReais(cents: Cents): number {
  return cents / 100;
}

/** Centavos as a Brazilian reads them: `R$ 1.234,56`. */
export function reaisText(cents: Cents): string {
  return formatCurrency(centsToReais(cents), { symbol: true });
}
