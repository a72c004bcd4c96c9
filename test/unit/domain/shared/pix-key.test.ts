import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import {
  ownerDocumentOfPixKey,
  parsePixKey,
  type PixKeyType,
} from "../../../../src/domain/shared/pix-key.ts";
import vectors from "../../../vectors/pix_keys.json";

/** The vector that may be a CPF or a phone has no declared type. */
const DECLARED = vectors.cases.filter(({ declaredType }) => declaredType !== "?");
const CPF_AND_PHONE = "51998259765";
const EMAIL_MAX = 77;

describe("a key of the declared type is valid when the oracles accept it", () => {
  test.each(DECLARED)("$declaredType $input", (vector) => {
    const type = vector.declaredType as PixKeyType;
    expect(parsePixKey(vector.input, type)).toEqual(
      vector.canonicalMatchesDeclaredType
        ? { kind: "valid", key: { type, value: vector.brazilianUtils!.value } }
        : { kind: "invalid" },
    );
  });
});

describe("a declared type must match", () => {
  const TYPES: PixKeyType[] = ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"];
  const valid = DECLARED.filter((vector) => vector.canonicalMatchesDeclaredType);
  const mismatches = valid.flatMap(({ input, declaredType }) =>
    TYPES.filter((type) => type !== declaredType).map((type) => ({ input, declaredType, type })),
  );

  test.each(mismatches)("the $declaredType $input is not a $type", ({ input, type }) => {
    expect(parsePixKey(input, type)).toEqual({ kind: "invalid" });
  });
});

describe("eleven bare digits may be a CPF or a phone", () => {
  test("without a declared type they are ambiguous", () => {
    expect(parsePixKey(CPF_AND_PHONE)).toEqual({ kind: "ambiguous" });
  });

  test.each(["12345678909", "52998224725"])(
    "%s is a CPF, and no phone has such digits",
    (value) => {
      expect(parsePixKey(value)).toEqual({ kind: "valid", key: { type: "CPF", value } });
    },
  );

  test("without a declared type they are ambiguous where they are no CPF", () => {
    expect(parsePixKey("11987654321")).toEqual({ kind: "ambiguous" });
  });

  test("without a declared type they are ambiguous with surrounding spaces", () => {
    expect(parsePixKey(`  ${CPF_AND_PHONE} `)).toEqual({ kind: "ambiguous" });
  });

  test("declared as CPF they are a CPF", () => {
    const key = { type: "CPF", value: CPF_AND_PHONE };
    expect(parsePixKey(CPF_AND_PHONE, "CPF")).toEqual({ kind: "valid", key });
  });

  test("declared as PHONE they are a phone", () => {
    const key = { type: "PHONE", value: `+55${CPF_AND_PHONE}` };
    expect(parsePixKey(CPF_AND_PHONE, "PHONE")).toEqual({ kind: "valid", key });
  });
});

describe("an undeclared type is inferred from a form that only one type has", () => {
  test.each([
    ["123.456.789-09", "CPF", "12345678909"],
    ["11222333000181", "CNPJ", "11222333000181"],
    ["12.abc.345/01de-35", "CNPJ", "12ABC34501DE35"],
    ["Fulano@Example.COM", "EMAIL", "fulano@example.com"],
    ["+5511987654321", "PHONE", "+5511987654321"],
    ["(11) 98765-4321", "PHONE", "+5511987654321"],
    ["71C7D9BE-4B85-4E43-9F1C-1F3B8B4E9A2D", "EVP", "71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
  ])("%s is %s", (written, type, value) => {
    expect(parsePixKey(written)).toEqual({ kind: "valid", key: { type, value } });
  });

  test.each(["", " ", "chave", "@", "12345678", "123.456.789-00", "+1 212 555 0123"])(
    "%j is not a key",
    (written) => {
      expect(parsePixKey(written)).toEqual({ kind: "invalid" });
    },
  );
});

describe("a phone key is a Brazilian mobile number", () => {
  test.each(Array.from({ length: 90 }, (_, index) => 10 + index))(
    "with area code %i it is valid when libphonenumber knows a mobile number there",
    (areaCode) => {
      const number = `+55${areaCode}987654321`;
      const oracle = parsePhoneNumberFromString(number);
      const isMobile =
        oracle?.isValid() === true && oracle.country === "BR" && oracle.getType() === "MOBILE";
      expect(parsePixKey(number, "PHONE").kind).toBe(isMobile ? "valid" : "invalid");
    },
  );

  test.each([
    ["a landline", "+551133334444"],
    ["a landline without country code", "1133334444"],
    ["eight digits", "+551187654321"],
    ["nine digits that begin with 7", "+5566705135428"],
    ["ten digits", "+55119876543210"],
    ["another country", "+12125550123"],
    ["no area code", "987654321"],
    ["letters", "+5511 98765-ABCD"],
  ])("%s is rejected", (_fault, number) => {
    expect(parsePixKey(number, "PHONE")).toEqual({ kind: "invalid" });
  });
});

describe("an e-mail key", () => {
  test("has at most the 77 characters of DICT", () => {
    expect(parsePixKey(emailOf(EMAIL_MAX), "EMAIL").kind).toBe("valid");
    expect(parsePixKey(emailOf(EMAIL_MAX + 1), "EMAIL").kind).toBe("invalid");
  });

  test.each([
    "a@b@example.com",
    "a b@example.com",
    "é@example.com",
    "a@example",
    "a@-x.com",
    "@example.com",
  ])("%s is rejected", (email) => {
    expect(parsePixKey(email, "EMAIL")).toEqual({ kind: "invalid" });
  });
});

test("a random key need not be a UUID of version 4, like BACEN's own example", () => {
  const value = "123e4567-e12b-12d1-a456-426655440000";
  expect(parsePixKey(value, "EVP")).toEqual({ kind: "valid", key: { type: "EVP", value } });
});

test("a key that is a document gives its owner's document, any other key gives none", () => {
  expect(ownerDocumentOfPixKey({ type: "CPF", value: "12345678909" })).toBe("12345678909");
  expect(ownerDocumentOfPixKey({ type: "CNPJ", value: "12ABC34501DE35" })).toBe("12ABC34501DE35");
  expect(ownerDocumentOfPixKey({ type: "EMAIL", value: "a@example.com" })).toBe("");
  expect(ownerDocumentOfPixKey({ type: "PHONE", value: "+5511987654321" })).toBe("");
  expect(
    ownerDocumentOfPixKey({ type: "EVP", value: "71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d" }),
  ).toBe("");
});

function emailOf(length: number): string {
  return "@example.com".padStart(length, "a");
}
