import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { canonicalJson, timingSafeEqual } from "../../lib/hash.ts";
import type { KeyRing } from "../../lib/secret-box.ts";
import {
  publishedKey,
  signAsymmetric,
  verifyAsymmetric,
  webhookKeySeed,
  webhookKeySeeds,
} from "./asymmetric-key.ts";

/** Bytes of an Ed25519 signature (RFC 8032). */
const SIGNATURE_BYTES = 64;

/** The signature of a document. The key is one of the company's public webhook keys. */
interface DocumentSignature {
  algorithm: "Ed25519";
  /** The key's thumbprint (RFC 7638), `kid` in `/.well-known/webhook-keys.json`. */
  keyId: string;
  /** The public key (32 bytes), base64url. It proves who signed only if it is one of the published keys. */
  publicKey: string;
  /** RFC 3339, UTC. */
  signedAt: string;
  /** The signature (64 bytes, RFC 8032), base64. */
  value: string;
}

export type Signed<Document extends object> = Document & { signature: DocumentSignature };

/**
 * Signs a document of JSON values with the company's current Ed25519 key. Signed is the canonical JSON
 * (RFC 8785) of the whole document with `signature`, but without `signature.value`. The key signs webhooks
 * too; their texts begin with an event's id and a document with `{`, so that neither passes for the other.
 */
export async function signDocument<Document extends object>(
  secretsKeys: KeyRing,
  providerCompanyId: string,
  document: Document,
  nowMs: number,
): Promise<Signed<Document>> {
  const seed = await webhookKeySeed(secretsKeys, providerCompanyId);
  const { kid, x } = await publishedKey(seed);
  const head = {
    algorithm: "Ed25519" as const,
    keyId: kid,
    publicKey: x,
    signedAt: new Date(nowMs).toISOString(),
  };
  const signature = await signAsymmetric(seed, canonicalJson({ ...document, signature: head }));
  return { ...document, signature: { ...head, value: toBase64(signature) } };
}

/**
 * Whether one of the company's keys signed exactly this document. Keys of before a rotation verify while
 * they are in `SECRETS_KEY`. False for anything that is not a signed document; it does not throw for parsed
 * JSON.
 */
export async function verifyDocument(
  secretsKeys: KeyRing,
  providerCompanyId: string,
  document: unknown,
): Promise<boolean> {
  const signature = signatureOf(document);
  if (signature === null) return false;
  const { value, ...head } = signature;
  const bytes = signatureBytes(value);
  if (bytes === null) return false;
  const text = canonicalJson({ ...(document as object), signature: head });
  for (const seed of await webhookKeySeeds(secretsKeys, providerCompanyId)) {
    const { kid, x } = await publishedKey(seed);
    const isNamed = timingSafeEqual(`${kid}.${x}`, `${head.keyId}.${head.publicKey}`);
    if (isNamed && (await verifyAsymmetric(seed, bytes, text))) return true;
  }
  return false;
}

function signatureOf(document: unknown): DocumentSignature | null {
  if (typeof document !== "object" || document === null) return null;
  const { signature } = document as { signature?: unknown };
  if (typeof signature !== "object" || signature === null) return null;
  const members = signature as Record<string, unknown>;
  const names = ["keyId", "publicKey", "signedAt", "value"];
  const isComplete = names.every((name) => typeof members[name] === "string");
  return isComplete && members["algorithm"] === "Ed25519" ? (signature as DocumentSignature) : null;
}

/** Null unless the text is 64 bytes in base64's one canonical form, so that no other text passes for the value. */
function signatureBytes(value: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64(value);
    return bytes.length === SIGNATURE_BYTES && toBase64(bytes) === value ? bytes : null;
  } catch {
    return null;
  }
}
