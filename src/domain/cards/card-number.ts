import verify from "card-validator";
import { parseDocument } from "../shared/document.ts";

/** ISO/IEC 7812: longer and shorter numbers are no card's. */
const DIGITS_MIN = 13;
const DIGITS_MAX = 19;
const ZERO = "0".charCodeAt(0);
/** What people and programs write between digits, after NFKC: spaces, dashes, dots, slashes, invisible signs. */
const SEPARATORS = String.raw`[\s\p{Pd}\p{Pc}\p{Cf}\p{Mn}./]`;
/** Separators in a row that still join two groups of digits, such as " - ". */
const JOINED = `${SEPARATORS}{0,4}`;
const RUNS = new RegExp(String.raw`\d(?:${JOINED}\d)*`, "gu");
const BETWEEN_GROUPS = new RegExp(`${SEPARATORS}+`, "u");
/** UUIDs, long hexadecimal ids with a letter, and a place in Brazil (`-23.550520 -46.633308`). */
const NO_CARDS =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9a-z])(?=\d*[a-f])[0-9a-f]{24,}(?![0-9a-z])|\d{1,2}\.\d{4,9}\s+-\d\d\.\d{4,9}/gi;
/** The barcode of a boleto and the access key of an NF-e; the typed line of a boleto; that of a utility bill. */
const OTHER_CODES = /^(?:\d{44}|\d{47}|8\d{47})$/;
/** `card-validator` asks no check digit of a UnionPay by itself. */
const ALWAYS_CHECK_LUHN = { luhnValidateUnionPay: true };
/** The ranges of real Maestro cards: `card-validator` counts every other number with a 6 among them. */
const MAESTRO = /^(?:5018|5020|5038|5893|6304|6390|6759|676[1-3])/;
/** How cards' numbers begin, with their lengths. Of other numbers `card-validator`, which is slow, is not asked. */
const ISSUERS = [
  /^4\d{15}(?:\d{2,3})?$/,
  /^6(?:011|4[4-9]\d|5\d\d)\d{12}(?:\d{3})?$/,
  /^(?:5[1-5]|2[2-7])\d{14}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[689]\d)\d{11}(?:\d\d|\d{5})?$/,
  /^(?:220[0-4]|352[89]|35[3-8]\d|50[4-9]\d)\d{12,15}$/,
  /^(?:606282|63[67]\d{3}|9792\d\d)\d{10}$/,
  /^(?:62|81)\d{12,17}$/,
  MAESTRO,
];
/** JCB's 15-digit cards of before 1990, which look like a clock's microseconds of 2027. */
const FORMER_JCB = /^(?:1800|2131)/;

/**
 * Whether a text has a card's number in it (PCI DSS 3.5): 13 to 19 digits of a known brand that pass Luhn,
 * after NFKC and without separators. In a longer run of digits, groups that are written like a card's count.
 * A valid CNPJ, a boleto, an NF-e's key and a long hexadecimal id are none. See docs/security.md for what is not found.
 */
export function containsCardNumber(text: string): boolean {
  if (text.length < DIGITS_MIN) return false;
  const runs = text.normalize("NFKC").replaceAll(NO_CARDS, "|").match(RUNS) ?? [];
  return runs.some((run) => run.length >= DIGITS_MIN && holdsCardNumber(run.split(BETWEEN_GROUPS)));
}

function holdsCardNumber(groups: string[]): boolean {
  const digits = groups.join("");
  if (digits.length < DIGITS_MIN) return false;
  // No group of those is as long as most cards: three cards have 47 digits too.
  if (OTHER_CODES.test(digits)) return groups.some(isLongCardNumber);
  // Each candidate once: a text of 64 KiB repeats its own thousands of times.
  const candidates = new Set(digits.length <= DIGITS_MAX ? [digits] : []);
  let start = 0;
  for (const [first, group] of groups.entries()) {
    let length = 0;
    for (let last = first; last < groups.length && length < DIGITS_MAX; last++) {
      length += groups[last]?.length ?? 0;
      const isLongEnough = length >= DIGITS_MIN && length <= DIGITS_MAX;
      if (isLongEnough && isCardLayout(groups, first, last)) {
        candidates.add(digits.slice(start, start + length));
      }
    }
    start += group.length;
  }
  return [...candidates].some(isCardNumber);
}

/** A card of 15 digits or more. */
function isLongCardNumber(group: string): boolean {
  return group.length >= 15 && group.length <= DIGITS_MAX && isCardNumber(group);
}

/** Equal groups whose last may be shorter, as 4-4-4-4 and 8-8, or 4-6-5 and 4-6-4. */
function isCardLayout(groups: string[], first: number, last: number): boolean {
  const size = groups[first]?.length ?? 0;
  const lastSize = groups[last]?.length ?? 0;
  if (last - first === 2 && size === 4 && groups[first + 1]?.length === 6) return lastSize <= 5;
  for (let index = first; index < last; index++) {
    if (groups[index]?.length !== size) return false;
  }
  return lastSize <= size;
}

function isCardNumber(digits: string): boolean {
  if (!passesLuhn(digits) || !ISSUERS.some((issuer) => issuer.test(digits))) return false;
  const { isValid, card } = verify.number(digits, ALWAYS_CHECK_LUHN);
  if (!isValid || FORMER_JCB.test(digits)) return false;
  if (card?.type === "maestro" && !MAESTRO.test(digits)) return false;
  return digits.length !== 14 || parseDocument(digits, "CNPJ") === null;
}

/** The check digit of ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - ZERO;
    const doubled = digit * 2;
    if (index % 2 === 0) sum += digit;
    else sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
