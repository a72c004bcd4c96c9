import type { FreezeCause, FreezeScope } from "../../domain/access/freeze.ts";
import { named } from "../storage/named-sql.ts";

/** A cause as it is stored. A freeze of before charges could be frozen has no scope: it stops withdraws. */
export type StoredCause = FreezeCause & {
  scope?: FreezeScope;
  /** The company's event waits for the end of a restore, which raises the numbers of events. */
  isUnannounced?: true;
};

/** Why and since when the company is frozen. Every method that writes runs inside one `transactionSync`. */
export class FreezeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null: it is not frozen, or by a version that stored no cause. `since` in Unix milliseconds. */
  read(): { cause: StoredCause | null; since: number | null } {
    const { cause, since } = this.#sql
      .exec<{ cause: string | null; since: number | null }>(
        "SELECT freeze_cause AS cause, frozen_since AS since FROM company",
      )
      .one();
    return { cause: cause === null ? null : (JSON.parse(cause) as StoredCause), since };
  }

  /** `cause`: null ends the freeze. */
  write(cause: StoredCause | null, nowMs: number): void {
    named(
      "UPDATE company SET frozen = :frozen, freeze_cause = :freezeCause, frozen_since = :frozenSince",
    ).exec(this.#sql, {
      frozen: cause?.scope?.withdraws === true ? 1 : 0,
      freezeCause: cause === null ? null : JSON.stringify(cause),
      frozenSince: cause === null ? null : nowMs,
    });
  }

  /** Replaces the cause of a freeze that goes on. */
  writeCause(cause: StoredCause): void {
    this.#sql.exec("UPDATE company SET freeze_cause = ?", JSON.stringify(cause));
  }
}
