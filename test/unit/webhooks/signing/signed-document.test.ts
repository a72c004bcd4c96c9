import { describe, expect, it } from "vitest";
import { toBase64 } from "../../../../src/lib/base64.ts";
import type { KeyRing } from "../../../../src/lib/secret-box.ts";
import { publishedKey, webhookKeySeed } from "../../../../src/webhooks/signing/asymmetric-key.ts";
import { signDocument, verifyDocument } from "../../../../src/webhooks/signing/signed-document.ts";

const RING: KeyRing = [toBase64(new Uint8Array(32).fill(7))];
const ROTATED: KeyRing = [toBase64(new Uint8Array(32).fill(8)), ...RING];
const COMPANY = "a1b2";
const NOW = Date.parse("2026-03-02T12:00:00.000Z");
const DOCUMENT = { id: "1", amount: 1250, items: [{ title: "Café", note: undefined }], none: null };

const signed = () => signDocument(RING, COMPANY, DOCUMENT, NOW);

describe("signDocument", () => {
  it("names the published key and the time", async () => {
    const { signature, ...rest } = await signed();
    const { kid, x } = await publishedKey(await webhookKeySeed(RING, COMPANY));
    expect(rest).toEqual(DOCUMENT);
    expect(signature).toMatchObject({
      algorithm: "Ed25519",
      keyId: kid,
      publicKey: x,
      signedAt: "2026-03-02T12:00:00.000Z",
    });
  });
});

describe("verifyDocument", () => {
  it("accepts the document as it was parsed, its members in any order", async () => {
    const parsed = JSON.parse(JSON.stringify(await signed())) as Record<string, unknown>;
    const reordered = Object.fromEntries(Object.entries(parsed).toReversed());
    expect(await verifyDocument(RING, COMPANY, parsed)).toBe(true);
    expect(await verifyDocument(RING, COMPANY, reordered)).toBe(true);
  });

  it("accepts a document of before a rotation while the old key is in the ring", async () => {
    expect(await verifyDocument(ROTATED, COMPANY, await signed())).toBe(true);
  });

  it("refuses a document whose key has left the ring", async () => {
    const foreign = await signDocument(ROTATED, COMPANY, DOCUMENT, NOW);
    expect(await verifyDocument(RING, COMPANY, foreign)).toBe(false);
  });

  it("refuses the document of another company", async () => {
    expect(await verifyDocument(RING, "c3d4", await signed())).toBe(false);
  });

  it.each<[string, (document: Awaited<ReturnType<typeof signed>>) => unknown]>([
    ["a changed amount", (one) => ({ ...one, amount: 1251 })],
    ["an added member", (one) => ({ ...one, extra: true })],
    ["a removed member", ({ id: _id, ...rest }) => rest],
    ["another time", (one) => withSignature(one, { signedAt: "2026-03-03T12:00:00.000Z" })],
    ["another key id", (one) => withSignature(one, { keyId: "other" })],
    ["another public key", (one) => withSignature(one, { publicKey: "other" })],
    ["another algorithm", (one) => withSignature(one, { algorithm: "none" })],
    ["an added member of the signature", (one) => withSignature(one, { note: "x" })],
    ["a value that is not base64", (one) => withSignature(one, { value: "%" })],
    ["a short value", (one) => withSignature(one, { value: "AAAA" })],
    [
      "the value without padding",
      (one) => withSignature(one, { value: one.signature.value.replaceAll("=", "") }),
    ],
    ["a value that is a number", (one) => withSignature(one, { value: 1 })],
    ["no signature", ({ signature: _signature, ...rest }) => rest],
    ["null", () => null],
    ["a text", () => "{}"],
  ])("refuses %s", async (_name, change) => {
    expect(await verifyDocument(RING, COMPANY, change(await signed()))).toBe(false);
  });
});

function withSignature(one: Awaited<ReturnType<typeof signed>>, change: Record<string, unknown>) {
  return { ...one, signature: { ...one.signature, ...change } };
}
