import type { PixKey, PixKeyType } from "../../domain/shared/pix-key.ts";
import type { AllowedPixKey } from "../../domain/withdraws/allowed-pix-key.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

type KeyRow = {
  id: number;
  pix_key: string;
  pix_key_type: PixKeyType;
  added_at: number;
  counts_from: number;
};

const ALLOWED_PIX_KEYS = new Table<Omit<KeyRow, "id">>("allowed_pix_keys");

/** The PIX keys to which a company allows withdraws. */
export class AllowedPixKeyStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The keys after a number, ascending. */
  list(after: number, limit: number): AllowedPixKey[] {
    return named("SELECT * FROM allowed_pix_keys WHERE id > :after ORDER BY id LIMIT :limit")
      .exec<KeyRow>(this.#sql, { after, limit })
      .toArray()
      .map(fromRow);
  }

  find(pixKey: string): AllowedPixKey | null {
    const [row] = this.#sql
      .exec<KeyRow>("SELECT * FROM allowed_pix_keys WHERE pix_key = ?", pixKey)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** How many keys are on the list, counted up to `limit`. */
  count(limit: number): number {
    return this.#sql
      .exec<{ total: number }>(
        "SELECT count(*) AS total FROM (SELECT id FROM allowed_pix_keys LIMIT ?)",
        limit,
      )
      .one().total;
  }

  add(key: PixKey, times: Pick<AllowedPixKey, "addedAt" | "countsFrom">): AllowedPixKey {
    const row = ALLOWED_PIX_KEYS.insert<KeyRow>(
      this.#sql,
      {
        pix_key: key.value,
        pix_key_type: key.type,
        added_at: times.addedAt,
        counts_from: times.countsFrom,
      },
      "RETURNING *",
    ).one();
    return fromRow(row);
  }

  /** The removed key; null if the list has no such number. */
  remove(id: number): AllowedPixKey | null {
    const [row] = this.#sql
      .exec<KeyRow>("DELETE FROM allowed_pix_keys WHERE id = ? RETURNING *", id)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }
}

function fromRow(row: KeyRow): AllowedPixKey {
  return {
    id: row.id,
    pixKey: row.pix_key,
    pixKeyType: row.pix_key_type,
    addedAt: row.added_at,
    countsFrom: row.counts_from,
  };
}
