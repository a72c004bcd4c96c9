import { base64, base64urlnopad } from "@scure/base";

/** Base64 (RFC 4648 section 4), padded. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/**
 * The bytes of a base64 text. Throws where it is none. `atob` takes a text without padding too, which a
 * configured key may be; `@scure/base` refuses it.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** base64url (RFC 4648 section 5), without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}

/** The bytes of a base64url text without padding. Throws where it is none. */
export function fromBase64Url(text: string): Uint8Array {
  return base64urlnopad.decode(text);
}
