import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { base64urlnopad } from "@scure/base";
import type { RandomSource } from "./clock.ts";

/**
 * Transaction ids are UUIDs of version 8 (RFC 9562 section 5.8), so that an id alone leads to its
 * company's database: 48 bits of Unix milliseconds, 50 random bits, and the company number in the
 * last 24 bits.
 */
const TRANSACTION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** 32 hex digits: version 8 and the variant in their places. */
const PAYOUT_ID = /^[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
/** What 38 bits can carry. */
const MAX_WITHDRAW_ID = 2 ** 38 - 1;

/** What 24 bits of a transaction id can carry. */
export const MAX_COMPANY_ID = 0xff_ffff;

/** 128 bits, as `product.md` asks of a `secureId`. */
const SECURE_RANDOM_BYTES = 16;
const UUID_BYTES = 16;
/** 48 bits. */
const TIME_HEX_DIGITS = 12;
/** base64url of 32 bytes, without padding. */
const SECURE_ID = /^[A-Za-z0-9_-]{43}$/;

export function newTransactionId(companyId: number, nowMs: number, random: RandomSource): string {
  const bytes = companyUuidBytes(companyId, random);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(nowMs / 0x1_0000));
  view.setUint16(4, nowMs % 0x1_0000);
  return formatUuid(bytes);
}

/** A random UUID (version 4) for payouts and whatever else needs a global id. */
export function newUuid(random: RandomSource): string {
  const bytes = random.bytes(UUID_BYTES);
  bytes[6] = 0x40 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return formatUuid(bytes);
}

/**
 * A payout's global id (a UUID of version 8), which alone leads to its withdraw: 60 random bits, the
 * withdraw's number in the 38 bits behind the variant, and the company's in the last 24.
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

/** The withdraw that a payout id carries, with or without hyphens; null where it carries none. */
export function parsePayoutId(payoutId: string): { companyId: number; withdrawId: number } | null {
  const hex = payoutId.toLowerCase().replaceAll("-", "");
  if (!PAYOUT_ID.test(hex)) return null;
  return {
    withdrawId: Number.parseInt(hex.slice(16, 26), 16) - 2 ** 39,
    companyId: Number.parseInt(hex.slice(26), 16),
  };
}

/** A UUID of its 32 hex digits, which is how PSPs write our ids; any other text stays as it is. */
export function hyphenateUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The company number inside a transaction id, or null where the text is not of that layout. */
export function companyIdOfTransactionId(text: string): number | null {
  const id = text.toLowerCase();
  return TRANSACTION_ID.test(id) ? Number.parseInt(id.slice(-6), 16) : null;
}

/** When a transaction was made (epoch milliseconds), by its id with or without hyphens. */
export function createdAtOfTransactionId(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_HEX_DIGITS), 16);
}

/**
 * The UUID (version 8) of a lead, made of what knows it within the gateway: its number in the first 48
 * bits, the company's in the last 24. It is no secret, and both are shown beside it.
 */
export function leadUuidOf(companyId: number, leadNumber: number): string {
  const bytes = new Uint8Array(UUID_BYTES);
  new DataView(bytes.buffer).setUint32(0, Math.floor(leadNumber / 0x1_0000));
  new DataView(bytes.buffer).setUint16(4, leadNumber % 0x1_0000);
  bytes[6] = 0x80;
  bytes[8] = 0x80;
  new DataView(bytes.buffer).setUint32(12, companyId);
  return formatUuid(bytes);
}

/**
 * The URL-safe id of a transaction's checkout page: its UUID and 128 random bits. The UUID makes it
 * lead to the company and the row without an index of its own; only the random half is stored.
 */
export function secureIdOf(transactionId: string, secureRandom: string): string {
  return base64urlnopad.encode(
    concatBytes(parseUuid(transactionId), base64urlnopad.decode(secureRandom)),
  );
}

/** A text without the `secureId` of a transaction, wherever it stands in it. */
export function redactSecureId(text: string, transactionId: string, replacement: string): string {
  // Of its 43 characters the first 21 are the UUID's alone.
  const start = base64urlnopad.encode(parseUuid(transactionId)).slice(0, 21);
  return text.replaceAll(new RegExp(`${start}[A-Za-z0-9_-]{22}`, "g"), replacement);
}

/** The random half of a new `secureId`, base64url, as it is stored. */
export function newSecureRandom(random: RandomSource): string {
  return base64urlnopad.encode(random.bytes(SECURE_RANDOM_BYTES));
}

/** Takes a `secureId` apart; null where the text is not of that layout. */
export function parseSecureId(
  text: string,
): { transactionId: string; secureRandom: string } | null {
  if (!SECURE_ID.test(text)) return null;
  let bytes: Uint8Array;
  try {
    bytes = base64urlnopad.decode(text);
  } catch {
    // The last character has bits to spare: only one spelling of them is the id.
    return null;
  }
  return {
    transactionId: formatUuid(bytes.subarray(0, UUID_BYTES)),
    secureRandom: base64urlnopad.encode(bytes.subarray(UUID_BYTES)),
  };
}

/**
 * A UUID of its 16 bytes, in lower case. `stringify` of the `uuid` package throws at bytes without a
 * version, and a client can put any bytes into a `secureId`.
 */
function formatUuid(bytes: Uint8Array): string {
  return hyphenateUuid(bytesToHex(bytes));
}

/** The bytes of a UUID, with or without hyphens. */
function parseUuid(uuid: string): Uint8Array<ArrayBuffer> {
  return hexToBytes(uuid.replaceAll("-", ""));
}
