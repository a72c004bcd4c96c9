import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { exceededQuota, type Quota, type QuotaExceeded } from "../../domain/storage/quotas.ts";
import { named } from "./named-sql.ts";

/** A request that stores something beside charges and withdraws. */
export interface TakeQuota {
  companyId: number;
  quotaPercent: number;
  /** Counted if they are within the quota. */
  bytes: number;
}

/** A quota that a request would exceed. Nothing was done. */
export interface QuotaRefusal extends QuotaExceeded {
  kind: "quota_exceeded";
}

type UsageRow = {
  usage_day: string;
  usage_events: number;
  usage_bytes: number;
  usage_object_bytes: number;
  usage_link_charges: number;
  usage_link_bytes: number;
  open_link_charges: number;
};

/**
 * What the company has stored today. Each event counts itself (`MetaStore.nextEvent`), in the row that it
 * writes anyway. What payers of links store is counted apart, so that it never stops the company itself.
 */
export class DailyUsage {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The refusal of a request if nothing is left of a quota today; null if something is left of each. */
  refusal({ quotaPercent }: Pick<TakeQuota, "quotaPercent">, nowMs: number): QuotaRefusal | null {
    const row = this.#row();
    if (row.usage_day !== saoPauloDay(nowMs)) return null;
    const growth = this.#sql.databaseSize - row.usage_object_bytes;
    const used = {
      eventsPerDay: row.usage_events,
      eventBytesPerDay: row.usage_bytes,
      objectBytesPerDay: Math.max(0, growth - row.usage_link_bytes),
    };
    return refusalOf(used, quotaPercent);
  }

  /** As `refusal`, of what a payer of a link is about to store. */
  linkRefusal(
    { quotaPercent }: Pick<TakeQuota, "quotaPercent">,
    nowMs: number,
  ): QuotaRefusal | null {
    const row = this.#row();
    const isToday = row.usage_day === saoPauloDay(nowMs);
    const used = {
      linkChargesPerDay: isToday ? row.usage_link_charges : 0,
      linkBytesPerDay: isToday ? row.usage_link_bytes : 0,
      openLinkCharges: row.open_link_charges,
    };
    return refusalOf(used, quotaPercent);
  }

  /** Counts what a payer of a link has stored beside a charge. */
  addLinkBytes(bytes: number, nowMs: number): void {
    this.#addOfLink(0, bytes, nowMs);
  }

  /**
   * Counts a charge of a link, with the event of its end. It is no open charge of the company's own, so
   * that D1, which knows open charges as those that have not ended, has it among the ended ones from now on.
   */
  addLinkCharge(bytes: number, nowMs: number): void {
    this.#addOfLink(1, bytes, nowMs);
    this.#sql.exec(
      `UPDATE company SET open_link_charges = open_link_charges + 1,
         ended_charges = iif(newest_event = 0, coalesce(ended_charges, 0), ended_charges) + 1`,
    );
  }

  /** Counts that a link's charge was paid or has ended. */
  endLinkCharge(): void {
    this.#sql.exec("UPDATE company SET open_link_charges = max(0, open_link_charges - 1)");
  }

  /** Counts bytes that a request stores in D1 without an event, unless it is refused. */
  take(command: TakeQuota, nowMs: number): QuotaRefusal | null {
    const refusal = this.refusal(command, nowMs);
    if (refusal === null && command.bytes > 0) this.#add(command.bytes, nowMs);
    return refusal;
  }

  #row(): UsageRow {
    return this.#sql
      .exec<UsageRow>(
        `SELECT usage_day, usage_events, usage_bytes, usage_object_bytes, usage_link_charges,
           usage_link_bytes, open_link_charges FROM company`,
      )
      .one();
  }

  #add(bytes: number, nowMs: number): void {
    this.#beginDay(nowMs);
    this.#sql.exec("UPDATE company SET usage_bytes = usage_bytes + ?", bytes);
  }

  #addOfLink(charges: number, bytes: number, nowMs: number): void {
    this.#beginDay(nowMs);
    named(
      `UPDATE company SET usage_link_charges = usage_link_charges + :charges,
         usage_link_bytes = usage_link_bytes + :bytes`,
    ).exec(this.#sql, { charges, bytes });
  }

  /** Begins the counts anew on a day's first write. `MetaStore.nextEvent` does the same for its own. */
  #beginDay(nowMs: number): void {
    named(
      `UPDATE company SET usage_events = 0, usage_bytes = 0, usage_link_charges = 0,
         usage_link_bytes = 0, usage_object_bytes = :objectBytes, usage_day = :day
       WHERE usage_day <> :day`,
    ).exec(this.#sql, { day: saoPauloDay(nowMs), objectBytes: this.#sql.databaseSize });
  }
}

function refusalOf(used: Partial<Record<Quota, number>>, percent: number): QuotaRefusal | null {
  const exceeded = exceededQuota(used, percent);
  return exceeded === null ? null : { kind: "quota_exceeded", ...exceeded };
}
