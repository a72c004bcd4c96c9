import { deflateRawSync, inflateRawSync } from "node:zlib";

const LEVEL = 9;
/** A row holds 2 MB; nothing that is packed is longer, so nothing inflates to more. */
const INFLATED_MAX = 2 ** 21;

/**
 * A text as DEFLATE (RFC 1951) beside a text that it resembles. Whoever reads it needs the same one, to
 * the letter. Lone surrogates are lost.
 */
export function deflatePrimed(text: string, alike: string | Uint8Array): Uint8Array {
  return deflateRawSync(bytesOf(text), { level: LEVEL, dictionary: bytesOf(alike) });
}

/** The text that was deflated beside `alike`. Throws where it was not. */
export function inflatePrimed(deflated: Uint8Array, alike: string | Uint8Array): string {
  const bytes = inflateRawSync(deflated, {
    dictionary: bytesOf(alike),
    maxOutputLength: INFLATED_MAX,
  });
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}
