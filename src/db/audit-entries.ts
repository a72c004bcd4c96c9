import { and, asc, desc, eq, gt, type SQL } from "drizzle-orm";
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
import { runIdempotent } from "./storage-errors.ts";
import { auditEntries } from "./schema/audit.ts";

/**
 * Attempts of an append. Each failure means that another entry took the place, so that as many callers at
 * once are served. Within the 1,000 D1 queries of a request.
 */
const APPEND_ATTEMPTS_MAX = 100;

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

/** The number and hash of a trail's newest entry; undefined for an empty trail. */
async function newestEntry(db: Database, companyId: number) {
  const [newest] = await selectPlace(db, undefined, companyId);
  return newest;
}

/** The number and hash of a trail's newest entry that meets a condition. */
export function selectPlace(db: Database, where: SQL | undefined, companyId: number) {
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

/** An entry as its row has it. */
export function toEntry(row: typeof auditEntries.$inferSelect): AuditEntry {
  const { actorKind, actorId, actorName, keyPrefix, before, after, ...rest } = row;
  return {
    ...rest,
    actor: { kind: actorKind, id: actorId, name: actorName, keyPrefix },
    before: before === null ? null : (JSON.parse(before) as AuditValues),
    after: after === null ? null : (JSON.parse(after) as AuditValues),
  };
}

/** The database that has a trail. */
export function databaseOfTrail(env: Env, companyId: number): Database {
  return companyId === GATEWAY_TRAIL ? directoryOf(env) : databaseFor(env, companyId);
}
