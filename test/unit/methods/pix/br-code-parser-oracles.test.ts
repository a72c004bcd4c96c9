import { generatePixPayload, getPixPayloadInfo } from "@brazilian-utils/brazilian-utils";
import * as fc from "fast-check";
import { hasError, isDynamicPix, isStaticPix, parsePix } from "pix-utils";
import { expect, test } from "vitest";
import { encodeBrCode } from "../../../../src/methods/pix/br-code.ts";
import { parseBrCode, type BrCodeContent } from "../../../../src/methods/pix/br-code-parser.ts";
import { MAX_AMOUNT_CENTS } from "../../../../src/domain/shared/money.ts";
import {
  brCodeOf,
  DYNAMIC_ACCOUNT,
  PIX_GUI,
  STATIC_ACCOUNT,
  tlv,
} from "../../../support/builders/charges/br-code-fields.ts";

const RUNS = 1_000;
const seed = Date.now() % 2 ** 31;
/** A failure also prints its seed and the smallest failing code. */
const settings = { numRuns: RUNS, seed };

const LETTERS = Array.from("abcXYZ0189 .-éÃç🍕");
const HEX = Array.from("0123456789abcdef");
const ALPHANUMERIC = Array.from("ABCxyz0189");

const key = fc.oneof(
  fc.uuid(),
  fc.nat(99_999_999).map((number) => `+55119${String(number).padStart(8, "0")}`),
  textOf(ALPHANUMERIC, 1, 20).map((name) => `${name.toLowerCase()}@example.com`),
  fc.constantFrom("12345678909", "11222333000181", "12ABC34501DE35"),
);
const location = textOf(HEX, 1, 55).map((path) => `pix.example.com/qr/v2/${path}`);
const amount = fc.option(fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }), { nil: undefined });
const merchant = {
  merchantName: textOf(LETTERS, 0, 60),
  merchantCity: textOf(LETTERS, 0, 40),
};

test(`${RUNS} encoded codes are read alike by two other parsers (seed ${seed})`, () => {
  const target = fc.oneof(fc.record({ key }), fc.record({ location }));
  fc.assert(
    fc.property(fc.record({ target, amount, ...merchant }), ({ amount: cents, ...code }) => {
      const payload = encodeBrCode(cents === undefined ? code : { ...code, amount: cents });
      const content = contentOf(payload);
      expect(content).toMatchObject(code.target);
      expect(content.amount).toBe("key" in code.target ? (cents ?? null) : null);
      expectAgreement(payload, content);
    }),
    settings,
  );
});

test(`${RUNS} codes of another encoder, with txid and description, are read alike (seed ${seed})`, () => {
  const txid = fc.option(textOf(ALPHANUMERIC, 1, 25), { nil: undefined });
  const description = fc.option(textOf(LETTERS, 1, 40), { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({ key, amount, txid, description, ...merchant }),
      ({ amount: cents, ...code }) => {
        const payload = generatePixPayload({
          key: code.key,
          merchantName: `M${code.merchantName}`,
          merchantCity: `C${code.merchantCity}`,
          ...(cents === undefined ? {} : { amount: cents / 100 }),
          ...(code.txid === undefined ? {} : { txid: code.txid }),
          ...(code.description === undefined ? {} : { description: code.description }),
        });
        const content = contentOf(payload ?? "");
        expect(content).toMatchObject({ amount: cents ?? null, txid: code.txid ?? null });
        expectAgreement(payload ?? "", content);
      },
    ),
    settings,
  );
});

test(`${RUNS} codes with one changed character are rejected (seed ${seed})`, () => {
  const written = fc.oneof(fc.record({ key }), fc.record({ location }));
  fc.assert(
    fc.property(
      written,
      fc.nat(),
      fc.constantFrom(...ALPHANUMERIC, "*", "+", " "),
      (target, place, character) => {
        const payload = encodeBrCode({ target, merchantName: "Fulano", merchantCity: "BRASILIA" });
        const at = place % payload.length;
        fc.pre(payload[at]?.toUpperCase() !== character.toUpperCase());
        const changed = payload.slice(0, at) + character + payload.slice(at + 1);
        expect(parseBrCode(changed)).toMatchObject({ valid: false });
      },
    ),
    settings,
  );
});

test(`accepts none of ${RUNS} possibly invalid codes that another parser rejects (seed ${seed})`, () => {
  let accepted = 0;
  const account = fc.constantFrom(STATIC_ACCOUNT, DYNAMIC_ACCOUNT, PIX_GUI, "0002br0101x", "0");
  const extra = fc.constantFrom("", tlv("02", "x"), tlv("03", "12345678"), tlv("25", "a.b/c"));
  const fields = fc.record({
    "01": mostly(undefined, "11", "12", "13"),
    26: fc.tuple(account, mostly("", extra)).map((parts) => parts.join("")),
    52: mostly("0000", "5812", undefined),
    53: mostly("986", "840", undefined),
    54: mostly(undefined, "1", "1.5", "1.50", "0.00", "1,50", "1.555", "12345678901234"),
    58: mostly("BR", "US", undefined),
    59: mostly("Fulano", undefined, ""),
    60: mostly("BRASILIA", undefined, ""),
    62: mostly(tlv("05", "***"), tlv("05", "ABC1"), "***", undefined),
  });
  fc.assert(
    fc.property(fields, (values) => {
      const payload = brCodeOf(values);
      const verdict = parseBrCode(payload);
      if (!verdict.valid) return;
      accepted += 1;
      expectAgreement(payload, verdict.content);
    }),
    settings,
  );
  expect(accepted).toBeGreaterThan(RUNS / 100);
});

/** Both parsers see the same code: the library also ignores the fields that payers ignore. */
function expectAgreement(payload: string, content: BrCodeContent): void {
  const shown = {
    merchantName: content.merchantName,
    merchantCity: content.merchantCity,
    ...present({ key: content.key, url: content.location, txid: content.txid }),
    ...present({
      description: content.description,
      withdrawalFacilitator: content.withdrawalFacilitator,
    }),
    ...(content.amount === null ? {} : { amount: content.amount / 100 }),
  };
  expect(getPixPayloadInfo(payload)).toEqual({
    ...shown,
    pointOfInitiation: content.kind === "dynamic" || !content.reusable ? "dynamic" : "static",
  });

  const second = parsePix(payload);
  if (hasError(second)) throw new Error(`pix-utils refuses ${payload}`);
  const { merchantName, merchantCity } = content;
  expect(second).toMatchObject({ merchantName, merchantCity });
  if (isDynamicPix(second)) {
    expect(second.url).toBe(content.location);
    return;
  }
  if (!isStaticPix(second)) throw new Error(`pix-utils sees no payment in ${payload}`);
  expect(second.pixKey).toBe(content.key);
  expect(second.transactionAmount ?? 0).toBe((content.amount ?? 0) / 100);
  expect(second.infoAdicional ?? null).toBe(content.description);
  expect(second.txid?.replace("***", "") ?? "").toBe(content.txid ?? "");
}

function contentOf(payload: string): BrCodeContent {
  const verdict = parseBrCode(payload);
  if (!verdict.valid) throw new Error(`${verdict.reason}: ${payload}`);
  return verdict.content;
}

function present(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function textOf(alphabet: string[], minLength: number, maxLength: number) {
  return fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
}

/** Weighted towards the first, so that enough codes break one rule or none. */
function mostly<Value>(usual: Value, ...others: (Value | fc.Arbitrary<Value>)[]) {
  const rare = others.map((other) => (other instanceof fc.Arbitrary ? other : fc.constant(other)));
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, ...rare);
}
