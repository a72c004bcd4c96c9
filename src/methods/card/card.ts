import verify from "card-validator";
import type { Card } from "../../domain/charges/payment-details.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** A whole card. Its number and CVV live in memory only, from the request to the acquirer. */
export interface RawCard {
  number: string;
  holderName: string;
  expirationMonth: number;
  expirationYear: number;
  cvv: string;
}

/** An order to an acquirer. A live company's source is a token of its acquirer, or what that gave for a saved card. */
export interface CardOrder {
  source: { token: string } | { savedCard: string } | RawCard;
  /** There where the payer lets the card be kept: then the report must have what it is charged by again (`savedCard`). */
  save?: true;
  /** Left out where the payer is there; `merchant`: it charges a saved card by agreement, without its payer. */
  initiatedBy?: "merchant";
  /** False where the money is only authorized, to be captured later. */
  capture: boolean;
  installments: number;
  /** Shown on the payer's statement; `""` for the merchant's usual one. */
  statementDescriptor: string;
}

/** A message for each wrong field of a card. */
type CardErrors = Record<"number" | "cvv" | "expirationMonth" | "expirationYear", string>;

/** The first and last digits that may be shown (PCI DSS 3.4.1). */
const FIRST_DIGITS = 6;
const LAST_DIGITS = 4;
/** `card-validator` asks no check digit of a UnionPay by itself. */
const ALWAYS_CHECK_LUHN = { luhnValidateUnionPay: true };
/** Cards are made for a few years; `card-validator` takes up to 19. */
const EXPIRY_YEARS_MAX = 19;

/** Reasons why no acquirer would charge a card, by wrong field. They hold no part of the card. */
export function cardErrors(card: Partial<RawCard>, today: string): Partial<CardErrors> {
  const faults: Partial<CardErrors> = {};
  const { number, cvv, expirationMonth, expirationYear } = card;
  const verdict = number === undefined ? null : verify.number(number, ALWAYS_CHECK_LUHN);
  if (verdict?.isValid === false) faults.number = breaks("cardNumber");
  const size = verdict?.card?.code.size ?? [3, 4];
  if (cvv !== undefined && !verify.cvv(cvv, size).isValid) {
    faults.cvv = breaks("digits", { sizes: [size].flat().join(" or ") });
  }
  if (expirationYear === undefined) return faults;
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  if (expirationYear > year + EXPIRY_YEARS_MAX) {
    faults.expirationYear = breaks("max", { max: year + EXPIRY_YEARS_MAX });
  } else if (expirationYear < year) {
    faults.expirationYear = breaks("inPast");
  } else if (expirationYear === year && expirationMonth !== undefined && expirationMonth < month) {
    faults.expirationMonth = breaks("inPast");
  }
  return faults;
}

/** The storable part of a card. */
export function truncateCard({
  number,
  holderName,
  expirationMonth,
  expirationYear,
}: RawCard): Card {
  return {
    brand: brandOf(number),
    ...truncatedPan(number),
    holderName,
    expirationMonth,
    expirationYear,
  };
}

function brandOf(number: string): string {
  return verify.number(number).card?.type ?? "unknown";
}

function truncatedPan(number: string): Pick<Card, "firstDigits" | "lastDigits"> {
  const digits = withoutSeparators(number);
  return { firstDigits: digits.slice(0, FIRST_DIGITS), lastDigits: digits.slice(-LAST_DIGITS) };
}

/** A card number without the spaces and hyphens between its groups. */
export function withoutSeparators(number: string): string {
  return number.replaceAll(/[\s-]/g, "");
}
