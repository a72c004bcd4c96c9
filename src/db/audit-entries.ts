import { and, asc, desc, eq, gt, gte, inArray, lte, ne, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  AUDIT_GENESIS,
  auditHash,
  GATEWAY_TRAIL,
  type AuditEntry,
  type AuditValues,
  type NewAuditEntry,
} from "../domain/access/audit-entry.ts";
import type { Env } from "../config.ts";
import { databaseFor, directoryOf, type Database } from "./client.ts";
import { lastAuditSequenceAt } from "./projection/seq-at-time.ts";
import { runIdempotent } from "./storage-errors.ts";
import { auditEntries } from "./schema/audit.ts";

/**
 * Attempts of an append. Each failure means that another entry took the place, so that as many callers at
 * once are served. Within the 1,000 D1 queries of a request.
 */
const APPEND_ATTEMPTS_MAX = 100;

/** Entries that one search reads. A page may then be short while more follow. */
const SCAN_MAX = 500;

/** How far the clocks of two writers of one trail may lie apart. */
const CLOCKS_DIFFER_MS = 60_000;
/** Later than any entry. */
const LAST_TIME_MS = Number.MAX_SAFE_INTEGER - CLOCKS_DIFFER_MS;

/** The place is taken: the trail is longer than when its end was read. Never a loss of the entry. */
class AuditTrailBusy extends Error {}

/** Appends an entry to the trail of a company, or of the gateway (`GATEWAY_TRAIL`). */
export async function appendAuditEntry(
  env: Env,
  companyId: number,
  entry: NewAuditEntry,
  nowMs: number,
): Promise<void> {
  const db = databaseOfTrail(env, companyId);
  let newest = await newestEntry(db, companyId);
  for (let attempt = 1; attempt <= APPEND_ATTEMPTS_MAX; attempt++) {
    const row = toRow(companyId, entry, {
      sequence: (newest?.sequence ?? 0) + 1,
      previousHash: newest?.hash ?? AUDIT_GENESIS,
      nowMs,
    });
    const [, [stored], [last]] = await runIdempotent(() =>
      db.batch([
        db.insert(auditEntries).values(row).onConflictDoNothing(),
        selectPlace(db, eq(auditEntries.sequence, row.sequence), companyId),
        selectPlace(db, undefined, companyId),
      ]),
    );
    if (stored?.hash === row.hash) return;
    newest = last;
  }
  throw new AuditTrailBusy(`D1_BUSY: the audit trail of ${companyId} took no entry`);
}

/** Entries of a trail after `after`, oldest first. */
export async function listAuditEntries(
  env: Env,
  companyId: number,
  after: number,
  limit: number,
): Promise<AuditEntry[]> {
  const rows = await databaseOfTrail(env, companyId)
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), gt(auditEntries.sequence, after)))
    .orderBy(asc(auditEntries.sequence))
    .limit(limit);
  return rows.map(toEntry);
}

/** What entries of a trail are asked for. Epoch milliseconds, both included. */
export interface AuditFilters {
  /** An actor's id, or its name in any case. */
  actor?: string | undefined;
  /** An action, or its part before a dot. */
  action?: string | undefined;
  /** A target, or its part before a colon. */
  target?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * Entries of a trail that pass the filters, after `after` in the order asked; 0 for the first page. Reads a bounded
 * part of the trail, because only times have an order there. `next`: where the next part begins; null at the end.
 */
export async function searchAuditEntries(
  env: Env,
  trail: number,
  filters: AuditFilters & { after: number; limit: number; order: "oldest" | "newest" },
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const { after, limit, order, from = 0, to } = filters;
  const db = databaseOfTrail(env, trail);
  const [range] = await db
    .select({
      before: lastAuditSequenceAt(trail, from - CLOCKS_DIFFER_MS),
      last: lastAuditSequenceAt(trail, (to ?? LAST_TIME_MS) + CLOCKS_DIFFER_MS),
    })
    .from(sql`(SELECT 1)`);
  const { before = 0, last = 0 } = range ?? {};
  const part = partOf(order, after, { before, last });
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, trail),
        gt(auditEntries.sequence, part.after),
        lte(auditEntries.sequence, part.to),
        gte(auditEntries.at, from),
        to === undefined ? undefined : lte(auditEntries.at, to),
        filters.actor === undefined ? undefined : isActor(filters.actor),
        filters.action === undefined
          ? undefined
          : isOrBeginsWith(auditEntries.action, filters.action, "."),
        filters.target === undefined
          ? undefined
          : isOrBeginsWith(auditEntries.target, filters.target, ":"),
      ),
    )
    .orderBy(order === "oldest" ? asc(auditEntries.sequence) : desc(auditEntries.sequence))
    .limit(limit);
  return { entries: rows.map(toEntry), next: part.next };
}

