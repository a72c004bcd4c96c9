import { describe, expect, test } from "vitest";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  companyIdOfTransactionId,
  MAX_COMPANY_ID,
  newSecureRandom,
  newTransactionId,
  parseSecureId,
  secureIdOf,
} from "../../../../src/domain/shared/ids.ts";
import { forAll, onlyBit } from "../../../support/builders/requests/property.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

test("a secureId contains the transaction, its company and the random half", () => {
  forAll(300, (random) => {
    const companyId = random.integer(1, MAX_COMPANY_ID);
    const transactionId = newTransactionId(companyId, NOW, random);
    const secureRandom = newSecureRandom(random);
    const parts = parseSecureId(secureIdOf(transactionId, secureRandom));
    expect(parts).toEqual({ transactionId, secureRandom });
    expect(companyIdOfTransactionId(parts!.transactionId)).toBe(companyId);
  });
});

test("a secureId needs no URL encoding", () => {
  forAll(300, (random) => {
    const secureId = secureIdOf(newTransactionId(1, NOW, random), newSecureRandom(random));
    expect(encodeURIComponent(secureId)).toBe(secureId);
  });
});

test("128 random bits of a secureId do not follow from the transaction's id", () => {
  const transactionId = newTransactionId(1, NOW, systemRandom);
  const secureIds = Array.from({ length: 128 }, (_, bit) =>
    secureIdOf(transactionId, newSecureRandom(onlyBit(bit))),
  );
  expect(new Set(secureIds).size).toBe(128);
});

test("two secureIds of one transaction id differ", () => {
  const transactionId = newTransactionId(1, NOW, systemRandom);
  const one = secureIdOf(transactionId, newSecureRandom(systemRandom));
  const other = secureIdOf(transactionId, newSecureRandom(systemRandom));
  expect(one).not.toBe(other);
});

describe("a text of another layout is not a secureId", () => {
  const transactionId = newTransactionId(1, NOW, systemRandom);
  const secureId = secureIdOf(transactionId, newSecureRandom(systemRandom));
  test.each([
    ["nothing", ""],
    ["the transaction's id", transactionId],
    ["one character less", secureId.slice(0, -1)],
    ["one character more", `${secureId}A`],
    ["padded base64", `${secureId}=`],
    ["spare bits that are set", secureId.replace(/.$/, "B")],
    ["a character of plain base64", `+${secureId.slice(1)}`],
    ["a path", `../${secureId.slice(3)}`],
    ["a line end", `${secureId.slice(1)}\n`],
    ["a letter outside ASCII", `é${secureId.slice(1)}`],
  ])("%s", (_layout, text) => {
    expect(parseSecureId(text)).toBeNull();
  });
});
