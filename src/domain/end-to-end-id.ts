import { bytesOfHex, hexOf } from "./hex.ts";

/** BACEN's id of a PIX: `E`, the ISPB, the minute as yyyyMMddHHmm, and 11 letters or digits. */
const END_TO_END_ID = /^E(\d{20})([0-9A-Za-z]{11})$/;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(ALPHABET.length);
const TAIL_LENGTH = 11;
const TAILS = BASE ** BigInt(TAIL_LENGTH);
/** What holds 20 digits and 11 letters: below 2^133, so that the first byte is below 32. */
const PACKED_BYTES = 17;
const DIGITS = 20;
const FIRST_PRINTABLE = 0x20;

/**
 * An end-to-end id as one number of 17 bytes; what is not of BACEN's layout as its own UTF-8. Throws
 * where that would begin as such a number does, with a control character.
 */
export function packEndToEndId(text: string): Uint8Array<ArrayBuffer> {
  const [, digits, tail] = END_TO_END_ID.exec(text) ?? [];
  if (digits === undefined || tail === undefined) {
    const plain = Uint8Array.from(new TextEncoder().encode(text));
    if ((plain[0] ?? FIRST_PRINTABLE) < FIRST_PRINTABLE) throw new RangeError("no end-to-end id");
    return plain;
  }
  let value = BigInt(digits);
  for (const letter of tail) value = value * BASE + BigInt(ALPHABET.indexOf(letter));
  return bytesOfHex(value.toString(16).padStart(PACKED_BYTES * 2, "0"));
}

/** The end-to-end id that was packed, or stored as it is. */
export function unpackEndToEndId(stored: Uint8Array): string {
  if (stored.length !== PACKED_BYTES || stored[0]! >= FIRST_PRINTABLE) {
    return new TextDecoder().decode(stored);
  }
  const value = BigInt(`0x${hexOf(stored)}`);
  let rest = value % TAILS;
  let tail = "";
  for (let place = 0; place < TAIL_LENGTH; place++) {
    tail = ALPHABET[Number(rest % BASE)]! + tail;
    rest /= BASE;
  }
  return `E${String(value / TAILS).padStart(DIGITS, "0")}${tail}`;
}
