import type { Env } from "../../config.ts";
import { listAuditEntries } from "../../db/audit-entries.ts";
import { auditEntryView } from "./views.ts";

/** A page of a trail, oldest first. `trail` is a company's number, or `GATEWAY_TRAIL`. */
export async function pageOfAuditEntries(
  env: Env,
  trail: number,
  { after, limit }: { after: number; limit: number },
) {
  const entries = await listAuditEntries(env, trail, after, limit + 1);
  const items = entries.slice(0, limit).map(auditEntryView);
  const hasMore = entries.length > limit;
  return { items, after: hasMore ? String(items.at(-1)?.sequence) : null, hasMore };
}
