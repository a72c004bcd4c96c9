import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { base64urlnopad } from "@scure/base";
import type { RandomSource } from "./clock.ts";

/**
 * Transaction ids are UUIDs of version 8 (RFC 9562 section 5.8): 48 bits of Unix milliseconds, 50 random
 * bits, and the company number in the last 24 bits, by which the gateway finds the company's database.
 */
const TRANSACTION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** 32 hex digits with version 8 and the variant. */
const PAYOUT_ID = /^[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
/** The largest number of 38 bits. */
const MAX_WITHDRAW_ID = 2 ** 38 - 1;

/** The largest number of 24 bits. */
export const MAX_COMPANY_ID = 0xff_ffff;

/** 128 bits: nobody can guess a `secureId`. */
const SECURE_RANDOM_BYTES = 16;
const UUID_BYTES = 16;
/** 48 bits. */
const TIME_HEX_DIGITS = 12;
/** A static code's txid has at most so many letters and digits (BACEN): as many as a UUID takes in base 36. */
const STATIC_TXID = /^[0-9a-z]{25}$/;
/** base64url of 32 bytes, without padding. */
const SECURE_ID = /^[A-Za-z0-9_-]{43}$/;

/** A new transaction id. Throws `RangeError` for a company number beyond 24 bits. */
export function newTransactionId(companyId: number, nowMs: number, random: RandomSource): string {
  return transactionIdAt(nowMs, companyUuidBytes(companyId, random));
}

/**
 * The transaction id of a time (epoch milliseconds) and of a text that no other transaction of the company has: always the
 * same, so that what is made again after a restore has its id again. Throws `RangeError` as `newTransactionId`.
 */
export function derivedTransactionId(companyId: number, atMs: number, text: string): string {
  const bytes = () => sha256(new TextEncoder().encode(text)).slice(0, UUID_BYTES);
  return transactionIdAt(atMs, companyUuidBytes(companyId, { bytes }));
}

function transactionIdAt(atMs: number, bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(atMs / 0x1_0000));
  view.setUint16(4, atMs % 0x1_0000);
  return formatUuid(bytes);
}

/** A text that no id of a transaction made before a time (epoch milliseconds) comes after, and none made later before. */
export function transactionIdsFrom(atMs: number): string {
  const hex = atMs.toString(16).padStart(TIME_HEX_DIGITS, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** A random UUID (version 4). */
export function newUuid(random: RandomSource): string {
  const bytes = random.bytes(UUID_BYTES);
  bytes[6] = 0x40 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return formatUuid(bytes);
}

/**
 * A payout's global id (a UUID of version 8), which contains its withdraw: 60 random bits, the withdraw's
 * number in the 38 bits after the variant, and the company's in the last 24. Throws `RangeError` for a
 * number that does not fit.
 */
export function newPayoutId(companyId: number, withdrawId: number, random: RandomSource): string {
  if (withdrawId < 1 || withdrawId > MAX_WITHDRAW_ID) {
    throw new RangeError(`a payout id cannot carry the withdraw number ${withdrawId}`);
  }
  const bytes = companyUuidBytes(companyId, random);
  bytes[8] = 0x80 | Math.floor(withdrawId / 2 ** 32);
  new DataView(bytes.buffer).setUint32(9, withdrawId % 2 ** 32);
  return formatUuid(bytes);
}

/** A random UUID of version 8, with the company's number in the last 24 bits. */
function companyUuidBytes(companyId: number, random: RandomSource): Uint8Array {
  if (!Number.isInteger(companyId) || companyId < 1 || companyId > MAX_COMPANY_ID) {
    throw new RangeError(`an id cannot carry the company number ${companyId}`);
  }
  const bytes = random.bytes(UUID_BYTES);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  bytes[13] = companyId >>> 16;
  new DataView(bytes.buffer).setUint16(14, companyId & 0xffff);
  return bytes;
}

/** The withdraw in a payout id, with or without hyphens; null for any other text. */
export function parsePayoutId(payoutId: string): { companyId: number; withdrawId: number } | null {
  const hex = payoutId.toLowerCase().replaceAll("-", "");
  if (!PAYOUT_ID.test(hex)) return null;
  return {
    withdrawId: Number.parseInt(hex.slice(16, 26), 16) - 2 ** 39,
    companyId: Number.parseInt(hex.slice(26), 16),
  };
}

/** Adds the hyphens to a UUID of 32 hex digits, the form PSPs use; returns any other text unchanged. */
export function hyphenateUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The company number in a transaction id; null for any other text. */
export function companyIdOfTransactionId(text: string): number | null {
  const id = text.toLowerCase();
  return TRANSACTION_ID.test(id) ? Number.parseInt(id.slice(-6), 16) : null;
}

/** The txid of a static code: its id, which is laid out as a transaction's, in base 36. */
export function staticTxidOf(codeId: string): string {
  return BigInt(`0x${codeId.replaceAll("-", "")}`)
    .toString(36)
    .padStart(25, "0");
}

/** The static code and the company that a txid names; null for a txid of another layout. */
export function staticCodeOfTxid(txid: string): { id: string; companyId: number } | null {
  const digits = txid.toLowerCase();
  if (!STATIC_TXID.test(digits)) return null;
  let number = 0n;
  for (const digit of digits) number = number * 36n + BigInt(Number.parseInt(digit, 36));
  const id = hyphenateUuid(number.toString(16).padStart(32, "0"));
  const companyId = companyIdOfTransactionId(id);
  return companyId === null ? null : { id, companyId };
}

/** The creation time (epoch milliseconds) in a transaction id, with or without hyphens. */
export function createdAtOfTransactionId(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_HEX_DIGITS), 16);
}

