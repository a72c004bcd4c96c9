import type { Card } from "../charges/payment-details.ts";
import type { Requester } from "../access/requester.ts";

/** The version of the words that a payer agrees to (`card.saveCard` in the API reference). */
export const CONSENT_TEXT_VERSION = "1";

/** Who lets a company keep a card, when and to which words. */
export interface CardConsent {
  /** Unix milliseconds. */
  at: number;
  /** `CONSENT_TEXT_VERSION` of that day. */
  textVersion: string;
  /** Who told this service of it; null for the payer himself, on the page of a payment link. */
  by: Requester | null;
  /** A keyed hash of the payer's network address; null where the request did not name it. */
  address: string | null;
}

/** A card that a company may charge again. */
export interface SavedCard {
  id: string;
  /** The account at the house, which alone can charge it. */
  account: string;
  /** What the house gave for it. */
  ref: string;
  card: Card;
}

/** The id of the card that a charge saves: the same however often the charge is carried out. */
export function savedCardIdOf(transactionId: string): string {
  return `card_${transactionId.replaceAll("-", "")}`;
}

/** The encryption context of what a house gave for a saved card: the ciphertext decrypts in no other row. */
export function savedCardContext(providerCompanyId: string, id: string): string {
  return `saved-card:${providerCompanyId}:${id}`;
}
