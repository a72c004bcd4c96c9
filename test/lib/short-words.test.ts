import { expect, test } from "vitest";
import { SHORT_ROWS } from "../../src/company/short-rows-migration.ts";
import {
  ACCOUNT_LETTERS,
  accountOfLetter,
  TYPE_NUMBERS,
  typeOfNumber,
} from "../../src/company/short-words.ts";

test("every number and letter means what it meant when rows were first written with them", () => {
  const numbers = [...SHORT_ROWS.matchAll(/WHEN '(\w+)' THEN (\d+)/g)].map(
    ([, type, number]) => [type, Number(number)] as const,
  );
  const letters = [...SHORT_ROWS.matchAll(/'"(\w+)"', '"(\w)"'/g)].map(
    ([, account, letter]) => [account, letter] as const,
  );

  expect(numbers).toHaveLength(17);
  expect(letters).toHaveLength(8);
  expect(TYPE_NUMBERS).toMatchObject(Object.fromEntries(numbers));
  expect(ACCOUNT_LETTERS).toMatchObject(Object.fromEntries(letters));
});

test("no two types share a number and no two accounts a letter", () => {
  for (const [type, number] of Object.entries(TYPE_NUMBERS)) {
    expect(typeOfNumber(number)).toBe(type);
  }
  for (const [account, letter] of Object.entries(ACCOUNT_LETTERS)) {
    expect(accountOfLetter(letter)).toBe(account);
  }
});

test("a row that says neither is a bug, not a guess", () => {
  expect(() => typeOfNumber(0)).toThrow("0 is a type of movement");
  expect(() => accountOfLetter("available")).toThrow("available is an account");
});
