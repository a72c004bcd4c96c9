import type { WithdrawFilters, WithdrawSearch } from "../../domain/withdraws/withdraw-search.ts";

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
  const conditions = conditionsOf(search);
  const passes = conditions.map(([condition]) => condition).join(" AND ");
  const values = conditions.map(([, value]) => value);
  const last = to === undefined ? newest : lastIdAt(sql, newest, to);
  const scanMax = conditions.length === 0 ? Math.min(limit + 1, SCAN_MAX) : SCAN_MAX;
  const { source, key } = sourceOf(search);
  const scanned = sql
    .exec<{ id: number; created_at: number; passes: number }>(
      `SELECT id, created_at, ${passes === "" ? "1" : passes} AS passes
       FROM ${source} WHERE ${key} <= ? ORDER BY ${key} DESC LIMIT ?`,
      ...values,
      after === null ? last : Math.min(last, after - 1),
      scanMax,
    )
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

function conditionsOf(filters: WithdrawFilters): [condition: string, value: string | number][] {
  const { status, approval, pixKey, amountFrom, amountTo } = filters;
  return [
    ...(status === undefined ? [] : [["status = ?", status] as [string, string]]),
    ...(approval === undefined ? [] : [["approval = ?", approval] as [string, string]]),
    ...(pixKey === undefined ? [] : [["pix_key = ?", pixKey] as [string, string]]),
    ...(amountFrom === undefined ? [] : [["amount >= ?", amountFrom] as [string, number]]),
    ...(amountTo === undefined ? [] : [["amount <= ?", amountTo] as [string, number]]),
  ];
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
