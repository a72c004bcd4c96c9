import { describe, expect, test } from "vitest";
import type { CardDecline } from "../../../../src/domain/charges/payment-details.ts";
import {
  breaksRetryRules,
  retryStanding,
  withRetries,
} from "../../../../src/domain/cards/retry-rules.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

/** Declines, the newest first and a minute old, each a minute older than the last. */
function declines(count: number, said: Partial<CardDecline>): CardDecline[] {
  const one = { amount: 2_500, brand: "visa", code: "51", advice: null, ...said };
  return Array.from({ length: count }, (_, at) => ({ at: NOW - (at + 1) * 60_000, ...one }));
}

function standing(given: CardDecline[], amount = 2_500, at = NOW) {
  return retryStanding(given, amount, at);
}

describe("a card that its issuer never approves", () => {
  test.each(["04", "14", "43", "57", "R1"])("Visa's %s ends it, for any amount", (code) => {
    expect(standing(declines(1, { code }), 1)).toEqual({ attemptsLeft: 0, notBefore: null });
  });

  test.each(["03", "3", "21"])("Mastercard's advice %s ends it for the amount", (advice) => {
    const given = declines(1, { brand: "mastercard", advice });
    expect(standing(given)).toEqual({ attemptsLeft: 0, notBefore: null });
    expect(standing(given, 1)).toMatchObject({ attemptsLeft: 6 });
  });
});

test.each([
  ["24", HOUR],
  ["25", DAY],
  ["26", 2 * DAY],
  ["30", 10 * DAY],
])("Mastercard's advice %s says when it may be tried again", (advice, wait) => {
  const given = declines(1, { brand: "mastercard", advice });
  const notBefore = NOW - 60_000 + wait;
  expect(standing(given)).toMatchObject({ notBefore });
  expect(standing(given, 2_500, notBefore)).toMatchObject({ notBefore: null });
});

test.each([
  ["visa", 16, 30 * DAY],
  ["elo", 16, 30 * DAY],
  ["mastercard", 7, DAY],
])("%s takes %d attempts, until the first is %d ms old", (brand, attempts, windowMs) => {
  expect(standing(declines(attempts - 1, { brand }))).toEqual({ attemptsLeft: 1, notBefore: null });
  const given = declines(attempts, { brand });
  const notBefore = NOW - attempts * 60_000 + windowMs;
  expect(standing(given)).toEqual({ attemptsLeft: 0, notBefore });
  expect(standing(given, 2_500, notBefore)).toMatchObject({ notBefore: null });
});

test("Visa counts the attempts of one amount, Mastercard's day those of any", () => {
  expect(standing(declines(16, {}), 1)).toEqual({ attemptsLeft: 16, notBefore: null });
  expect(standing(declines(7, { brand: "mastercard" }), 1)).toMatchObject({ attemptsLeft: 0 });
});

test("a brand without known rules, and a card without declines, stand for nothing", () => {
  expect(standing(declines(40, { brand: "hipercard", code: "14" }))).toBeNull();
  expect(standing([])).toBeNull();
});

test("only what no attempt is left of, or what must wait, breaks the rules", () => {
  expect(breaksRetryRules({ attemptsLeft: 1, notBefore: null })).toBe(false);
  expect(breaksRetryRules({ attemptsLeft: 0, notBefore: null })).toBe(true);
  expect(breaksRetryRules({ attemptsLeft: 5, notBefore: NOW })).toBe(true);
});

test("a refusal tells what is left, and is not retryable where nothing ever is", () => {
  const reason = { code: "CARD_DECLINED", message: "Declined.", retryable: true };
  expect(withRetries(reason, null)).toEqual(reason);
  expect(withRetries(reason, { attemptsLeft: 2, notBefore: 0 })).toEqual({
    ...reason,
    attemptsLeft: 2,
    retryNotBefore: "1970-01-01T00:00:00.000Z",
  });
  expect(withRetries(reason, { attemptsLeft: 0, notBefore: null })).toEqual({
    ...reason,
    retryable: false,
    attemptsLeft: 0,
  });
});

test("what an acquirer says of further attempts stays where it is stricter", () => {
  const told = {
    code: "CARD_DECLINED",
    message: "",
    retryable: true,
    attemptsLeft: 2,
    retryNotBefore: "2027-01-05T03:00:00.000Z",
  };
  expect(withRetries(told, { attemptsLeft: 15, notBefore: null })).toEqual(told);
  const later = Date.parse("2027-02-01T00:00:00Z");
  expect(withRetries(told, { attemptsLeft: 0, notBefore: later })).toMatchObject({
    attemptsLeft: 0,
    retryNotBefore: "2027-02-01T00:00:00.000Z",
  });
  const never = withRetries(told, { attemptsLeft: 0, notBefore: null });
  expect(never).toMatchObject({ attemptsLeft: 0, retryable: false });
  expect(never).not.toHaveProperty("retryNotBefore");
  const ended = { code: "CARD_DECLINED", message: "", retryable: true, attemptsLeft: 0 };
  expect(withRetries(ended, { attemptsLeft: 3, notBefore: null })).toEqual({
    ...ended,
    retryable: false,
  });
});
