import { fromBase64, fromBase64Url, toBase64, toBase64Url } from "../../lib/base64.ts";
import type { KeyRing } from "../../lib/secret-box.ts";

const ED25519 = "Ed25519";
const SEED_BITS = 256;
/** The bytes before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410 section 7). */
const PKCS8_PREFIX = fromBase64("MC4CAQAwBQYDK2VwBCIEIA==");
const PUBLIC_KEY_PREFIX = "whpk_";

/** A public key as a JWK (RFC 8037), with its Standard Webhooks form. */
export interface PublishedKey {
  kty: "OKP";
  crv: "Ed25519";
  alg: "EdDSA";
  use: "sig";
  /** The key's thumbprint (RFC 7638). */
  kid: string;
  /** The public key, base64url. */
  x: string;
  /** The public key as `whpk_` and base64 (Standard Webhooks). */
  whpk: string;
}

/**
 * The seed (32 bytes) of the Ed25519 key that signs a company's webhooks, by HKDF-SHA256 from the current key
 * of `SECRETS_KEY`. It is stored nowhere, and differs for each company (decision 0015).
 */
export function webhookKeySeed(
  [current]: KeyRing,
  providerCompanyId: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return keySeed(current, webhookPurpose(providerCompanyId));
}

/** The seeds of all keys that a company's webhooks may be signed with, one for each key of the ring. */
export function webhookKeySeeds(
  ring: KeyRing,
  providerCompanyId: string,
): Promise<Uint8Array<ArrayBuffer>[]> {
  return Promise.all(ring.map((key) => keySeed(key, webhookPurpose(providerCompanyId))));
}

function webhookPurpose(providerCompanyId: string): string {
  return `webhook-ed25519:${providerCompanyId}`;
}

/**
 * The seed (32 bytes) of the gateway's own Ed25519 key, which signs the heads of all ledgers (decision
 * 0039). Each anchor carries its public key, so that it verifies after a rotation too.
 */
export function anchorKeySeed([current]: KeyRing): Promise<Uint8Array<ArrayBuffer>> {
  return keySeed(current, "ledger-anchor-ed25519");
}

/** A seed for one purpose; the seeds of other purposes cannot be derived from it. */
async function keySeed(secretsKey: string, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", fromBase64(secretsKey), "HKDF", false, [
    "deriveBits",
  ]);
  const info = new TextEncoder().encode(purpose);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, key, SEED_BITS));
}

/** The Ed25519 signature (64 bytes, RFC 8032) of a text under the key of a seed. */
export async function signAsymmetric(
  seed: Uint8Array,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importSeed(seed, false);
  return new Uint8Array(
    await crypto.subtle.sign({ name: ED25519 }, key, new TextEncoder().encode(text)),
  );
}

/** Whether the key of a seed made this signature of a text. */
export async function verifyAsymmetric(
  seed: Uint8Array,
  signature: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<boolean> {
  const { kty, crv, x } = await publishedKey(seed);
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, ED25519, false, ["verify"]);
  return crypto.subtle.verify({ name: ED25519 }, key, signature, new TextEncoder().encode(text));
}

/** The public key of a seed. */
export async function publishedKey(seed: Uint8Array): Promise<PublishedKey> {
  const { x = "" } = (await crypto.subtle.exportKey(
    "jwk",
    await importSeed(seed, true),
  )) as JsonWebKey;
  const members = new TextEncoder().encode(JSON.stringify({ crv: ED25519, kty: "OKP", x }));
  const thumbprint = new Uint8Array(await crypto.subtle.digest("SHA-256", members));
  const bytes = fromBase64Url(x);
  return {
    kty: "OKP",
    crv: ED25519,
    alg: "EdDSA",
    use: "sig",
    kid: toBase64Url(thumbprint),
    x,
    whpk: PUBLIC_KEY_PREFIX + toBase64(bytes),
  };
}

/** Imports a seed as a private key. WebCrypto exports the public key only of an extractable one. */
function importSeed(seed: Uint8Array, extractable: boolean): Promise<CryptoKey> {
  const pkcs8 = new Uint8Array([...PKCS8_PREFIX, ...seed]);
  return crypto.subtle.importKey("pkcs8", pkcs8, ED25519, extractable, ["sign"]);
}
