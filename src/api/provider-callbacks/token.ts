import type { RandomSource } from "../../domain/shared/clock.ts";
import { MAX_COMPANY_ID } from "../../domain/shared/ids.ts";
import { assert } from "../../lib/assert.ts";
import { fromBase64Url, toBase64Url } from "../../lib/base64.ts";

/** A company's number takes 24 bits, as in a transaction's id. */
const COMPANY_BYTES = 3;
/** 192 bits cannot be guessed. */
const RANDOM_BYTES = 24;
/** base64url of 27 bytes: no spare bits, so each token has one spelling. */
const CALLBACK_TOKEN = /^[A-Za-z0-9_-]{36}$/;

/** The secret part of a callback URL: the company's number, to route the callback, and random bits. */
export function newCallbackToken(companyId: number, random: RandomSource): string {
  assert(companyId >= 1 && companyId <= MAX_COMPANY_ID, "a company's number fits into its ids");
  const company = [companyId >>> 16, (companyId >>> 8) & 0xff, companyId & 0xff];
  return toBase64Url(Uint8Array.from([...company, ...random.bytes(RANDOM_BYTES)]));
}

/** The company number in a callback token; null if the text is not a token. */
export function companyOfCallbackToken(token: string): number | null {
  if (!CALLBACK_TOKEN.test(token)) return null;
  return fromBase64Url(token)
    .subarray(0, COMPANY_BYTES)
    .reduce((number, byte) => number * 0x100 + byte, 0);
}
