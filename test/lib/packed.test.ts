import { assert as always, json, property, string } from "fast-check";
import { expect, it } from "vitest";
import { EXAMPLE_CREATE_REQUEST, EXAMPLE_TRANSACTION } from "../../src/domain/examples.ts";
import { DICTIONARY_1 } from "../../src/lib/packed-dictionary.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { pack, unpack } from "../../src/lib/packed.ts";

it("gives back every JSON text that was packed", () => {
  always(
    property(json(), (text) => {
      const packed = pack(text);
      expect(unpack(packed)).toBe(text);
      expect(packed.length).toBeLessThanOrEqual(new TextEncoder().encode(text).length);
    }),
  );
});

it("makes a payer, an item and a PIX a third of their length or less", () => {
  for (const value of [EXAMPLE_TRANSACTION.payer, EXAMPLE_TRANSACTION.pix]) {
    const text = JSON.stringify(value);
    expect(pack(text).length).toBeLessThan(text.length / 2);
  }
  const request = JSON.stringify(EXAMPLE_CREATE_REQUEST);
  expect(pack(request).length).toBeLessThan(request.length / 2);
});

it("gives back texts of any characters, those that look packed among them", () => {
  always(
    property(string({ unit: "binary" }), (text) => {
      expect(unpack(pack(text))).toBe(text);
    }),
  );
  for (const text of ["", "\u0001", "\u0001{}", "\u0000"]) expect(unpack(pack(text))).toBe(text);
});

it("reads what was stored as it is", () => {
  expect(unpack(new TextEncoder().encode('{"name":"João"}'))).toBe('{"name":"João"}');
});

it("reads what was packed with the first dictionary for ever", async () => {
  const stored = Uint8Array.from(STORED.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  expect(unpack(stored)).toBe('{"name":"Maria da Silva","city":"Curitiba"}');
  const hash = await sha256Hex(DICTIONARY_1);
  expect(hash).toBe(DICTIONARY_1_SHA_256);
});

it("refuses what it did not pack", () => {
  expect(() => unpack(Uint8Array.from([1, 0xff, 0xff]))).toThrow();
  expect(() => unpack(Uint8Array.from([0xff, 0xfe]))).toThrow();
});

const STORED = "01ab861531908a02564823b218ac7e54aa0500";
const DICTIONARY_1_SHA_256 = "59dab130df4a072b9a8260eed1549ed27623b0244fed24455c3a465fc7744e60";
