import { and, asc, desc, eq, gt, gte, lt, lte, sql, type SQL } from "drizzle-orm";
import type { AuditEntry } from "../domain/access/audit-entry.ts";
import type { Env } from "../config.ts";
import { databaseOfTrail, selectPlace, toEntry } from "./audit-entries.ts";
import { auditEntries } from "./schema/audit.ts";

/** Parts of an entry's actor (id and name), action and target that a search wants, in any case. */
interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
}

/** Entries that one search reads at most. */
const SEARCH_WINDOW = 2_000;

/**
 * One step of a search in a trail: the entries that match within the next `SEARCH_WINDOW`, at most `limit`, and from
 * where the next step goes on; null at the trail's end. `from` is the cursor of the step before, 0 for the first.
 */
export async function searchAuditEntries(
  env: Env,
  companyId: number,
  {
    filter,
    isNewestFirst,
    from,
    limit,
  }: {
    filter: AuditFilter;
    isNewestFirst: boolean;
    from: number;
    limit: number;
  },
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const db = databaseOfTrail(env, companyId);
  const { sequence, actorId, actorName, action, target } = auditEntries;
  const afterEnd = sql`(SELECT coalesce(max(ends.sequence), 0) + 1 FROM audit_entries AS ends
    WHERE ends.company_id = ${companyId})`;
  const start = isNewestFirst && from === 0 ? afterEnd : sql`${from}`;
  const [rows, [newest]] = await db.batch([
    db
      .select()
      .from(auditEntries)
      .where(
        and(
          eq(auditEntries.companyId, companyId),
          isNewestFirst
            ? and(lt(sequence, start), gte(sequence, sql`${start} - ${SEARCH_WINDOW}`))
            : and(gt(sequence, start), lte(sequence, sql`${start} + ${SEARCH_WINDOW}`)),
          contains(sql`${actorId} || ' ' || ${actorName}`, filter.actor),
          contains(sql`${action}`, filter.action),
          contains(sql`${target}`, filter.target),
        ),
      )
      .orderBy(isNewestFirst ? desc(sequence) : asc(sequence))
      .limit(limit + 1),
    selectPlace(db, undefined, companyId),
  ]);
  const entries = rows.slice(0, limit).map(toEntry);
  if (rows.length > limit) return { entries, next: entries.at(-1)!.sequence };
  const length = newest?.sequence ?? 0;
  const end = isNewestFirst
    ? (from === 0 ? length + 1 : from) - SEARCH_WINDOW
    : from + SEARCH_WINDOW;
  const isMore = isNewestFirst ? end > 1 : end < length;
  return { entries, next: isMore ? end : null };
}

function contains(text: SQL, part: string | undefined): SQL | undefined {
  return part === undefined ? undefined : sql`instr(lower(${text}), lower(${part})) > 0`;
}
