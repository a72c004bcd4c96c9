import verify from "card-validator";

/** What may be kept of a card (PCI DSS 3.4.1, 3.5.1): never its whole number, never its CVV. */
export interface Card {
  /** Of `card-validator`, such as `visa`; `unknown` where it knows none. */
  brand: string;
  /** The first six. */
  firstDigits: string;
  /** The last four. */
  lastDigits: string;
  holderName: string;
  expirationMonth: number;
  expirationYear: number;
}

/** A card as it was charged; `authorizationCode` null until the acquirer has given one. */
export interface ChargedCard extends Card {
  authorizationCode: string | null;
}

/** Why an acquirer refused a card; `retryable` where the same card may be tried again later. */
export interface RefusedReason {
  /** UPPER_SNAKE, stable. */
  code: string;
  message: string;
  retryable: boolean;
}

/** What an acquirer says of a charged card. */
export interface CardReport {
  card: ChargedCard;
  /** The acquirer's number of the sale (NSU); null where it gave none. */
  nsu: string | null;
  refusedReason: RefusedReason | null;
}

/** A card's number and CVV, which live in memory only, from the request to the acquirer. */
export interface RawCard {
  number: string;
  holderName: string;
  expirationMonth: number;
  expirationYear: number;
  cvv: string;
}

/** A message for each field of a card that is wrong. */
type CardErrors = Record<"number" | "cvv" | "expirationMonth" | "expirationYear", string>;

/** The first and last digits that may be shown (PCI DSS 3.4.1). */
const FIRST_DIGITS = 6;
const LAST_DIGITS = 4;
/** `card-validator` asks no check digit of a UnionPay by itself. */
const ALWAYS_CHECK_LUHN = { luhnValidateUnionPay: true };
/** A number wherever it stands in a text, written in groups or not. */
const CARD_NUMBER_CANDIDATES = /\d(?:[ -]?\d){11,18}/g;
/** Cards are made for a few years; `card-validator` takes up to 19. */
const EXPIRY_YEARS_MAX = 19;

/** Why a card cannot be charged at all, by the field that is wrong; no part of the card is in it. */
export function cardErrors(card: Partial<RawCard>, today: string): Partial<CardErrors> {
  const faults: Partial<CardErrors> = {};
  const { number, cvv, expirationMonth, expirationYear } = card;
  const verdict = number === undefined ? null : verify.number(number, ALWAYS_CHECK_LUHN);
  if (verdict?.isValid === false) faults.number = "is not a valid card number";
  const size = verdict?.card?.code.size ?? [3, 4];
  if (cvv !== undefined && !verify.cvv(cvv, size).isValid) {
    faults.cvv = `must be ${[size].flat().join(" or ")} digits`;
  }
  if (expirationYear === undefined) return faults;
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  if (expirationYear > year + EXPIRY_YEARS_MAX) {
    faults.expirationYear = `must be at most ${year + EXPIRY_YEARS_MAX}`;
  } else if (expirationYear < year) {
    faults.expirationYear = "is in the past";
  } else if (expirationYear === year && expirationMonth !== undefined && expirationMonth < month) {
    faults.expirationMonth = "is in the past";
  }
  return faults;
}

/** What may be kept of a card. */
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

/** Whether a text is a card's number, which a field that is kept or hashed must not be. */
export function isCardNumber(text: string): boolean {
  return verify.number(withoutSeparators(text), ALWAYS_CHECK_LUHN).isValid;
}

/** Whether a text has a card's number in it. */
export function containsCardNumber(text: string): boolean {
  return text.match(CARD_NUMBER_CANDIDATES)?.some(isCardNumber) ?? false;
}

/** A number as it may be written, in groups, without what is between them. */
export function withoutSeparators(number: string): string {
  return number.replaceAll(/[\s-]/g, "");
}
