import { fromBase64, toBase64 } from "./base64.ts";

const IV_BYTES = 12;
const KEY_BYTES = 32;
/** Hex digits of a key's id: enough to tell the few keys of a ring apart. */
const KEY_ID_LENGTH = 8;
/** Keys at once: the current one, the next one, and former ones until all is sealed anew. */
const KEYS_MAX = 4;

/** The keys of `SECRETS_KEY`, each 32 bytes in base64. The first seals, every one opens. */
export type KeyRing = readonly [current: string, ...others: string[]];

/**
 * Reads comma separated keys, the current one first. Null unless there are 1 to 4 different keys of 32
 * bytes in base64.
 */
export function parseKeyRing(text: string): KeyRing | null {
  const [current, ...others] = text.split(",").map((key) => key.trim());
  if (current === undefined || others.length >= KEYS_MAX) return null;
  const keys = [current, ...others];
  if (!keys.every(isSecretKey)) return null;
  return new Set(keys.map(normalized)).size === keys.length ? [current, ...others] : null;
}

/** The id of a key, which is no secret: the first 8 hex digits of the SHA-256 of its bytes. */
export async function keyIdOf(keyBase64: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", fromBase64(keyBase64));
  const hex = [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.slice(0, KEY_ID_LENGTH);
}

/**
 * Encrypts with AES-256-GCM under the current key, and names that key: `v2.<key id>.<iv>.<ciphertext>`.
 * `context` (such as the owner's id) is authenticated, so a ciphertext moved to another row does not decrypt.
 */
export async function seal(ring: KeyRing, plaintext: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const cipher = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: encode(context) },
    await importKey(ring[0]),
    encode(plaintext),
  );
  return `${await sealedPrefix(ring)}${toBase64(iv)}.${toBase64(new Uint8Array(cipher))}`;
}

/**
 * Decrypts a text of `seal` with the key that it names, or a text of before (`v1.<iv>.<ciphertext>`) with
 * the key that fits. Throws for a key that is not in the ring, a wrong context or text.
 */
export async function unseal(ring: KeyRing, sealed: string, context: string): Promise<string> {
  const { keyId, iv, cipher } = partsOf(sealed);
  const keys = keyId === null ? ring : await keysNamed(ring, keyId);
  if (keys.length === 0) {
    throw new Error(`sealed under the key ${keyId}, which is not in SECRETS_KEY`);
  }
  const plaintext = await Promise.any(
    keys.map(async (key) =>
      crypto.subtle.decrypt(
        { name: "AES-GCM", iv: fromBase64(iv), additionalData: encode(context) },
        await importKey(key),
        fromBase64(cipher),
      ),
    ),
  );
  return new TextDecoder().decode(plaintext);
}

/** How each text begins that is sealed under the ring's current key, and needs no other. */
export async function sealedPrefix([key]: KeyRing): Promise<string> {
  return `v2.${await keyIdOf(key)}.`;
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
  return normalized(left) === normalized(right);
}

function normalized(keyBase64: string): string {
  return toBase64(fromBase64(keyBase64));
}

function partsOf(sealed: string): { keyId: string | null; iv: string; cipher: string } {
  const [version, ...parts] = sealed.split(".");
  const [keyId, iv, cipher] = version === "v1" ? ["", ...parts] : parts;
  const isKnown = version === "v1" || version === "v2";
  if (!isKnown || keyId === undefined || iv === undefined || cipher === undefined) {
    throw new Error("not a sealed secret");
  }
  return { keyId: version === "v1" ? null : keyId, iv, cipher };
}

async function keysNamed(ring: KeyRing, keyId: string): Promise<string[]> {
  const ids = await Promise.all(ring.map(keyIdOf));
  return ring.filter((_, index) => ids[index] === keyId);
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
