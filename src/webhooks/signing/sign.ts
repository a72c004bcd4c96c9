import { fromBase64, toBase64 } from "../../lib/base64.ts";
import type { KeyRing } from "../../lib/secret-box.ts";
import { signAsymmetric, webhookKeySeed } from "./asymmetric-key.ts";
import { openSecrets, SECRET_PREFIX, unexpiredSecrets, type SealedSecrets } from "./secrets.ts";

/** The parts that Standard Webhooks 1.0 signs. `timestamp` is of the attempt, in Unix seconds. */
export interface SignedParts {
  id: string;
  timestamp: number | string;
  body: string;
}

/** The signed text of Standard Webhooks: `id.timestamp.body`. */
export function signedText({ id, timestamp, body }: SignedParts): string {
  return `${id}.${timestamp}.${body}`;
}

/** HMAC-SHA256 (32 bytes) with a `whsec_` secret. Throws if the secret is not base64. */
export async function hmacOf(secret: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey(
    "raw",
    fromBase64(secret.slice(SECRET_PREFIX.length)),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
}

/** One `v1` signature of Standard Webhooks 1.0. */
export async function signWebhook(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string,
): Promise<string> {
  const text = signedText({ id, timestamp: timestampSeconds, body });
  return `v1,${toBase64(await hmacOf(secret, text))}`;
}

/** The `webhook-signature` header of an attempt at `nowMs`. */
export function signatureHeader(
  secretsKeys: KeyRing,
  sealed: SealedSecrets,
  parts: SignedParts & { timestamp: number },
  nowMs: number,
): Promise<string> {
  return signaturesOf(secretsKeys, sealed, signedText(parts), nowMs);
}

/**
 * A company's signatures of a text at `nowMs`: a `v1` for each valid secret, newest first, so that either verifies
 * during a rotation, then its `v1a`. A text that is no webhook's must not look like one (`signedText`).
 */
export async function signaturesOf(
  secretsKeys: KeyRing,
  sealed: SealedSecrets,
  text: string,
  nowMs: number,
): Promise<string> {
  const valid = {
    ...sealed,
    webhookSecretsPrevious: unexpiredSecrets(sealed.webhookSecretsPrevious, nowMs),
  };
  const secrets = await openSecrets(secretsKeys, valid);
  const symmetric = secrets.map(async ({ secret }) => `v1,${toBase64(await hmacOf(secret, text))}`);
  const seed = await webhookKeySeed(secretsKeys, sealed.providerCompanyId);
  const asymmetric = await signAsymmetric(seed, text);
  return [...(await Promise.all(symmetric)), `v1a,${toBase64(asymmetric)}`].join(" ");
}
