/** An integer number of centavos. Never a float, never beyond what a double counts exactly. */
export type Cents = number;

/** The largest amount of one charge: ten integer digits of reais (BACEN Pix API `valor.original`). */
export const MAX_AMOUNT_CENTS: Cents = 999_999_999_999;

/** The contract's minimum withdraw: 10.00 reais (interface, Limits). */
export const MIN_WITHDRAW_CENTS: Cents = 1_000;

/** The only currency the service holds. */
export const CURRENCY = "BRL";

/**
 * Centavos as the decimal number of reais the contract shows (`value`, `fee`, the balance fields).
 * Exact for every amount and balance a company can hold (up to 10^13 reais): 435 prints as `4.35`.
 */
export function centsToReais(cents: Cents): number {
  return cents / 100;
}
