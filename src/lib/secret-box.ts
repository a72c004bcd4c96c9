import { fromBase64, toBase64 } from "./base64.ts";

const IV_BYTES = 12;
const KEY_BYTES = 32;

/**
 * Encrypts with AES-256-GCM. The key is 32 bytes in base64. `context` (such as the owner's id) is
 * authenticated, so a ciphertext moved to another row does not decrypt.
 */
export async function seal(keyBase64: string, plaintext: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const cipher = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: encode(context) },
    await importKey(keyBase64),
    encode(plaintext),
  );
  return `v1.${toBase64(iv)}.${toBase64(new Uint8Array(cipher))}`;
}

/** Decrypts a text of `seal`. Throws for a wrong key, context or text. */
export async function unseal(keyBase64: string, sealed: string, context: string): Promise<string> {
  const [version, iv, cipher] = sealed.split(".");
  if (version !== "v1" || iv === undefined || cipher === undefined) {
    throw new Error("not a sealed secret");
  }
  const plaintext = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: fromBase64(iv), additionalData: encode(context) },
    await importKey(keyBase64),
    fromBase64(cipher),
  );
  return new TextDecoder().decode(plaintext);
}

/** Whether a text is 32 bytes in base64. */
export function isSecretKey(keyBase64: string): boolean {
  try {
    return fromBase64(keyBase64).length === KEY_BYTES;
  } catch {
    return false;
  }
}

/** Whether two base64 keys have the same bytes. Padding and spaces do not matter. */
export function isSameSecretKey(left: string, right: string): boolean {
  return toBase64(fromBase64(left)) === toBase64(fromBase64(right));
}

async function importKey(keyBase64: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", fromBase64(keyBase64), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}
