import type { WithdrawFilters, WithdrawSearch } from "../../domain/withdraws/withdraw-search.ts";
import { named } from "../storage/named-sql.ts";

/**
 * Withdraws that one search reads where a filter has no index. A page may then be short while more follow.
 */
const SCAN_MAX = 500;

/** Ids of matching withdraws, newest first; the next page begins below `after`, null at the end. */
export interface FoundIds {
  ids: number[];
  after: number | null;
}

/**
 * Searches a bounded number of withdraws; those that wait for an approval are found by their own table. Their
 * `created_at` never falls as their ids rise.
 */
export function searchWithdraws(sql: SqlStorage, newest: number, search: WithdrawSearch): FoundIds {
  const { after, limit, from = 0, to } = search;
  const { conditions, values } = conditionsOf(search);
  const passes = conditions.length === 0 ? "1" : conditions.join(" AND ");
  const last = to === undefined ? newest : lastIdAt(sql, newest, to);
  const scanMax = conditions.length === 0 ? Math.min(limit + 1, SCAN_MAX) : SCAN_MAX;
  const { source, key } = sourceOf(search);
  const scanned = named(
    `SELECT id, created_at, ${passes} AS passes
     FROM ${source} WHERE ${key} <= :last ORDER BY ${key} DESC LIMIT :limit`,
  )
    .exec<{ id: number; created_at: number; passes: number }>(sql, {
      ...values,
      last: after === null ? last : Math.min(last, after - 1),
      limit: scanMax,
    })
    .toArray();
  const inTime = scanned.filter((row) => row.created_at >= from);
  const matching = inTime.filter((row) => row.passes === 1).map(({ id }) => id);
  const ids = matching.slice(0, limit);
  if (matching.length > limit) return { ids, after: ids.at(-1) ?? null };
  const isComplete = inTime.length < scanMax;
  return { ids, after: isComplete ? null : (inTime.at(-1)?.id ?? null) };
}

/** The rows that a search reads, and the key along which it walks them. */
function sourceOf({ approval }: WithdrawFilters): { source: string; key: string } {
  return approval === "pending"
    ? { source: "pending_approvals CROSS JOIN withdraws ON id = withdraw_id", key: "withdraw_id" }
    : { source: "withdraws", key: "id" };
}

/** The condition of each filter. Its value has the filter's name. */
const CONDITIONS = {
  status: "status = :status",
  approval: "approval = :approval",
  pixKey: "pix_key = :pixKey",
  amountFrom: "amount >= :amountFrom",
  amountTo: "amount <= :amountTo",
};
const FILTERS = ["status", "approval", "pixKey", "amountFrom", "amountTo"] as const;

function conditionsOf(filters: WithdrawFilters) {
  const values: Record<string, string | number> = {};
  const conditions: string[] = [];
  for (const filter of FILTERS) {
    const value = filters[filter];
    if (value === undefined) continue;
    values[filter] = value;
    conditions.push(CONDITIONS[filter]);
  }
  return { conditions, values };
}

/** The last withdraw that was requested by a time, 0 if none: binary search, about 20 reads of a million. */
function lastIdAt(sql: SqlStorage, newest: number, timeMs: number): number {
  let low = 0;
  let high = newest;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [row] = sql
      .exec<{ created_at: number }>("SELECT created_at FROM withdraws WHERE id = ?", middle)
      .toArray();
    if (row !== undefined && row.created_at <= timeMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
