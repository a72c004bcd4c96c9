import { base32crockford } from "@scure/base";
import type { RandomSource } from "../shared/clock.ts";
import { MAX_COMPANY_ID } from "../shared/ids.ts";

/** 64 bits: nobody finds a link by trying. */
const RANDOM_BYTES = 8;
const COMPANY_BYTES = 3;
/** 88 bits in Crockford's base 32, which takes O for 0, and I and L for 1. */
const SLUG = /^[0-9a-tv-z]{18}$/;

/** A new slug, as `slugOf`. */
export function newSlug(companyId: number, random: RandomSource): string {
  return slugOf(companyId, random.bytes(RANDOM_BYTES));
}

/**
 * A slug: 64 random bits, and the company's number in the last 24. Throws `RangeError` for a company number beyond
 * 24 bits.
 */
export function slugOf(companyId: number, randomBytes: Uint8Array): string {
  if (!Number.isInteger(companyId) || companyId < 1 || companyId > MAX_COMPANY_ID) {
    throw new RangeError(`a slug cannot carry the company number ${companyId}`);
  }
  const bytes = new Uint8Array(RANDOM_BYTES + COMPANY_BYTES);
  bytes.set(randomBytes.subarray(0, RANDOM_BYTES));
  bytes[RANDOM_BYTES] = companyId >>> 16;
  new DataView(bytes.buffer).setUint16(RANDOM_BYTES + 1, companyId & 0xffff);
  return base32crockford.encode(bytes).toLowerCase();
}

/** A slug as it is stored, and its company's number; null for any other text. The case does not matter. */
export function parseSlug(text: string): { slug: string; companyId: number } | null {
  if (!SLUG.test(text.toLowerCase())) return null;
  let bytes: Uint8Array;
  try {
    bytes = base32crockford.decode(text);
  } catch {
    // The last character has unused bits, which must be 0.
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const companyId = bytes[RANDOM_BYTES]! * 0x1_0000 + view.getUint16(RANDOM_BYTES + 1);
  return companyId === 0 ? null : { slug: base32crockford.encode(bytes).toLowerCase(), companyId };
}
