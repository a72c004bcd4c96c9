import { maskDocument } from "../access/masks.ts";
import type { PaidBy, Payer, PayerMatch } from "./transaction.ts";

/** Who paid, as a provider tells it. Its document may be whole: it is never stored or logged. */
export interface ReportedPayer {
  name: string | null;
  /** A CPF or CNPJ, whole or with `*` for some of its digits. */
  document: string | null;
  /** The payer's institution, where the payment's id does not say it (BACEN ISPB). */
  ispb: string | null;
}

/** Longest name that is kept. */
const NAME_MAX = 120;
/** The lengths of a CPF and of a CNPJ. */
const DOCUMENT_LENGTHS = new Set([11, 14]);
/** Fewer visible digits than a masked CPF shows say nothing about who it is. */
const VISIBLE_MIN = 6;
/** A PIX's id names its payer's institution in characters 2 to 9 (BACEN). */
const END_TO_END_ISPB = /^E(\d{8})/;

/**
 * What is kept of who paid, and whether it is the charge's customer. `customer` as the reporter means that
 * the charge's customer paid himself. `paidBy` null where nothing is known.
 */
export function whoPaid(
  payment: { paymentId: string; payer?: ReportedPayer | "customer" | undefined },
  customer: Pick<Payer, "name" | "documentNumber">,
): { paidBy: PaidBy | null; payerMatch: PayerMatch } {
  const { paymentId, payer: reported } = payment;
  const payer =
    reported === "customer"
      ? { name: customer.name, document: customer.documentNumber, ispb: null }
      : reported;
  const paidBy = {
    name: (payer?.name ?? "").trim().slice(0, NAME_MAX) || null,
    documentMasked: maskedDocument(payer?.document ?? ""),
    ispb: END_TO_END_ISPB.exec(paymentId)?.[1] ?? payer?.ispb ?? null,
  };
  const isKnown = Object.values(paidBy).some((part) => part !== null);
  return {
    paidBy: isKnown ? paidBy : null,
    payerMatch: payerMatch(payer?.document ?? "", customer.documentNumber),
  };
}

/**
 * Whether a reported document is the customer's. Of a masked one only the visible digits are compared;
 * `unknown` where too few are visible, or either is missing.
 */
export function payerMatch(reported: string, customerDocument: string): PayerMatch {
  const seen = withoutPunctuation(reported);
  const expected = withoutPunctuation(customerDocument);
  if (!DOCUMENT_LENGTHS.has(seen.length) || expected === "") return "unknown";
  if (seen.length !== expected.length) return "differs";
  const visible = Array.from(seen).flatMap((character, at) =>
    character === "*" ? [] : [character === expected[at]],
  );
  if (visible.includes(false)) return "differs";
  return visible.length < VISIBLE_MIN ? "unknown" : "matches";
}

/** The document as it may be stored; null where it is none. One that came masked stays as it was masked. */
function maskedDocument(document: string): string | null {
  const plain = withoutPunctuation(document);
  if (!DOCUMENT_LENGTHS.has(plain.length)) return null;
  if (!plain.includes("*")) return maskDocument(plain);
  const at = plain.length === 11 ? CPF_MARKS : CNPJ_MARKS;
  return Array.from(plain, (character, index) => character + (at[index] ?? "")).join("");
}

/** The punctuation after each digit: `***.456.789-**` and `**.345.678/****-**`. */
const CPF_MARKS: Record<number, string> = { 2: ".", 5: ".", 8: "-" };
const CNPJ_MARKS: Record<number, string> = { 1: ".", 4: ".", 7: "/", 11: "-" };

function withoutPunctuation(document: string): string {
  return document.toUpperCase().replaceAll(/[^0-9A-Z*]/g, "");
}
