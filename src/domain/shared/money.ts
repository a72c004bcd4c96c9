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

/** Reais of the contract's decimal fields as centavos, exactly: 4.35 is 435. */
export function reaisToCents(reais: number): Cents {
  return Math.round(reais * 100);
}

/** Centavos as reais with a point and two decimals, made from the integer: 435 is `4.35`, -5 is `-0.05`. */
export function decimalReais(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Centavos as a person types them in a language: 435 is `4,35` in Portuguese, `4.35` in English; empty for none. */
export function typedReais(cents: Cents | null, language: "pt-BR" | "en"): string {
  if (cents === null) return "";
  const text = decimalReais(cents);
  return language === "pt-BR" ? text.replace(".", ",") : text;
}

/**
 * Reais as a person types them, such as `1.234,56`, `1234.56` or `R$ 10`, in centavos; null for another text. The form
 * of a payment link runs it in the browser by its source, so it uses nothing outside of itself.
 */
export function parseReais(typed: string): Cents | null {
  const text = typed.replaceAll(/[R$\s]/g, "");
  const isBrazilian = /^(?:\d{1,10}|\d{1,3}(?:\.\d{3}){1,3}),\d{1,2}$/.test(text);
  const plain = isBrazilian ? text.replaceAll(".", "").replace(",", ".") : text;
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}

/** Centavos as a Brazilian reads them: `R$ 1.234,56`. */
export function reaisText(cents: Cents): string {
  return formatCurrency(centsToReais(cents), { symbol: true });
}
