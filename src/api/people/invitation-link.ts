import type { RandomSource } from "../../domain/shared/clock.ts";
import { fromBase64, toBase64Url } from "../../lib/base64.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { KeyRing } from "../../lib/secret-box.ts";

const TOKEN_BYTES = 32;
const PURPOSE = new TextEncoder().encode("invitation-links");

/** The token of a link of which nobody can make a second copy. */
export function randomToken(random: RandomSource): string {
  return toBase64Url(random.bytes(TOKEN_BYTES));
}

/**
 * The tokens that an `Idempotency-Key` stands for: HMAC-SHA256 of what names the request, under each key of
 * `SECRETS_KEY`, by HKDF-SHA256. The first makes a new link. So a repeated request finds its link again, and only its
 * hash is stored.
 */
export function tokensOfKey(ring: KeyRing, invitationId: string): Promise<string[]> {
  return Promise.all(
    ring.map(async (secretsKey) => {
      const raw = fromBase64(secretsKey);
      const source = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
      const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: PURPOSE };
      const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
      const key = await crypto.subtle.deriveKey(hkdf, source, hmac, false, ["sign"]);
      const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(invitationId));
      return toBase64Url(new Uint8Array(mac));
    }),
  );
}

/** The token whose hash is stored; null if none is it. */
export async function tokenWithHash(tokens: string[], hash: string): Promise<string | null> {
  for (const token of tokens) if ((await sha256Hex(token)) === hash) return token;
  return null;
}
