import { customType } from "drizzle-orm/sqlite-core";
import { packEndToEndId, unpackEndToEndId } from "../domain/end-to-end-id.ts";
import { bytesOfHex, hexOf } from "../domain/hex.ts";
import { formatUuid, parseUuid } from "../domain/ids.ts";
import { assert } from "../lib/assert.ts";
import { fromBase64Url, toBase64Url } from "../lib/base64.ts";
import type { Stored } from "./packed-column.ts";
import { packDetails, unpackDetails } from "./packed-details.ts";

/** 16 random bytes; the same as base64url, which older rows keep as text, are 22. */
const RANDOM_BYTES = 16;

/** A column of bytes that the code knows as something longer (decision 0032). */
function columnOf<Value>(
  toBytes: (value: Value) => Uint8Array<ArrayBuffer>,
  toValue: (bytes: Uint8Array) => Value,
) {
  return customType<{ data: Value; driverData: Stored }>({
    dataType: () => "blob",
    toDriver: (value) => toBytes(value).buffer,
    fromDriver: (stored) => toValue(new Uint8Array(stored)),
  });
}

/** Bytes that mean something only beside the rest of their row. */
export const bytesColumn = columnOf<Uint8Array>(
  (bytes) => Uint8Array.from(bytes),
  (bytes) => bytes,
);

/** What a create was told that no query looks into. */
export const detailsColumn = columnOf(packDetails, unpackDetails);

/** A UUID as its 16 bytes, in which the order of two is that of their texts. */
export const uuidColumn = columnOf(parseUuid, formatUuid);

/** Lower-case hex digits, two to a byte. */
export const hexColumn = columnOf(bytesOfHex, hexOf);

/** 128 random bits that are shown as base64url. */
export const randomColumn = columnOf(fromBase64Url, (bytes) =>
  bytes.length === RANDOM_BYTES ? toBase64Url(bytes) : new TextDecoder().decode(bytes),
);

/** What a payment is known by at the central bank (`domain/end-to-end-id.ts`). */
export const endToEndIdColumn = columnOf(packEndToEndId, unpackEndToEndId);

/**
 * One of a few words as its place in their list, which for the first two takes no byte at all. A list
 * may grow at its end and never changes otherwise.
 */
export function wordColumn<const Word extends string>(name: string, words: readonly Word[]) {
  return customType<{ data: Word; driverData: number }>({
    dataType: () => "integer",
    toDriver: (word) => words.indexOf(word),
    fromDriver: (place) => {
      const word = words[place];
      assert(word !== undefined, `${name} has no word ${place}`);
      return word;
    },
  })(name);
}
