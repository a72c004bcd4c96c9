import { createHash, createPublicKey, hkdfSync, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { publishedKey, webhookKeySeed } from "../../../../src/webhooks/signing/asymmetric-key.ts";
import { LOCAL_SECRETS_KEY } from "../../../../src/lib/local-key.ts";
import { canonicalJson } from "../../../../src/lib/hash.ts";
import { signDocument } from "../../../../src/webhooks/signing/signed-document.ts";
import { seal } from "../../../../src/lib/secret-box.ts";
import { webhookSecretContext } from "../../../../src/domain/shared/company.ts";
import { signatureHeader } from "../../../../src/webhooks/signing/sign.ts";
import vectors from "../../../vectors/webhooks.json" with { type: "json" };

const COMPANY = "5b0f3a52-6b0e-4b57-9a52-0c9d7ad2f8f1";
const OTHER_COMPANY = "9d3c6e0e-1f0a-4f47-8b6e-2f5f0f6f1a11";
const PARTS = { id: "evt_1_42", timestamp: 1_780_000_000, body: '{"data":"ção 🍕"}' };
const TEXT = `${PARTS.id}.${PARTS.timestamp}.${PARTS.body}`;

/** The `v1a` part of the header that a company's webhook carries. */
async function asymmetricPart(providerCompanyId: string): Promise<Buffer> {
  const webhookSecretSealed = await seal(
    [LOCAL_SECRETS_KEY],
    vectors.officialTestVector.secret,
    webhookSecretContext(providerCompanyId),
  );
  const sealed = { providerCompanyId, webhookSecretSealed, webhookSecretsPrevious: null };
  const header = await signatureHeader([LOCAL_SECRETS_KEY], sealed, PARTS, PARTS.timestamp * 1_000);
  const [, part = ""] = header.split(" ");
  expect(part).toMatch(/^v1a,/);
  return Buffer.from(part.slice("v1a,".length), "base64");
}

async function keyOf(providerCompanyId: string) {
  const { kty, crv, x } = await publishedKey(
    await webhookKeySeed([LOCAL_SECRETS_KEY], providerCompanyId),
  );
  return createPublicKey({ key: { kty, crv, x }, format: "jwk" });
}

describe("node:crypto", () => {
  test("derives the same seed from the Worker's secret", async () => {
    const theirs = hkdfSync(
      "sha256",
      Buffer.from(LOCAL_SECRETS_KEY, "base64"),
      "",
      `webhook-ed25519:${COMPANY}`,
      32,
    );
    expect(Buffer.from(await webhookKeySeed([LOCAL_SECRETS_KEY], COMPANY))).toEqual(
      Buffer.from(theirs),
    );
  });

  test("verifies v1a with the published key", async () => {
    const signature = await asymmetricPart(COMPANY);
    expect(verify(null, Buffer.from(TEXT), await keyOf(COMPANY), signature)).toBe(true);
  });

  test("verifies a signed document over its canonical JSON without the value", async () => {
    const document = { id: "D1", amount: 1_250, note: "ção 🍕", items: [{ b: 1, a: null }] };
    const ring = [LOCAL_SECRETS_KEY] as const;
    const { signature, ...rest } = await signDocument(ring, COMPANY, document, 0);
    const { value, ...head } = signature;
    const text = Buffer.from(canonicalJson({ ...rest, signature: head }));
    const bytes = Buffer.from(value, "base64");
    expect(text.toString()).toMatch(/^{"amount":1250,"id":"D1","items":\[{"a":null,"b":1}\],/);
    expect(verify(null, text, await keyOf(COMPANY), bytes)).toBe(true);
    expect(verify(null, text, await keyOf(OTHER_COMPANY), bytes)).toBe(false);
  });

  test("rejects v1a over a changed body and under another company's key", async () => {
    const signature = await asymmetricPart(COMPANY);
    expect(verify(null, Buffer.from(`${TEXT} `), await keyOf(COMPANY), signature)).toBe(false);
    expect(verify(null, Buffer.from(TEXT), await keyOf(OTHER_COMPANY), signature)).toBe(false);
  });

  test("computes the same thumbprint", async () => {
    const { kid, x } = await publishedKey(await webhookKeySeed([LOCAL_SECRETS_KEY], COMPANY));
    const members = `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`;
    expect(kid).toBe(createHash("sha256").update(members).digest("base64url"));
  });
});
