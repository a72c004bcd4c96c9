import type { Env } from "../../config.ts";
import { listAuditEntries, searchAuditEntries, type AuditFilter } from "../../db/audit-entries.ts";
import { auditEntryView } from "./views.ts";

type TrailQuery = { after: number; limit: number };

/** A page of a trail, oldest first. `trail` is a company's number, or `GATEWAY_TRAIL`. */
export async function pageOfAuditEntries(env: Env, trail: number, { after, limit }: TrailQuery) {
  const entries = await listAuditEntries(env, trail, after, limit + 1);
  const items = entries.slice(0, limit).map(auditEntryView);
  const hasMore = entries.length > limit;
  return { items, after: hasMore ? String(items.at(-1)?.sequence) : null, hasMore };
}

/**
 * A page of what a search finds in a trail. It may hold fewer than `limit`, even none, while `hasMore`: a page
 * searches some of a long trail.
 */
export async function pageOfFoundEntries(
  env: Env,
  trail: number,
  { after, limit, order, ...filter }: TrailQuery & AuditFilter & { order: "oldest" | "newest" },
) {
  const isNewestFirst = order === "newest";
  const search = { filter, isNewestFirst, from: after, limit };
  const { entries, next } = await searchAuditEntries(env, trail, search);
  return {
    items: entries.map(auditEntryView),
    after: next === null ? null : String(next),
    hasMore: next !== null,
  };
}
