import type { z } from "@hono/zod-openapi";
import type { Env } from "../../config.ts";
import { searchAuditEntries } from "../../db/audit-search.ts";
import type { OperatorAuditQuery } from "./schemas.ts";
import { auditEntryView } from "./views.ts";

/**
 * A page of what a search finds in a trail. It may hold fewer than `limit`, even none, while `hasMore`: a page
 * searches some of a long trail.
 */
export async function pageOfFoundEntries(
  env: Env,
  trail: number,
  { after, limit, order, ...filter }: Omit<z.output<typeof OperatorAuditQuery>, "companyId">,
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
