import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DICTIONARY_1 } from "./packed-dictionary.ts";

/** First bytes of what is packed, by dictionary; a text that begins with one is always packed. */
const PACKED_1 = 1;
export const PACKED_2 = 2;
const LEVEL = 9;
/** A row holds 2 MB; nothing that is packed is longer, so nothing unpacks to more. */
const UNPACKED_MAX = 2 ** 21;

const dictionary = new TextEncoder().encode(DICTIONARY_1);

/**
 * A text as few bytes: DEFLATE (RFC 1951) with a dictionary of what our JSON consists of, or the
 * text's own UTF-8 where that is no longer.
 */
export function pack(text: string): Uint8Array {
  const plain = new TextEncoder().encode(text);
  const deflated = deflateRawSync(plain, { level: LEVEL, dictionary });
  const looksPacked = plain[0] === PACKED_1 || plain[0] === PACKED_2;
  if (deflated.length + 1 >= plain.length && !looksPacked) return plain;
  const packed = new Uint8Array(deflated.length + 1);
  packed[0] = PACKED_1;
  packed.set(deflated, 1);
  return packed;
}

/** The text that was packed, or that was stored as it is. Throws where it is neither. */
export function unpack(stored: Uint8Array): string {
  const bytes =
    stored[0] === PACKED_1
      ? inflateRawSync(stored.subarray(1), { dictionary, maxOutputLength: UNPACKED_MAX })
      : stored;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
