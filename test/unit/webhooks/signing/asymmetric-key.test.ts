import { describe, expect, test } from "vitest";
import { LOCAL_SECRETS_KEY } from "../../../../src/lib/local-key.ts";
import {
  publishedKey,
  signAsymmetric,
  verifyAsymmetric,
  webhookKeySeed,
} from "../../../../src/webhooks/signing/asymmetric-key.ts";
import { toBase64 } from "../../../../src/lib/base64.ts";
import vectors from "../../../vectors/webhooks.json";

const { v1a } = vectors;
const SEED = Uint8Array.from(v1a.privateSeedHex.match(/../g)!, (hex) => Number.parseInt(hex, 16));
/** RFC 8037 appendix A.3, of the same key. */
const THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

describe("the key of RFC 8032's first test", () => {
  test("makes the vector's v1a signature", async () => {
    expect(`v1a,${toBase64(await signAsymmetric(SEED, v1a.signedContent))}`).toBe(v1a.signature);
  });

  test("verifies its own signature only", async () => {
    const signature = await signAsymmetric(SEED, v1a.signedContent);
    expect(await verifyAsymmetric(SEED, signature, v1a.signedContent)).toBe(true);
    expect(await verifyAsymmetric(SEED, signature, `${v1a.signedContent} `)).toBe(false);
  });

  test("is published as RFC 8037 and Standard Webhooks define", async () => {
    expect(await publishedKey(SEED)).toStrictEqual({
      kty: "OKP",
      crv: "Ed25519",
      alg: "EdDSA",
      use: "sig",
      kid: THUMBPRINT,
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      whpk: v1a.publicKey,
    });
  });
});

describe("a company's key", () => {
  test("is the same on every derivation", async () => {
    const [first, second] = [
      await webhookKeySeed([LOCAL_SECRETS_KEY], "a"),
      await webhookKeySeed([LOCAL_SECRETS_KEY], "a"),
    ];
    expect(first).toEqual(second);
    expect(first).toHaveLength(32);
  });

  test("differs for another company and under another Worker secret", async () => {
    const otherSecret = btoa("another-environment's-own-key-32");
    const keys = await Promise.all([
      webhookKeySeed([LOCAL_SECRETS_KEY], "a"),
      webhookKeySeed([LOCAL_SECRETS_KEY], "b"),
      webhookKeySeed([otherSecret], "a"),
    ]);
    expect(new Set(keys.map(toBase64)).size).toBe(3);
  });
});
