import { named } from "./named-sql.ts";
import { Table } from "./table.ts";

export interface StoredKey {
  requestHash: string;
  /** The withdraw, operation or event that the key created. */
  recordId: number;
  /** The first answer; null if it can be derived from the record. */
  answer: string | null;
}

type KeyRow = {
  operation: string;
  key: string;
  request_hash: string;
  record_id: number;
};

const IDEMPOTENCY = new Table<KeyRow>("idempotency");

/** Idempotency keys, except of a transaction's create. Kept as long as their records. */
export class IdempotencyStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(operation: string, key: string): StoredKey | null {
    const [row] = named(
      "SELECT request_hash, record_id, answer FROM idempotency WHERE operation = :operation AND key = :key",
    )
      .exec<{ request_hash: string; record_id: number; answer: string | null }>(this.#sql, {
        operation,
        key,
      })
      .toArray();
    if (row === undefined) return null;
    return { requestHash: row.request_hash, recordId: row.record_id, answer: row.answer };
  }

  add(operation: string, key: string, requestHash: string, recordId: number): void {
    IDEMPOTENCY.insert(this.#sql, {
      operation,
      key,
      request_hash: requestHash,
      record_id: recordId,
    });
  }

  /** Stores a key's first answer; a later one changes nothing. */
  saveAnswer(operation: string, key: string, answer: string): void {
    named(
      "UPDATE idempotency SET answer = :answer WHERE operation = :operation AND key = :key AND answer IS NULL",
    ).exec(this.#sql, { answer, operation, key });
  }
}
