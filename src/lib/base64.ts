import { base64, base64urlnopad } from "@scure/base";

/** Base64 (RFC 4648 section 4), padded. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/**
 * Decodes base64. Throws for invalid text. `atob` also accepts text without padding, which a configured key
 * may be; `@scure/base` refuses it.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** base64url (RFC 4648 section 5), without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}

/** Decodes base64url without padding. Throws for invalid text. */
export function fromBase64Url(text: string): Uint8Array {
  return base64urlnopad.decode(text);
}
