import { describe, expect, test } from "vitest";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import {
  BR_CODE_ERRORS,
  parseBrCode,
  type BrCodeContent,
  type BrCodeErrorCode,
} from "../../../../src/methods/pix/br-code-parser.ts";
import {
  brCodeOf,
  DYNAMIC_ACCOUNT,
  PIX_GUI,
  RECURRENCE,
  withCrc,
  STATIC_ACCOUNT,
  tlv,
  type FieldValues,
} from "../../../support/builders/charges/br-code-fields.ts";

const GOOD = brCodeOf({});
const BODY = GOOD.slice(0, -8);
const CRC = GOOD.slice(-4);
const FSS = tlv("03", "12345678");

const REFUSED: [string, BrCodeErrorCode, string][] = [
  ["a control character", "bad_character", brCodeOf({ 59: "Fulano\0" })],
  ["a right-to-left override", "bad_character", brCodeOf({ 59: "Fulano\u202e" })],
  ["half of a surrogate pair", "bad_character", brCodeOf({ 59: "Fulano\ud83c" })],
  ["no fields at all", "not_tlv", "https://example.com/"],
  ["a missing last character", "not_tlv", GOOD.slice(0, -1)],
  ["an id with a letter", "not_tlv", withCrc(`${BODY}6A011`)],
  ["a length with a sign", "not_tlv", withCrc(`${BODY}64+1x`)],
  ["a value of no length", "not_tlv", brCodeOf({ 61: "" })],
  ["a key longer than its account field", "not_tlv", brCodeOf({ 26: `${PIX_GUI}0110x` })],
  ["text for additional data", "not_tlv", brCodeOf({ 62: "***" })],
  ["text for a template of another scheme", "not_tlv", brCodeOf({ 80: "other" })],
  ["a field twice", "duplicate_field", withCrc(`${BODY}${tlv("59", "Beltrano")}`)],
  [
    "two keys",
    "duplicate_field",
    brCodeOf({ 26: `${STATIC_ACCOUNT}${tlv("01", "a@example.com")}` }),
  ],
  ["no format indicator", "bad_format_indicator", brCodeOf({ "00": undefined })],
  ["another format", "bad_format_indicator", brCodeOf({ "00": "02" })],
  [
    "the format indicator not first",
    "bad_format_indicator",
    withCrc(tlv("26", STATIC_ACCOUNT) + tlv("00", "01")),
  ],
  ["no CRC", "no_crc", BODY],
  ["a field after the CRC", "crc_not_last", `${GOOD}6401X`],
  ["another CRC", "bad_crc", `${BODY}63040000`],
  ["a CRC of three digits", "bad_crc", `${BODY}6303${CRC.slice(1)}`],
  ["a CRC without hex digits", "bad_crc", `${BODY}6304ZZZZ`],
  ["a changed letter", "bad_crc", GOOD.replace("Fulano", "Fulana")],
  ["a space for the + of a phone", "bad_crc", staticCode("+5511987654321").replace("+", " ")],
  ["point of initiation 13", "bad_point_of_initiation", brCodeOf({ "01": "13" })],
  ["no account", "not_pix", brCodeOf({ 26: undefined })],
  ["only another scheme", "not_pix", brCodeOf({ 26: tlv("00", "br.com.outro") + tlv("01", "x") })],
  ["an account below 26", "not_pix", brCodeOf({ 26: undefined, 25: STATIC_ACCOUNT })],
  ["an account above 51", "not_pix", brCodeOf({ 26: undefined, 80: STATIC_ACCOUNT })],
  ["two Pix accounts", "several_pix_accounts", brCodeOf({ 51: STATIC_ACCOUNT })],
  ["two recurrences", "several_pix_accounts", brCodeOf({ 80: RECURRENCE, 99: RECURRENCE })],
  [
    "key and location",
    "key_and_location",
    brCodeOf({ 26: STATIC_ACCOUNT + tlv("25", "a.example.com/1") }),
  ],
  ["neither key nor location", "no_key_or_location", brCodeOf({ 26: PIX_GUI })],
  ["a recurrence without a location", "no_key_or_location", brCodeOf({ 26: PIX_GUI, 80: PIX_GUI })],
  ...[
    "https://pix.example.com/1",
    "pix.example.com",
    "localhost/1",
    "pix.example.com/a b",
    "pix..example.com/1",
    "pix.example.com/1?a=b",
    "user@pix.example.com/1",
  ].map((location): [string, BrCodeErrorCode, string] => [
    `the location ${location}`,
    "bad_location",
    brCodeOf({ 26: PIX_GUI + tlv("25", location) }),
  ]),
  [
    "a recurrence with a scheme",
    "bad_location",
    brCodeOf({ 80: PIX_GUI + tlv("25", "https://pix.example.com/rec") }),
  ],
  ["an ISPB of 7 digits", "bad_fss", brCodeOf({ 26: STATIC_ACCOUNT + tlv("03", "1234567") })],
  ["cash by a dynamic code", "bad_fss", brCodeOf({ 26: DYNAMIC_ACCOUNT + FSS })],
  ["no merchant category", "bad_mcc", brCodeOf({ 52: undefined })],
  ["a merchant category of 3 digits", "bad_mcc", brCodeOf({ 52: "000" })],
  ["no currency", "wrong_currency", brCodeOf({ 53: undefined })],
  ["dollars", "wrong_currency", brCodeOf({ 53: "840" })],
  ...["0.00", "0", "25,00", "25.001", "25.", ".25", "-1.00", "+1.00", "1e2", "1 000.00"].map(
    (amount): [string, BrCodeErrorCode, string] => [
      `the amount ${amount}`,
      "bad_amount",
      brCodeOf({ 54: amount }),
    ],
  ),
  ["an amount of 14 characters", "bad_amount", brCodeOf({ 54: "12345678901.00" })],
  ["a dynamic code's amount of 3 decimals", "bad_amount", dynamicCode({ 54: "1.234" })],
  ["no country", "wrong_country", brCodeOf({ 58: undefined })],
  ["another country", "wrong_country", brCodeOf({ 58: "US" })],
  ["no name", "no_name", brCodeOf({ 59: undefined })],
  ["a name of spaces", "no_name", brCodeOf({ 59: "  " })],
  ["a name of 26 characters", "name_too_long", brCodeOf({ 59: "n".repeat(26) })],
  ["no city", "no_city", brCodeOf({ 60: undefined })],
  ["a city of spaces", "no_city", brCodeOf({ 60: "  " })],
  ["a city of 16 characters", "city_too_long", brCodeOf({ 60: "c".repeat(16) })],
  ["a postal code with a hyphen", "bad_postal_code", brCodeOf({ 61: "70074-900" })],
  ["a txid of 26 characters", "bad_txid", brCodeOf({ 62: tlv("05", "A".repeat(26)) })],
  ["a txid with a space", "bad_txid", brCodeOf({ 62: tlv("05", "PEDIDO 1") })],
  ["a txid of two stars", "bad_txid", brCodeOf({ 62: tlv("05", "**") })],
  ["a txid in a dynamic code", "bad_txid", dynamicCode({ 62: tlv("05", "PEDIDO1") })],
];

