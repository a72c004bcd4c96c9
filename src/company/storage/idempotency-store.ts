export interface StoredKey {
  requestHash: string;
  /** The withdraw, operation or event that the key created. */
  recordId: number;
  /** The first answer; null if it can be derived from the record. */
  answer: string | null;
}

/** Idempotency keys, except of a transaction's create. Kept as long as their records. */
export class IdempotencyStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(operation: string, key: string): StoredKey | null {
    const [row] = this.#sql
      .exec<{ request_hash: string; record_id: number; answer: string | null }>(
        "SELECT request_hash, record_id, answer FROM idempotency WHERE operation = ? AND key = ?",
        operation,
        key,
      )
      .toArray();
    if (row === undefined) return null;
    return { requestHash: row.request_hash, recordId: row.record_id, answer: row.answer };
  }

  add(operation: string, key: string, requestHash: string, recordId: number): void {
    this.#sql.exec(
      "INSERT INTO idempotency (operation, key, request_hash, record_id) VALUES (?, ?, ?, ?)",
      operation,
      key,
      requestHash,
      recordId,
    );
  }

  /** Stores a key's first answer; a later one changes nothing. */
  saveAnswer(operation: string, key: string, answer: string): void {
    this.#sql.exec(
      "UPDATE idempotency SET answer = ? WHERE operation = ? AND key = ? AND answer IS NULL",
      answer,
      operation,
      key,
    );
  }
}
