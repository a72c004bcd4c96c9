import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { hasError, isDynamicPix, parsePix } from "pix-utils";
import { expect, test } from "vitest";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import { forAll, type Seeded } from "../../../support/builders/requests/property.ts";

/** BACEN's limits, which the parsers do not enforce. */
const NAME = /^\S.{0,23}\S$|^\S$/;
const CITY = /^\S.{0,13}\S$|^\S$/;
const LOCATION_MAX = 77;
const PAYLOAD_MAX = 512;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

const NAMES = [
  "",
  " ",
  "   \t\n",
  "X",
  "Açougue Três Irmãos",
  "PADARIA PÃO & MEL LTDA.",
  "Comércio de Ferragens São João da Boa Vista e Filhos Ltda",
  "🍕🍕🍕",
  "Pizzaria 🍕 do Zé",
  "👩‍👩‍👧‍👦 família",
  "株式会社",
  "한국 상점",
  "متجر",
  "Ñandú Ünïcödé ßtraße Ø",
  "e\u0301clair deco\u0302mposto",
  "\ud83c",
  "nul\0 no meio",
  "quebra\r\nde linha",
  "zero\u200bwidth",
  "0014br.gov.bcb.pix",
  "6304FFFF",
  "ﬁrma ½ № ４２",
  "n".repeat(120),
  "é".repeat(120),
  `${"a".repeat(24)} b`,
];
const ALPHABET = "abcXYZ0189 .,-&/'\"*áÉõçÑü🍕日\u0301\0\n";

test("two independent parsers accept every dynamic code and read its values", () => {
  forAll(600, (random) => {
    const location = randomLocation(random);
    const amount = random.pick([1, 99, MAX_AMOUNT_CENTS, random.integer(1, MAX_AMOUNT_CENTS)]);
    const payload = encodeBrCode({
      target: { location },
      merchantName: randomText(random),
      merchantCity: randomText(random),
      amount,
    });
    expect(payload).toMatch(PRINTABLE_ASCII);
    expect(payload.length).toBeLessThanOrEqual(PAYLOAD_MAX);

    expect(isValidPixPayload(payload), payload).toBe(true);
    const info = getPixPayloadInfo(payload)!;
    expect(info).toMatchObject({ pointOfInitiation: "dynamic", url: location });
    expect(info.merchantName).toMatch(NAME);
    expect(info.merchantCity).toMatch(CITY);
    expect(readFields(payload).get("54")).toBe(
      `${(amount - (amount % 100)) / 100}.${String(amount % 100).padStart(2, "0")}`,
    );

    const second = parsePix(payload);
    if (hasError(second) || !isDynamicPix(second)) throw new Error(`pix-utils refuses ${payload}`);
    expect(second).toMatchObject({
      url: location,
      merchantName: info.merchantName,
      merchantCity: info.merchantCity,
    });
  });
});

test.each([
  ["Açougue Três Irmãos", "Acougue Tres Irmaos"],
  ["Pizzaria 🍕 do Zé", "Pizzaria  do Ze"],
  ["e\u0301clair", "eclair"],
  ["  Loja  ", "Loja"],
  ["Comércio de Ferragens São João", "Comercio de Ferragens Sao"],
  [`${"a".repeat(24)} b`, "a".repeat(24)],
])("the merchant %j is written %j", (merchantName, written) => {
  const payload = encodeBrCode({
    target: { location: "pix.example.com/a" },
    merchantName,
    merchantCity: "SAO PAULO",
  });
  expect(getPixPayloadInfo(payload)?.merchantName).toBe(written);
});

test.each(["", "   ", "🍕", "株式会社"])(
  "a merchant without an ASCII letter (%j) still has a name",
  (name) => {
    const payload = encodeBrCode({
      target: { location: "pix.example.com/a" },
      merchantName: name,
      merchantCity: name,
    });
    expect(isValidPixPayload(payload)).toBe(true);
  },
);

function randomText(random: Seeded): string {
  return random.pick([random.pick(NAMES), random.text(ALPHABET, random.integer(0, 60))]);
}

function randomLocation(random: Seeded): string {
  const path = random.text("0123456789abcdef", random.integer(1, LOCATION_MAX - 22));
  return `pix.example.com/qr/v2/${path}`;
}

/** The code's outermost fields. Both parsers ignore the amount (54) of a dynamic code. */
function readFields(payload: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < payload.length;) {
    const end = at + 4 + Number(payload.slice(at + 2, at + 4));
    fields.set(payload.slice(at, at + 2), payload.slice(at + 4, end));
    at = end;
  }
  return fields;
}
