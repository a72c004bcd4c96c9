import type { Env } from "../../config.ts";
import type { AuditEntry } from "../../domain/access/audit-entry.ts";
import { listAuditEntries, searchAuditEntries, type AuditFilters } from "../../db/audit-entries.ts";
import { auditEntryView } from "./views.ts";

/**
 * A page of a trail. `trail` is a company's number, or `GATEWAY_TRAIL`. With filters, or newest first, a call reads a
 * bounded part of the trail, so a page may be short while more follow.
 */
export async function pageOfAuditEntries(
  env: Env,
  trail: number,
  query: AuditFilters & { after: number; limit: number; order: "oldest" | "newest" },
) {
  const { after, limit, order, ...filters } = query;
  const hasFilter = Object.values(filters).some((filter) => filter !== undefined);
  if (order === "oldest" && !hasFilter) {
    const entries = await listAuditEntries(env, trail, after, limit + 1);
    return pageOf(entries, limit, null);
  }
  const { entries, next } = await searchAuditEntries(env, trail, { ...query, limit: limit + 1 });
  return pageOf(entries, limit, next);
}

/** `rest`: where the next page begins although all of `found` is shown; null if nothing follows. */
function pageOf(found: AuditEntry[], limit: number, rest: number | null) {
  const items = found.slice(0, limit).map(auditEntryView);
  const next = found.length > limit ? (items.at(-1)?.sequence ?? null) : rest;
  return { items, after: next === null ? null : String(next), hasMore: next !== null };
}