/** The entries that one search reads: those above `after` up to `to`; and where the next search goes on. */
function partOf(
  order: "oldest" | "newest",
  cursor: number,
  { before, last }: { before: number; last: number },
): { after: number; to: number; next: number | null } {
  if (order === "oldest") {
    const after = Math.max(cursor, before);
    const to = Math.min(after + SCAN_MAX, last);
    return { after, to, next: to < last ? to : null };
  }
  const to = cursor === 0 ? last : Math.min(cursor - 1, last);
  const after = Math.max(to - SCAN_MAX, before);
  return { after, to, next: after > before ? after + 1 : null };
}

/**
 * Whether a trail has an entry of one of these actions about a target since a time (Unix milliseconds): by an actor, or
 * by another than `except`.
 */
export async function hasEntrySince(
  env: Env,
  trail: number,
  sinceMs: number,
  {
    target,
    actions,
    ...actor
  }: { target: string; actions: readonly string[] } & ({ by: string } | { except: string }),
): Promise<boolean> {
  const [found] = await databaseOfTrail(env, trail)
    .select({ sequence: auditEntries.sequence })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, trail),
        gt(auditEntries.sequence, lastAuditSequenceAt(trail, sinceMs - CLOCKS_DIFFER_MS)),
        gte(auditEntries.at, sinceMs),
        eq(auditEntries.target, target),
        inArray(auditEntries.action, [...actions]),
        "by" in actor ? eq(auditEntries.actorId, actor.by) : ne(auditEntries.actorId, actor.except),
      ),
    )
    .limit(1);
  return found !== undefined;
}

function isActor(actor: string): SQL | undefined {
  return or(
    eq(auditEntries.actorId, actor),
    sql`lower(${auditEntries.actorName}) = lower(${actor})`,
  );
}

function isOrBeginsWith(column: SQLiteColumn, text: string, separator: string): SQL | undefined {
  const start = text + separator;
  return or(eq(column, text), sql`substr(${column}, 1, ${start.length}) = ${start}`);
}

/** The number and hash of a trail's newest entry; undefined for an empty trail. */
async function newestEntry(db: Database, companyId: number) {
  const [newest] = await selectPlace(db, undefined, companyId);
  return newest;
}

function selectPlace(db: Database, where: SQL | undefined, companyId: number) {
  return db
    .select({ sequence: auditEntries.sequence, hash: auditEntries.hash })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), where))
    .orderBy(desc(auditEntries.sequence))
    .limit(1);
}

function toRow(
  companyId: number,
  { actor, before, after, ...rest }: NewAuditEntry,
  place: { sequence: number; previousHash: string; nowMs: number },
): typeof auditEntries.$inferInsert {
  const fields = {
    ...rest,
    companyId,
    sequence: place.sequence,
    at: place.nowMs,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
  return {
    ...fields,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    keyPrefix: actor.keyPrefix,
    hash: auditHash({ ...fields, actor }, place.previousHash),
  };
}

function toEntry(row: typeof auditEntries.$inferSelect): AuditEntry {
  const { actorKind, actorId, actorName, keyPrefix, before, after, ...rest } = row;
  return {
    ...rest,
    actor: { kind: actorKind, id: actorId, name: actorName, keyPrefix },
    before: before === null ? null : (JSON.parse(before) as AuditValues),
    after: after === null ? null : (JSON.parse(after) as AuditValues),
  };
}

function databaseOfTrail(env: Env, companyId: number): Database {
  return companyId === GATEWAY_TRAIL ? directoryOf(env) : databaseFor(env, companyId);
}
