import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { eventBytes } from "../../domain/storage/quotas.ts";
import { assert } from "../../lib/assert.ts";
import { named } from "./named-sql.ts";

/** The highest numbers that D1 had when the object was restored to an earlier time; 0 before that. */
type LowestNumberName =
  | "withdraw_floor"
  | "link_floor"
  | "subscription_floor"
  | "cycle_floor"
  | "contradiction_floor";

/** Columns of the one row of `company`. */
type MetaName =
  | LowestNumberName
  | "company_id"
  /** The number of the company's newest event. */
  | "newest_event"
  /** The ledger's newest movement when this row was last written. */
  | "newest_movement"
  | "balance_events"
  | "webhook_tests"
  | "settings_events"
  /** The number of the company's newest dispute. */
  | "newest_dispute"
  /** The number of the newest unexpected payment. */
  | "newest_unexpected_payment"
  | "frozen"
  /** When a freeze was asked for again while it held, in Unix milliseconds; null if it was not. */
  | "frozen_again_at"
  /** Freezes and their ends so far. */
  | "freeze_changes"
  /** The number of the newest event for operators. */
  | "newest_operator_event"
  /** How far the company's clock is ahead of the platform's, in milliseconds. */
  | "clock_offset_ms"
  /** The newest version that a Worker announced. */
  | "credentials_version"
  /** The first movement that the daily totals count; 0 before any. */
  | "daily_totals_from";

/** What an event counts against the company's quotas. */
interface EventUsage {
  nowMs: number;
  /** The size of its content. */
  bytes: number;
  /** Whether it says that an open charge was paid or has ended. */
  endsCharge?: boolean;
  /** False for the end of a link's unpaid charge, which was counted with it, on the quota of links. */
  isCounted?: boolean;
}

/** The numbers of a new event. */
export interface EventNumbers {
  companySequence: number;
  /** Charges that were paid or have ended, and those of links from the first; null if not counted. */
  endedCharges: number | null;
}

/** The object's counters and flags: one row with a column for each. */
export class MetaStore {
  readonly #sql: SqlStorage;
  /** The company that an earlier commit bound; null before. */
  #bound: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(name: MetaName): number | null {
    return this.#sql.exec<{ value: number | null }>(`SELECT ${name} AS value FROM company`).one()
      .value;
  }

  set(name: MetaName, value: number): void {
    this.#sql.exec(`UPDATE company SET ${name} = ?`, value);
  }

  /** Binds the object to its company at the first commit. Throws if it serves another one. */
  bindCompany(companyId: number): void {
    // A commit begins with this: what it finds is stored for good, what it sets may be rolled back.
    this.#bound ??= this.get("company_id");
    if (this.#bound === null) this.set("company_id", companyId);
    assert(this.#bound === null || this.#bound === companyId, "an object serves one company");
  }

  /** The company's id; null before the first commit. */
  companyId(): number | null {
    return this.#bound ?? this.get("company_id");
  }

  /** The company's id. Throws before the first commit. */
  requireCompanyId(): number {
    const companyId = this.companyId();
    assert(companyId !== null, "the object is bound to a company");
    return companyId;
  }

  /** Increments a counter; returns the new value, 1 at first. */
  next(name: MetaName): number {
    const value = (this.get(name) ?? 0) + 1;
    this.set(name, value);
    return value;
  }

  /** The number after the newest of its kind: above all that D1 had when the object was restored. */
  numberAfter(newest: number, lowest: LowestNumberName): number {
    return Math.max(newest, this.get(lowest) ?? 0) + 1;
  }

  /** How many events the company has announced. */
  newestEvent(): number {
    return this.get("newest_event") ?? 0;
  }

  /**
   * The number of the company's next event, whose outbox entry must follow in the same commit. Also
   * records the ledger's length, which never decreases, so that the audit finds a truncated ledger, and
   * what the company has used of its quotas.
   */
  nextEvent({ nowMs, bytes, endsCharge = false, isCounted = true }: EventUsage): EventNumbers {
    const day = saoPauloDay(nowMs);
    const row = named(
      `UPDATE company SET newest_event = newest_event + 1,
           newest_movement = max(newest_movement,
             (SELECT coalesce(max(sequence), 0) FROM movements)),
           ended_charges = iif(newest_event = 0, coalesce(ended_charges, 0), ended_charges) + :ended,
           usage_events = iif(usage_day = :day, usage_events, 0) + :events,
           usage_bytes = iif(usage_day = :day, usage_bytes, 0) + :bytes,
           usage_link_charges = iif(usage_day = :day, usage_link_charges, 0),
           usage_link_bytes = iif(usage_day = :day, usage_link_bytes, 0),
           usage_object_bytes = iif(usage_day = :day, usage_object_bytes, :objectBytes),
           usage_day = :day
         RETURNING newest_event, ended_charges`,
    )
      .exec<{ newest_event: number; ended_charges: number | null }>(this.#sql, {
        ended: endsCharge ? 1 : 0,
        day,
        events: isCounted ? 1 : 0,
        bytes: isCounted ? eventBytes(bytes) : 0,
        objectBytes: this.#sql.databaseSize,
      })
      .one();
    return { companySequence: row.newest_event, endedCharges: row.ended_charges };
  }
}
