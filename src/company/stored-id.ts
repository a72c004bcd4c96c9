import { formatUuid, parseUuid } from "../domain/ids.ts";

/** A transaction's id as the object's tables hold it: the 16 bytes of its UUID; of `""`, which is before all, none. */
export function storedId(transactionId: string): ArrayBuffer {
  return parseUuid(transactionId).buffer;
}

/** The transaction's id again. */
export function idOf(stored: ArrayBuffer): string {
  return formatUuid(new Uint8Array(stored));
}

/** The same of what may be about no transaction. */
export function storedIdOrNull(transactionId: string | null): ArrayBuffer | null {
  return transactionId === null ? null : storedId(transactionId);
}

export function idOrNull(stored: ArrayBuffer | null): string | null {
  return stored === null ? null : idOf(stored);
}

/** SQL for the stored ids among a JSON array of ids that is bound. */
export const STORED_IDS = "(SELECT unhex(value, '-') FROM json_each(?))";