/**
 * The UUID (version 8) of a payer: its number in the first 48 bits, the company's in the last 24. It is not
 * secret; the API shows both numbers next to it.
 */
export function payerUuidOf(companyId: number, leadNumber: number): string {
  const bytes = new Uint8Array(UUID_BYTES);
  new DataView(bytes.buffer).setUint32(0, Math.floor(leadNumber / 0x1_0000));
  new DataView(bytes.buffer).setUint16(4, leadNumber % 0x1_0000);
  bytes[6] = 0x80;
  bytes[8] = 0x80;
  new DataView(bytes.buffer).setUint32(12, companyId);
  return formatUuid(bytes);
}

/**
 * The URL-safe id of a transaction's checkout page: its UUID and 128 random bits. The UUID finds the company
 * and the row without another index; only the random half is stored.
 */
export function secureIdOf(transactionId: string, secureRandom: string): string {
  return base64urlnopad.encode(
    concatBytes(parseUuid(transactionId), base64urlnopad.decode(secureRandom)),
  );
}

/** Replaces each `secureId` of a transaction in a text. */
export function redactSecureId(text: string, transactionId: string, replacement: string): string {
  // The first 21 of its 43 characters depend only on the UUID.
  const start = base64urlnopad.encode(parseUuid(transactionId)).slice(0, 21);
  return text.replaceAll(new RegExp(`${start}[A-Za-z0-9_-]{22}`, "g"), replacement);
}

/** The random half of a new `secureId`, base64url. */
export function newSecureRandom(random: RandomSource): string {
  return base64urlnopad.encode(random.bytes(SECURE_RANDOM_BYTES));
}

/** The two halves of a `secureId`; null for any other text. */
export function parseSecureId(
  text: string,
): { transactionId: string; secureRandom: string } | null {
  if (!SECURE_ID.test(text)) return null;
  let bytes: Uint8Array;
  try {
    bytes = base64urlnopad.decode(text);
  } catch {
    // The last character has unused bits, which must be 0.
    return null;
  }
  return {
    transactionId: formatUuid(bytes.subarray(0, UUID_BYTES)),
    secureRandom: base64urlnopad.encode(bytes.subarray(UUID_BYTES)),
  };
}

/**
 * A UUID from 16 bytes, in lower case. `stringify` of the `uuid` package throws at bytes without a version,
 * and a client can put any bytes into a `secureId`.
 */
function formatUuid(bytes: Uint8Array): string {
  return hyphenateUuid(bytesToHex(bytes));
}

/** The bytes of a UUID, with or without hyphens. */
function parseUuid(uuid: string): Uint8Array<ArrayBuffer> {
  return hexToBytes(uuid.replaceAll("-", ""));
}
