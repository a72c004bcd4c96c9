import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { keyIdOf, type KeyRing } from "../../lib/secret-box.ts";

/** A secret of better-auth. What is encrypted names its version. */
export interface AuthSecret {
  version: number;
  value: string;
}

const SECRET_BITS = 256;
const PURPOSE = new TextEncoder().encode("console-people");

/**
 * The secrets under which sign-in cookies are signed, and authenticator secrets and recovery codes encrypted: one
 * for each key of `SECRETS_KEY`, by HKDF-SHA256. The first signs and encrypts, every one decrypts.
 */
export function authSecrets(ring: KeyRing): Promise<AuthSecret[]> {
  return Promise.all(ring.map(secretOf));
}

async function secretOf(secretsKey: string): Promise<AuthSecret> {
  const key = await crypto.subtle.importKey("raw", fromBase64(secretsKey), "HKDF", false, [
    "deriveBits",
  ]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: PURPOSE };
  const bits = await crypto.subtle.deriveBits(hkdf, key, SECRET_BITS);
  return {
    version: Number.parseInt(await keyIdOf(secretsKey), 16),
    value: toBase64(new Uint8Array(bits)),
  };
}
