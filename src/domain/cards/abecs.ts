import { failureReason, type FailureCode } from "../charges/failure-reason.ts";
import type { NetworkRefusal, RefusedReason } from "../charges/payment-details.ts";

/**
 * What an issuer's code means. Since 2026-08-28 Pagar.me gives the codes of the card's brand (ABECS, normative 21, as
 * Cielo and PayZu publish it); a number means another thing with another brand, and Amex has a set of its own.
 */

/** An issuer's refusal as its acquirer passes it on. */
interface CardRefusal extends NetworkRefusal {
  /** As `card-validator` names it. */
  brand: string;
  /** Whether the acquirer's antifraud refused it, and no issuer was asked. */
  byAntifraud: boolean;
}

type Meaning = readonly [code: FailureCode, isReversible: boolean];

const LATER = true;
const NEVER = false;
const DECLINED_FOR_NOW: Meaning = ["CARD_DECLINED", LATER];
const DECLINED: Meaning = ["CARD_DECLINED", NEVER];

/** Elo, Visa, Mastercard and the brands that follow them. */
const MEANINGS: Record<string, Meaning> = {
  ...forAll(["04", "05", "06", "38", "55", "62", "75", "78"], DECLINED_FOR_NOW),
  ...forAll(["12", "13", "14", "19", "23", "30", "41", "43", "46"], DECLINED),
  ...forAll(["56", "57", "58", "63", "64", "76", "77"], DECLINED),
  "51": ["INSUFFICIENT_FUNDS", LATER],
  "54": ["EXPIRED_CARD", NEVER],
  "59": ["FRAUD_SUSPECTED", LATER],
  "61": ["LIMIT_EXCEEDED", LATER],
  "65": ["LIMIT_EXCEEDED", LATER],
};
const AMEX_MEANINGS: Record<string, Meaning> = {
  "100": DECLINED_FOR_NOW,
  "116": ["INSUFFICIENT_FUNDS", LATER],
  "121": ["LIMIT_EXCEEDED", LATER],
};
/** Mastercard's advice wins over the code: 03 and 21 end it, 02 and 24 to 30 say when. */
const ADVICE_NEVER = new Set(["03", "21"]);
const ADVICE_LATER = new Set(["02", "24", "25", "26", "27", "28", "29", "30"]);

/** Why a card was refused, for the merchant. A code that is not known is shown as it came, and is not retryable. */
export function cardRefusal({ brand, code, advice, byAntifraud }: CardRefusal): RefusedReason {
  if (byAntifraud) return failureReason("FRAUD_SUSPECTED");
  const meanings = brand === "american-express" ? AMEX_MEANINGS : MEANINGS;
  const known = code !== null && Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  const [meaning, isReversible] = known ?? DECLINED;
  const reason = failureReason(meaning);
  const shown = code === null ? reason.message : `${reason.message} Its code is ${code}.`;
  const mac = brand === "mastercard" ? (advice ?? "").padStart(2, "0") : "";
  const retryable = ADVICE_LATER.has(mac) || (isReversible && !ADVICE_NEVER.has(mac));
  return { code: reason.code, message: known === undefined ? shown : reason.message, retryable };
}

function forAll(codes: string[], meaning: Meaning): Record<string, Meaning> {
  return Object.fromEntries(codes.map((code) => [code, meaning]));
}
