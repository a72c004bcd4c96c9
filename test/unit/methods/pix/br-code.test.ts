import { getPixPayloadInfo } from "@brazilian-utils/brazilian-utils";
import { describe, expect, test } from "vitest";
import { crc16, encodeBrCode, type BrCode } from "../../../../src/methods/pix/br-code.ts";
import { parseBrCode } from "../../../../src/methods/pix/br-code-parser.ts";
import vectors from "../../../vectors/brcode.json";

const CRC_DIGITS = 4;
/** The vectors with exactly the fields of our BR Codes (no txid, no description). */
const OURS = [
  "OFFICIAL BACEN Manual de Padrões: static",
  "static alphanumeric CNPJ key",
  "static no amount",
  "dynamic URL 77 chars (max)",
  "CRC with leading zero: 00CD",
];

describe("crc16 is CRC-16/CCITT-FALSE", () => {
  test.each(Object.entries(vectors.crc_check))("of %j is %s", (text, crc) => {
    expect(crc16(text)).toBe(crc);
  });

  test.each(vectors.valid)("of $name matches", ({ payload, crc }) => {
    expect(crc16(payload.slice(0, -CRC_DIGITS))).toBe(crc);
    expect(payload.endsWith(crc)).toBe(true);
  });

  test.each(
    vectors.invalid.filter(({ name }) =>
      ["wrong CRC", "CRC XMODEM(init 0) instead of CCITT-FALSE", "field after CRC"].includes(name),
    ),
  )("detects $name", ({ payload }) => {
    expect(crc16(payload.slice(0, -CRC_DIGITS))).not.toBe(payload.slice(-CRC_DIGITS));
  });

  test("counts the UTF-8 bytes of a text, not its characters", () => {
    const bytes = new TextEncoder().encode("ação");
    expect(crc16("ação")).not.toBe(crc16("acao"));
    expect(crc16("ação")).toBe(crcOfBytes(bytes));
  });
});

describe("a code that is encoded from a vector's content equals the vector", () => {
  test.each(vectors.valid.filter(({ name }) => OURS.includes(name)))("$name", (vector) => {
    expect(encodeBrCode(contentOf(vector.info!))).toBe(vector.payload);
  });

  test.each(
    vectors.generate.flatMap(({ payload, params, parsed }) =>
      payload === null || parsed === null || "txid" in params || "description" in params
        ? []
        : [{ payload, params, parsed }],
    ),
  )("generated for $params.merchantName: $payload", ({ payload, params, parsed }) => {
    const { merchantName, merchantCity } = params;
    const { target, amount } = contentOf(parsed);
    const content = { target, merchantName, merchantCity };
    expect(encodeBrCode(amount === undefined ? content : { ...content, amount })).toBe(payload);
  });

  test("every one of those vectors exists in the files", () => {
    expect(vectors.valid.filter(({ name }) => OURS.includes(name))).toHaveLength(OURS.length);
  });
});

test("a dynamic code is marked as single-use, a static code is not", () => {
  const merchant = { merchantName: "Fulano de Tal", merchantCity: "BRASILIA" };
  const dynamic = encodeBrCode({ target: { location: "pix.example.com/a" }, ...merchant });
  const fixed = encodeBrCode({ target: { key: "+5511987654321" }, ...merchant });
  expect(getPixPayloadInfo(dynamic)?.pointOfInitiation).toBe("dynamic");
  expect(dynamic.slice(0, 12)).toBe("000201010212");
  expect(getPixPayloadInfo(fixed)?.pointOfInitiation).toBe("static");
});

test("a dynamic code's reference label is ***, because the location holds the real txid", () => {
  const code = encodeBrCode({
    target: { location: "pix.example.com/a" },
    merchantName: "Fulano de Tal",
    merchantCity: "BRASILIA",
  });
  expect(code).toContain("62070503***6304");
});

interface VectorInfo {
  merchantName: string;
  merchantCity: string;
  key?: string;
  url?: string;
  amount?: number;
}

function contentOf(info: VectorInfo): BrCode {
  return {
    target: info.url === undefined ? { key: info.key ?? "" } : { location: info.url },
    merchantName: info.merchantName,
    merchantCity: info.merchantCity,
    ...(info.amount === undefined ? {} : { amount: Math.round(info.amount * 100) }),
  };
}

/**
 * The same checksum by polynomial division over a bit string, so that it shares no code with
 * src.
 */
function crcOfBytes(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let rest = 0xffffn;
  for (const bit of bits) {
    const top = ((rest >> 15n) & 1n) ^ BigInt(bit);
    rest = ((rest << 1n) & 0xffffn) ^ (top === 1n ? 0x1021n : 0n);
  }
  return rest.toString(16).toUpperCase().padStart(4, "0");
}

const content = (code: BrCode) => {
  const read = parseBrCode(encodeBrCode(code));
  return read.valid ? read.content : read.reason;
};

describe("a static code with a txid and a description", () => {
  const STATIC = {
    merchantName: "Loja Exemplo",
    merchantCity: "SAO PAULO",
    txid: "03f2s42s7vnjrcp19bpr4xjb5",
  };
  const EVP = "123e4567-e12b-12d3-a456-426655440000";

  test("shows both, the description in ASCII", () => {
    expect(
      content({ ...STATIC, target: { key: EVP }, description: "Mesa 4, salão" }),
    ).toMatchObject({
      kind: "static",
      key: EVP,
      txid: STATIC.txid,
      description: "Mesa 4, salao",
      reusable: true,
    });
  });

  test.each([
    ["a random key", EVP, 37],
    ["the longest key", "a".repeat(65) + "@example.com", 0],
    ["a key that leaves three characters", "a".repeat(62) + "@example.com", 0],
  ])("cuts the description to what fits beside %s", (_what, key, room) => {
    const shown = content({ ...STATIC, target: { key }, description: "x".repeat(72) });
    expect(shown).toMatchObject({
      kind: "static",
      description: room === 0 ? null : "x".repeat(room),
    });
  });

  test("has no description where none of it is ASCII", () => {
    expect(content({ ...STATIC, target: { key: EVP }, description: "咖啡" })).toMatchObject({
      description: null,
    });
  });
});
