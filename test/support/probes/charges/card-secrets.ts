import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { expect } from "vitest";
import { canonicalJson } from "../../../../src/lib/hash.ts";

/** A card whose number and CVV must not be stored. */
export interface CardSecret {
  number: string;
  cvv: string;
}

/** Searched texts by place: a store, the log, a queue, outgoing requests. */
type SearchedTexts = Record<string, string>;

/** First six and last four digits may be shown: a leak has at least seven. */
const PREFIX = 7;
const SUFFIX = 7;
/** Enough consecutive digits to exclude a coincidence, unless they are padding zeros. */
const WINDOW = 10;
const HASHES = { md5, sha1, sha256, sha512 };
/** Matches words as long as the shortest digest in base64. */
const HASH_LIKE = /[\w+/-]{22,}/g;
/** Delimiters of a JSON string, nested ones included. */
const JSON_STRING_DELIMITERS = String.raw`\\*"`;

/**
 * Asserts that no place contains a card's number or CVV, or a hash of a number or of a whole
 * request.
 */
export function expectNoSecrets(
  places: SearchedTexts,
  secrets: CardSecret[],
  requests: object[],
): void {
  const clear = secrets.flatMap(plainTextPatterns);
  const hashed = new Set(
    [
      ...secrets.flatMap(({ number }) => [number, grouped(number, " "), grouped(number, "-")]),
      ...requests.flatMap((request) => [JSON.stringify(request), canonicalJson(request)]),
    ].flatMap(digestsOf),
  );
  for (const [place, text] of Object.entries(places)) {
    for (const form of clear) expect(form.exec(text)?.[0], `${place}: ${form}`).toBeUndefined();
    const words = text.match(HASH_LIKE) ?? [];
    expect(
      words.filter((word) => hashed.has(word)),
      `hashes in ${place}`,
    ).toEqual([]);
  }
}

function plainTextPatterns({ number, cvv }: CardSecret): RegExp[] {
  const windows = Array.from({ length: number.length - WINDOW + 1 }, (_, start) =>
    number.slice(start, start + WINDOW),
  ).filter(isDistinctive);
  return [
    ...windows.map((digits) => new RegExp(withSeparators(digits))),
    new RegExp(JSON_STRING_DELIMITERS + withSeparators(number.slice(0, PREFIX))),
    ...[number.slice(-SUFFIX)]
      .filter(isDistinctive)
      .map((digits) => new RegExp(`${withSeparators(digits)}${JSON_STRING_DELIMITERS}`)),
    new RegExp(`${JSON_STRING_DELIMITERS}${cvv}${JSON_STRING_DELIMITERS}`),
    // A rejected field has a list of messages there.
    new RegExp(
      `${JSON_STRING_DELIMITERS}(?:cvv|cvc|securityCode)${JSON_STRING_DELIMITERS}\\s*:(?!\\s*\\[)`,
      "i",
    ),
  ];
}

/** Runs of zeros are padding of other numbers. */
function isDistinctive(digits: string): boolean {
  return !digits.startsWith("0000") && !digits.endsWith("000000");
}

/** Digits with optional separators. */
function withSeparators(digits: string): string {
  return Array.from(digits).join("[ -]?");
}

function grouped(number: string, separator: string): string {
  return number.replaceAll(/\d{4}(?=\d)/g, `$&${separator}`);
}

function digestsOf(text: string): string[] {
  return Object.values(HASHES).flatMap((hash) => {
    const digest = hash(new TextEncoder().encode(text));
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const base64 = btoa(String.fromCharCode(...digest)).replaceAll("=", "");
    return [hex, hex.toUpperCase(), base64, base64.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