const LEAST: BrCodeContent = {
  kind: "static",
  key: "fulano@example.com",
  keyType: "EMAIL",
  location: null,
  recurrenceLocation: null,
  amount: null,
  merchantName: "Fulano de Tal",
  merchantCity: "BRASILIA",
  postalCode: null,
  txid: null,
  description: null,
  withdrawalFacilitator: null,
  reusable: true,
};

describe("names the first rule that a code breaks", () => {
  test.each(REFUSED)("%s: %s", (_title, reason, code) => {
    expect(parseBrCode(code)).toEqual({ valid: false, reason });
  });

  test("the tested codes cover every reason", () => {
    const met = new Set(REFUSED.map(([, reason]) => reason));
    expect([...met].toSorted()).toEqual(Object.keys(BR_CODE_ERRORS).toSorted());
  });
});

describe("parses a valid code", () => {
  test.each<[string, string, Partial<BrCodeContent>]>([
    ["the minimal code", GOOD, {}],
    ["no additional data", brCodeOf({ 62: undefined }), {}],
    ["additional data without a txid", brCodeOf({ 62: tlv("01", "42") }), {}],
    ["a CRC in lower case", GOOD.slice(0, -4) + CRC.toLowerCase(), {}],
    ["point of initiation 11", brCodeOf({ "01": "11" }), { reusable: true }],
    ["point of initiation 12", brCodeOf({ "01": "12" }), { reusable: false }],
    ["an account in 51", brCodeOf({ 26: undefined, 51: STATIC_ACCOUNT }), {}],
    ["another scheme next to PIX", brCodeOf({ 27: tlv("00", "br.com.outro") }), {}],
    [
      "a name and a city at their limits",
      brCodeOf({ 59: "n".repeat(25), 60: "c".repeat(15) }),
      {
        merchantName: "n".repeat(25),
        merchantCity: "c".repeat(15),
      },
    ],
    ["accents", brCodeOf({ 59: "Açougue Três Irmãos" }), { merchantName: "Açougue Três Irmãos" }],
    ["no decimals", brCodeOf({ 54: "25" }), { amount: 2_500 }],
    ["one decimal", brCodeOf({ 54: "25.5" }), { amount: 2_550 }],
    ["a centavo", brCodeOf({ 54: "0.01" }), { amount: 1 }],
    ["an amount that floats cannot represent", brCodeOf({ 54: "1.15" }), { amount: 115 }],
    ["the most", brCodeOf({ 54: "9999999999.99" }), { amount: 999_999_999_999 }],
    [
      "a txid of 25",
      brCodeOf({ 62: tlv("05", "a1".repeat(12) + "Z") }),
      {
        txid: "a1".repeat(12) + "Z",
      },
    ],
    [
      "a description",
      brCodeOf({ 26: STATIC_ACCOUNT + tlv("02", "Pedido 42") }),
      {
        description: "Pedido 42",
      },
    ],
    [
      "cash of any amount",
      brCodeOf({ 26: STATIC_ACCOUNT + FSS, 54: "0.00" }),
      {
        amount: 0,
        withdrawalFacilitator: "12345678",
      },
    ],
    [
      "a static code with a recurrence",
      brCodeOf({ 80: RECURRENCE }),
      {
        recurrenceLocation: "pix.example.com/qr/v2/rec/1234",
      },
    ],
  ])("%s", (_title, code, differs) => {
    expect(parseBrCode(code)).toEqual({ valid: true, content: { ...LEAST, ...differs } });
  });

  test("ignores the amount of a dynamic code, as payers do", () => {
    for (const amount of ["25.00", "0.00"]) {
      expect(parseBrCode(dynamicCode({ 54: amount }))).toMatchObject({
        valid: true,
        content: { kind: "dynamic", key: null, keyType: null, amount: null },
      });
    }
  });

  test.each([
    ["+5511987654321", "PHONE"],
    ["71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d", "EVP"],
    ["12ABC34501DE35", "CNPJ"],
    ["a@example.com", "EMAIL"],
    ["12345678909", "CPF"],
    ["51998259765", null],
    ["a key of a future type", null],
  ])("the key %s is of type %s", (key, keyType) => {
    expect(parseBrCode(staticCode(key))).toMatchObject({ content: { key, keyType } });
  });

  test("reads BACEN's example of several schemes in one code, with a hyphen in its txid", () => {
    const code =
      "00020104141234567890123426580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-426655440000" +
      "27300012BR.COM.OUTRO011001234567895204000053039865406123.455802BR5917NOME DO RECEBEDOR" +
      "6008BRASILIA61087007490062190515RP12345678-201980390012BR.COM.OUTRO01190123.ABCD.3456.WXYZ" +
      "6304AD38";
    expect(parseBrCode(code)).toEqual({
      valid: true,
      content: {
        ...LEAST,
        key: "123e4567-e12b-12d1-a456-426655440000",
        keyType: "EVP",
        amount: 12_345,
        merchantName: "NOME DO RECEBEDOR",
        postalCode: "70074900",
        txid: "RP12345678-2019",
      },
    });
  });

  test("reads the Pix API's example of a charge and a recurrence in one code", () => {
    const code =
      "00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7" +
      "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***" +
      "80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d06304A441";
    expect(parseBrCode(code)).toMatchObject({
      valid: true,
      content: {
        kind: "dynamic",
        location: "pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7",
        recurrenceLocation: "pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d0",
        reusable: false,
      },
    });
  });
});

function staticCode(key: string): string {
  return encodeBrCode({ target: { key }, merchantName: "Fulano de Tal", merchantCity: "BRASILIA" });
}

function dynamicCode(changes: FieldValues): string {
  return brCodeOf({ 26: DYNAMIC_ACCOUNT, ...changes });
}
