import {
  assert as always,
  constantFrom,
  integer,
  json,
  property,
  record,
  string,
  uuid,
} from "fast-check";
import { expect, it } from "vitest";
import payloads from "../../docs/webhook-payloads.md?raw";
import { packBeside, unpackBeside } from "../../src/db/packed-values.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { pack } from "../../src/lib/packed.ts";
import { DICTIONARY_2 } from "../../src/db/values-dictionary.ts";

const ID = "01a20057-d8b3-8381-bdb8-2f0180000001";
const AT = 1_795_302_086_867;
const BESIDE = { id: ID, at: AT };
/** As rows that were written before the values were taken out. */
const PACKED_1 = 1;
const PACKED_2 = 2;

/** The documented events, each with the id of its object and its time. */
function documentedEvents() {
  const examples = payloads.matchAll(/^## (\S+)$.*?```json\n(.*?)```/gms);
  return [...examples].map(([, type = "", example = ""]) => {
    const event = JSON.parse(example) as { timestamp: string; data: { id: string | number } };
    const beside = { id: String(event.data.id), at: Date.parse(event.timestamp) };
    return { type, beside, text: JSON.stringify(event) };
  });
}

it("gives back each documented event, in a fifth fewer bytes or better", () => {
  const events = documentedEvents();
  expect(events.length).toBe(15);
  for (const { type, beside, text } of events) {
    const packed = packBeside(text, beside);
    expect(packed[0], type).toBe(PACKED_2);
    expect(unpackBeside(packed, beside), type).toBe(text);
    expect(packed.length, type).toBeLessThan((pack(text).length * 4) / 5);
  }
});

it("a paid PIX is at most 140 bytes", () => {
  const paid = documentedEvents().find(({ type }) => type === "transaction.paid")!;
  expect(packBeside(paid.text, paid.beside).length).toBeLessThanOrEqual(140);
});

it("gives back any JSON, whatever is beside it", () => {
  always(
    property(
      json(),
      record({ id: uuid(), at: integer({ min: 0, max: 2 ** 42 }) }),
      (text, beside) => {
        expect(unpackBeside(packBeside(text, beside), beside)).toBe(text);
      },
    ),
  );
});

it("gives back what looks like values, whole or cut or out of bounds", () => {
  const looks = constantFrom(...LOOKS_LIKE_VALUES);
  always(
    property(
      looks,
      looks,
      string(),
      constantFrom("", '"', ":", "/", ",", "6304", "54"),
      (one, two, between, mark) => {
        const text = JSON.stringify({
          one,
          two: `${one}${between}${two}`,
          [`${mark}${one}${mark}`]: [two],
        });
        const beside = { id: ID, at: AT };
        expect(unpackBeside(packBeside(text, beside), beside)).toBe(text);
        const bare = `${mark}${one}${mark}${between}:${two},${one}"`;
        expect(unpackBeside(packBeside(bare, beside), beside)).toBe(bare);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("reads what was packed with its values in it, and what was not packed at all", () => {
  const text = JSON.stringify({ id: ID, timestamp: "2026-11-21T23:01:26.867Z", data: {} });
  expect(unpackBeside(pack(text), BESIDE)).toBe(text);
  expect(unpackBeside(new TextEncoder().encode(text), BESIDE)).toBe(text);
  expect(unpackBeside(new Uint8Array(), BESIDE)).toBe("");
});

it("packs a text as any other where characters stand in it that stand for values", () => {
  for (const text of ["\u0002", "\u0002{}", '{"a":"\u0006"}', "\u0001", ""]) {
    expect(unpackBeside(packBeside(text, BESIDE), BESIDE)).toBe(text);
  }
  expect(packBeside("\u0002{}", BESIDE)[0]).toBe(PACKED_1);
});

it("packs a long text with its values in it", () => {
  const text = JSON.stringify({ long: "ab".repeat(2 ** 16) });
  const packed = packBeside(text, BESIDE);
  expect(packed[0]).toBe(PACKED_1);
  expect(unpackBeside(packed, BESIDE)).toBe(text);
});

it("refuses what it did not pack, and what is cut", () => {
  const { text, beside } = documentedEvents()[1]!;
  const packed = packBeside(text, beside);
  for (const cut of [1, 2, 20, packed.length - 1]) {
    expect(() => unpackBeside(packed.subarray(0, cut), beside), String(cut)).toThrow();
  }
  expect(() => unpackBeside(Uint8Array.from([PACKED_2, 0, 0xff, 0xff]), BESIDE)).toThrow();
});

it("reads what was packed for ever, by a dictionary that never changes", async () => {
  const stored = Uint8Array.from(STORED.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  expect(unpackBeside(stored, BESIDE)).toBe(STORED_TEXT);
  expect(await sha256Hex(DICTIONARY_2)).toBe(DICTIONARY_2_SHA_256);
});

const LOOKS_LIKE_VALUES = [
  ID,
  ID.replaceAll("-", ""),
  ID.toUpperCase(),
  "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
  "AaIAV9izg4G9uC8BgAAAAVLeZTAHvpk6wgz_lbEVsxU",
  "AaIAV9izg4G9uC8BgAAAAVLeZTAHvpk6wgz_lbEVsxV",
  "-".repeat(43),
  "2026-11-21T23:01:26.867Z",
  "2026-02-30T24:00:00.000Z",
  "2026-13-21T23:01:26.867Z",
  "0000-01-01T00:00:00.000Z",
  "E00000000202611212301pyq8djnbirg",
  "E99999999999999999999ABCDEFGHIJK",
  "E12345678202602302400ABCDEFGHIJK",
  "54040.10",
  "540525.005802BR",
  "5499000000.005802BR",
  "54101234567.895802BR",
  "6304ABCD",
  "6304abcd",
  "0",
  "007",
  "999999999999999",
  "9999999999999999",
  "-1",
  "1.5",
];
/** Every kind of value once. */
const STORED_TEXT = JSON.stringify({
  id: ID,
  hex: `https://pix.example/${ID.replaceAll("-", "")}`,
  secureId: "AaIAV9izg4G9uC8BgAAAAVLeZTAHvpk6wgz_lbEVsxU",
  other: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
  path: "https://pix.example/v2/0123456789abcdef0123456789abcdef",
  times: ["2026-11-21T23:01:26.867Z", "2026-11-22T23:01:26.835Z"],
  amount: 1_234_567,
  endToEndId: "E12345678202611212259Pyq8djnbirg",
  qrcode: "0002010102122652040000530398654071234.505802BR5912Loja Exemplo6304AB09",
  name: "Conceição",
});
const STORED =
  "024b52de653007be993ac20cff95b115b3156f1a3c529d0e4b7a8c412f5e7d9b0a010123456789abcdef0123456789abcdef00c0efb25287ad4bcec2f1050300fcaaf1d8e76e2ae0bac407ab09434a3319a91548691ae47498939994306224bf2403dc3460010727a8aac4aab3cc489f03967895aca2c1a1cfaa148b921e31821f4720131968d0c0c98354eacef979c9a99987971f5e9caf540b00";
const DICTIONARY_2_SHA_256 = "a2e43cc666c29bdaf79917b173eb4681b9b5d54414395d0444d3c3474409d8cf";
