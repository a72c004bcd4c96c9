import { cnpj as cnpjOracle, cpf as cpfOracle } from "cpf-cnpj-validator";
import { isCNPJ, isCPF } from "validation-br";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../../../src/domain/shared/document.ts";
import vectors from "../../../vectors/cpf_cnpj.json";
import { forAll } from "../../../support/builders/requests/property.ts";

const DIGITS = "0123456789";
const ALPHANUMERICS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const CHECK_DIGIT_PAIRS = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, "0"));
/** Valid and used in all of BACEN's examples, although `cpf-cnpj-validator` blacklists it. */
const CPF_WRONGLY_BLACKLISTED = "12345678909";

describe("CPF", () => {
  test.each(vectors.cpf)("$input: $valid", ({ input, valid }) => {
    const number = input.replaceAll(/\D/g, "");
    expect(parseDocument(input, "CPF")).toEqual(valid ? { type: "CPF", number } : null);
  });

  test("accepts of the hundred pairs of check digits only the one that two other libraries accept", () => {
    forAll(20, (random) => {
      const base = random.text(DIGITS, 9);
      const numbers = CHECK_DIGIT_PAIRS.map((pair) => base + pair);
      const accepted = numbers.filter((number) => parseDocument(number, "CPF") !== null);
      expect(accepted).toEqual(numbers.filter(isCPF));
      expect(accepted.filter((number) => number !== CPF_WRONGLY_BLACKLISTED)).toEqual(
        numbers.filter((number) => cpfOracle.isValid(number)),
      );
    });
  });

  test.each(Array.from(DIGITS))(
    "rejects eleven times %s although its check digits match",
    (digit) => {
      expect(parseDocument(digit.repeat(11))).toBeNull();
    },
  );
});

describe("CNPJ", () => {
  test.each(vectors.cnpj)("$input: $canonical", ({ input, canonical }) => {
    const expected = canonical === null ? null : { type: "CNPJ", number: canonical };
    expect(parseDocument(input, "CNPJ")).toEqual(expected);
  });

  test("accepts of the hundred pairs of check digits only the one that two other libraries accept", () => {
    forAll(20, (random) => {
      const base = random.text(random.pick([DIGITS, ALPHANUMERICS]), 12);
      const numbers = CHECK_DIGIT_PAIRS.map((pair) => base + pair);
      const accepted = numbers.filter((number) => parseDocument(number, "CNPJ") !== null);
      expect(accepted).toHaveLength(1);
      expect(accepted).toEqual(numbers.filter(isCNPJ));
      expect(accepted).toEqual(numbers.filter((number) => cnpjOracle.isValid(number)));
    });
  });
});

describe("a document is stored unmasked and in upper case", () => {
  test.each([
    ["123.456.789-09", { type: "CPF", number: "12345678909" }],
    [" 123 456 789 09 ", { type: "CPF", number: "12345678909" }],
    ["11.222.333/0001-81", { type: "CNPJ", number: "11222333000181" }],
    ["12.ABC.345/01DE-35", { type: "CNPJ", number: "12ABC34501DE35" }],
    ["12.abc.345/01de-35", { type: "CNPJ", number: "12ABC34501DE35" }],
  ])("%s", (written, document) => {
    expect(parseDocument(written)).toEqual(document);
  });
});

describe("a declared type must match", () => {
  test("a CPF declared as CNPJ is rejected", () => {
    expect(parseDocument("12345678909", "CNPJ")).toBeNull();
  });

  test("a CNPJ declared as CPF is rejected", () => {
    expect(parseDocument("11222333000181", "CPF")).toBeNull();
  });
});

test.each(["12345678909X", "CPF 12345678909", "123456789-09;"])(
  "a CPF with surrounding characters is rejected: %s",
  (written) => {
    expect(parseDocument(written, "CPF")).toBeNull();
  },
);

describe("a text that only resembles a document is rejected", () => {
  test.each([
    ["full-width digits", "１２３４５６７８９０９"],
    ["a zero-width space inside", "123456789\u200b09"],
    ["a letter too many", "12345678909X"],
    ["a letter for a digit", "1234567890O"],
    ["a sign before it", "+12345678909"],
    ["two documents", "12345678909 11222333000181"],
    ["a text of a hundred thousand digits", "1".repeat(100_000)],
  ])("%s", (_fault, written) => {
    expect(parseDocument(written)).toBeNull();
  });
});
