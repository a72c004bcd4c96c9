import {
  array,
  assert as always,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { ALIKE, packDetails, unpackDetails, type Details } from "../../src/db/packed-details.ts";
import { EXAMPLE_CREATE_REQUEST, EXAMPLE_TRANSACTION } from "../../src/domain/examples.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { pack } from "../../src/lib/packed.ts";

const { payer } = EXAMPLE_TRANSACTION;
const EXAMPLE: Details = {
  payer,
  items: EXAMPLE_CREATE_REQUEST.items,
  metadata: '{"order":"2026-11-0001234"}',
};
const BARE: Details = {
  payer: { ...payer, externalId: null, address: {} },
  items: [],
  metadata: null,
};

const text = string({ unit: "grapheme", maxLength: 30 });
const anyText = string({ unit: "binary", maxLength: 30 });

/** Plain objects, as code makes them. */
const WHOLE = { noNullPrototype: true } as const;

function detailsOf(texts: typeof text) {
  const optional = { requiredKeys: [] as never[], ...WHOLE };
  return record(
    {
      payer: record(
        {
          externalId: option(texts.filter((id) => id !== "")),
          name: texts,
          email: texts,
          phone: texts,
          documentNumber: texts,
          documentType: constantFrom("", "CPF", "CNPJ"),
          address: record(
            {
              street: texts,
              streetNumber: texts,
              complement: texts,
              zipCode: texts,
              neighborhood: texts,
              city: texts,
              state: texts,
              country: texts,
            },
            optional,
          ),
        },
        WHOLE,
      ),
      items: array(
        record(
          {
            title: texts,
            unitPrice: integer({ min: 0, max: 999_999_999_999 }),
            quantity: integer({ min: 1 }),
            tangible: boolean(),
            externalRef: texts,
          },
          optional,
        ),
        { maxLength: 4 },
      ),
      metadata: option(texts),
    },
    WHOLE,
  );
}

function roundTrip(details: Details): Details {
  return unpackDetails(packDetails(details));
}

describe("what a create was told", () => {
  it("comes back as it was: absent fields, empty ones, any text", () => {
    for (const texts of [text, anyText]) {
      always(
        property(detailsOf(texts), (details) => {
          expect(roundTrip(details)).toStrictEqual(details);
        }),
      );
    }
    for (const details of [EXAMPLE, BARE]) expect(roundTrip(details)).toStrictEqual(details);
  });

  it("comes back to the byte as JSON, too, its names in their order", () => {
    expect(JSON.stringify(roundTrip(EXAMPLE))).toBe(JSON.stringify(EXAMPLE));
  });

  it.each([
    ["nothing but digits", "0".repeat(23) + "12345"],
    ["more digits than one number holds", "0123456789".repeat(80)],
    ["lines and tabs", "a\r\n\tb"],
    ["what stands for an absent field", "\u0002"],
    ["what begins a field", "a\u0001b"],
    ["what stands for digits", "\u001f"],
    ["half a character", "\ud800"],
    ["an object", '{"a":1}'],
  ])("comes back with metadata of %s", (_what, metadata) => {
    expect(roundTrip({ ...BARE, metadata })).toStrictEqual({ ...BARE, metadata });
  });

  it("takes two thirds of what its parts took", () => {
    const parts = [EXAMPLE.payer, EXAMPLE.items].map((part) => pack(JSON.stringify(part)).length);
    const apart = parts.reduce((sum, length) => sum + length, pack(EXAMPLE.metadata ?? "").length);
    expect(packDetails(EXAMPLE).length).toBeLessThanOrEqual((apart * 2) / 3);
  });

  it("is read for ever as it is read today", async () => {
    const stored = Uint8Array.from(STORED.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
    expect(unpackDetails(stored)).toStrictEqual(EXAMPLE);
    expect(await sha256Hex(new TextDecoder().decode(ALIKE))).toBe(ALIKE_SHA_256);
  });

  it("is refused where it is something else", () => {
    expect(() => unpackDetails(Uint8Array.of(1, 0xff, 0xff))).toThrow();
  });
});

/** What this code once wrote of the example. */
const STORED =
  "12019ead0550e33f4e627d994c2b3fcb08d2039b04a9e060950b23a478844609c2ed05a9299929f9ba8606068660bb" +
  "402d11b79cfca2d462464303e2ec0507b5a1a1ae80522da373625e6a7222d819a0b69039a391a9810100";
const ALIKE_SHA_256 = "146819f97e52e7df5632c29d9bcf9ef8c7f71cb6690056ff73adcbea6f77c607";
