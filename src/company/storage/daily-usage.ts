import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { exceededQuota } from "../../domain/storage/quotas.ts";
import type { QuotaRefusal, TakeQuota } from "../rpc-types.ts";

type UsageRow = {
  usage_day: string;
  usage_events: number;
  usage_bytes: number;
  usage_object_bytes: number;
};

/**
 * What the company has stored today. Each event counts itself (`MetaStore.nextEvent`), in the row that it
 * writes anyway.
 */
export class DailyUsage {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The refusal of a request if nothing is left of a quota today; null if something is left of each. */
  refusal({ quotaPercent }: Pick<TakeQuota, "quotaPercent">, nowMs: number): QuotaRefusal | null {
    const row = this.#sql
      .exec<UsageRow>(
        "SELECT usage_day, usage_events, usage_bytes, usage_object_bytes FROM company",
      )
      .one();
    if (row.usage_day !== saoPauloDay(nowMs)) return null;
    const used = {
      eventsPerDay: row.usage_events,
      eventBytesPerDay: row.usage_bytes,
      objectBytesPerDay: this.#sql.databaseSize - row.usage_object_bytes,
    };
    const exceeded = exceededQuota(used, quotaPercent);
    return exceeded === null ? null : { kind: "quota_exceeded", ...exceeded };
  }

  /** Counts bytes that a request stores in D1 without an event, unless it is refused. */
  take(command: TakeQuota, nowMs: number): QuotaRefusal | null {
    const refusal = this.refusal(command, nowMs);
    if (refusal === null && command.bytes > 0) this.#add(command.bytes, nowMs);
    return refusal;
  }

  #add(bytes: number, nowMs: number): void {
    this.#sql.exec(
      `UPDATE company SET
         usage_events = iif(usage_day = ?1, usage_events, 0),
         usage_bytes = iif(usage_day = ?1, usage_bytes, 0) + ?2,
         usage_object_bytes = iif(usage_day = ?1, usage_object_bytes, ?3),
         usage_day = ?1`,
      saoPauloDay(nowMs),
      bytes,
      this.#sql.databaseSize,
    );
  }
}
