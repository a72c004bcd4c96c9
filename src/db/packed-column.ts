import { customType } from "drizzle-orm/sqlite-core";
import { pack, unpack } from "../lib/packed.ts";

/** D1 gives a BLOB as an array of its bytes. */
export type Stored = ArrayBuffer | number[];

/** A column of JSON that no query looks into, stored packed (decision 0027). */
export function packedJson<Value>(name: string) {
  return customType<{ data: Value; driverData: Stored }>({
    dataType: () => "blob",
    toDriver: (value) => packedBytes(JSON.stringify(value)),
    fromDriver: (stored) => JSON.parse(unpackedText(stored)) as Value,
  })(name);
}

/** The same of a text. */
export const packedText = customType<{ data: string; driverData: Stored }>({
  dataType: () => "blob",
  toDriver: packedBytes,
  fromDriver: unpackedText,
});

/** Bytes that only their row can tell the text of. */
export const packedBytesColumn = customType<{ data: Uint8Array; driverData: Stored }>({
  dataType: () => "blob",
  toDriver: (bytes) => Uint8Array.from(bytes).buffer,
  fromDriver: (stored) => new Uint8Array(stored),
});

/** What a packed column is given in SQL of one's own. */
export function packedBytes(text: string): ArrayBuffer {
  return Uint8Array.from(pack(text)).buffer;
}

/** The text of a packed column, as D1 gives it. */
export function unpackedText(stored: Stored): string {
  return unpack(new Uint8Array(stored));
}
