import { assert as always, integer, option, property, record, string } from "fast-check";
import { expect, it } from "vitest";
import { packPix, unpackPix } from "../../src/db/packed-pix.ts";
import { encodeBrCode } from "../../src/domain/br-code.ts";
import { pack } from "../../src/lib/packed.ts";

const ROW = { id: "01a20057-d8b3-8381-bdb8-2f0180000001", amount: 2_500 };
const MADE_AT = 0x01a2_0057_d8b3;
const DAY_MS = 86_400_000;
const LOCATION = `pix.sandbox.example/v2/${ROW.id.replaceAll("-", "")}`;
const PIX = { qrcode: codeAt(LOCATION), url: null, expirationDate: MADE_AT + DAY_MS };

function codeAt(location: string): string {
  const { amount } = ROW;
  return encodeBrCode({
    target: { location },
    merchantName: "Padaria da Esquina",
    merchantCity: "SAO PAULO",
    amount,
  });
}

it("gives back every PIX that was packed", () => {
  const pixes = record(
    {
      qrcode: string(),
      url: option(string()),
      expirationDate: integer({ min: 0 }),
    },
    { noNullPrototype: true },
  );
  always(
    property(pixes, (pix) => {
      expect(unpackPix(packPix(pix, ROW), ROW)).toStrictEqual(pix);
    }),
  );
});

it.each([
  ["the sandbox's", PIX],
  ["a PSP's", { ...PIX, qrcode: codeAt("qrcodespix.psp.example/v2/3f2a9d14c0b84c5f8e2d") }],
  ["one that lives a second longer", { ...PIX, expirationDate: PIX.expirationDate + 1_000 }],
  ["one with a page", { ...PIX, url: "https://psp.example/pix/1" }],
  ["one whose CRC is wrong", { ...PIX, qrcode: `${PIX.qrcode.slice(0, -4)}0000` }],
  ["one without a CRC", { ...PIX, qrcode: PIX.qrcode.slice(0, -4) }],
  ["an empty one", { ...PIX, qrcode: "" }],
  ["one that looks like JSON", { ...PIX, qrcode: "{}" }],
])("gives back %s", (_which, pix) => {
  expect(unpackPix(packPix(pix, ROW), ROW)).toStrictEqual(pix);
});

it("takes little more than what the row does not say: the merchant's name", () => {
  expect(packPix(PIX, ROW).length).toBeLessThanOrEqual(32);
});

it("reads what was packed by itself, or stored as it is", () => {
  const text = JSON.stringify(PIX);
  for (const stored of [pack(text), new TextEncoder().encode(text)]) {
    expect(unpackPix(stored, ROW)).toStrictEqual(PIX);
  }
});

it("is read for ever as it is read today", () => {
  const stored = Uint8Array.from(STORED.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  expect(unpackPix(stored, ROW)).toStrictEqual(PIX);
});

/** What this code once wrote. */
const STORED = "031b1cae30b408484c492cca4c54484954702d2e2ccdcc4bc4177600";
