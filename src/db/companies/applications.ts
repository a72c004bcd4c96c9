import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  sql,
} from "drizzle-orm";
import { applicationAt, limitNamed, storedLimit } from "../../domain/access/application-guards.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { apiKeys, applications, companies } from "../schema/companies.ts";
import { jsonOrNull } from "../json-or-null.ts";
import { registerClient } from "../sharding/shard-assignments.ts";
import { runIdempotent } from "../storage-errors.ts";
import { isCurrentVersion } from "./credentials-version.ts";

/** Applications of a company that are not deleted. Far more than one for each system of a merchant. */
export const APPLICATIONS_MAX = 50;
/** The newest deleted applications that stay, so that the table does not grow with their number. */
const DELETED_KEPT_MAX = 50;

export type ApplicationRow = typeof applications.$inferSelect;

/** What a merchant decides about an application. */
export type ApplicationSettings = Pick<
  ApplicationRow,
  "name" | "scopes" | "networks" | "expiresAt" | "spendingLimits" | "refundDailyLimit"
>;

/** What a change of an application writes. */
export type ApplicationChange = ApplicationSettings &
  Pick<ApplicationRow, "scopesVersion" | "givenAt" | "givenBy" | "pendingSettings">;

/** A company's application. */
export interface ApplicationId {
  companyId: number;
  clientId: string;
}

/** A company's applications that are not deleted as they are now, by client id: at most `APPLICATIONS_MAX`. */
export async function listApplications(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<ApplicationRow[]> {
  const rows = await databaseFor(env, companyId)
    .select()
    .from(applications)
    .where(and(eq(applications.companyId, companyId), isNull(applications.deletedAt)))
    .orderBy(asc(applications.clientId));
  return rows.map((row) => applicationAt(row, nowMs));
}

/** Some of a company's applications that are not deleted as they are now, by client id. */
export async function findApplications(
  env: Env,
  companyId: number,
  clientIds: string[],
  nowMs: number,
): Promise<Map<string, ApplicationRow>> {
  const rows = await databaseFor(env, companyId)
    .select()
    .from(applications)
    .where(
      and(
        inArray(applications.clientId, clientIds),
        eq(applications.companyId, companyId),
        isNull(applications.deletedAt),
      ),
    );
  return new Map(rows.map((row) => [row.clientId, applicationAt(row, nowMs)]));
}

/** The application that an earlier request made under this client id, also a deleted one; null if none did. */
export async function findMadeApplication(
  env: Env,
  id: ApplicationId,
): Promise<ApplicationRow | null> {
  const [row] = await databaseFor(env, id.companyId)
    .select()
    .from(applications)
    .where(isApplication(id));
  return row ?? null;
}

/**
 * Adds an application, if the company's credentials still have the version and there are not too many. A
 * client id that exists keeps its row, which is returned. `stale`: the version has changed.
 */
export async function addApplication(
  env: Env,
  row: ApplicationRow,
  version: number,
): Promise<ApplicationRow | "stale" | "full"> {
  const { companyId, clientId } = row;
  await registerClient(env, clientId, companyId);
  const db = databaseFor(env, companyId);
  const isOpen = and(eq(applications.companyId, companyId), isNull(applications.deletedAt));
  const hasCapacity = sql`(SELECT count(*) FROM applications WHERE ${isOpen}) < ${APPLICATIONS_MAX}`;
  const [, , [stored], [company]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(applications)
        // In the order of the table's columns.
        .select(
          sql`SELECT ${clientId}, ${companyId}, ${row.name}, ${row.scopes}, ${row.createdAt},
            ${jsonOrNull(row.networks)}, ${row.expiresAt}, ${jsonOrNull(row.spendingLimits)}, NULL, ${row.requestHash},
            ${row.scopesVersion}, ${row.refundDailyLimit}, ${row.givenAt}, ${jsonOrNull(row.givenBy)}, NULL
            WHERE ${isCurrentVersion(companyId, version)} AND ${hasCapacity}`,
        )
        .onConflictDoNothing(),
      forgetOldestDeleted(db, companyId),
      db.select().from(applications).where(isApplication(row)),
      db
        .select({ version: companies.credentialsVersion })
        .from(companies)
        .where(eq(companies.id, companyId)),
    ]),
  );
  if (stored !== undefined) return stored;
  return company?.version === version ? "full" : "stale";
}

/** Changes an application. Null if it is deleted, or the company's credentials have another version. */
export async function changeApplication(
  env: Env,
  id: ApplicationId,
  settings: Partial<ApplicationChange>,
  version: number,
): Promise<ApplicationRow | null> {
  const [changed] = await runIdempotent(() =>
    databaseFor(env, id.companyId)
      .update(applications)
      .set({ ...settings, ...withPending(settings.pendingSettings, storedLimit) })
      .where(isOpenAt(id, version))
      .returning(),
  );
  if (changed === undefined) return null;
  return { ...changed, ...withPending(changed.pendingSettings, limitNamed) };
}

/** Settings that wait, by the names of rows or of the code. */
function withPending(
  pending: PendingSetting[] | null | undefined,
  name: (field: string) => string,
): Partial<Pick<ApplicationRow, "pendingSettings">> {
  if (pending === null || pending === undefined) return {};
  return { pendingSettings: pending.map((each) => ({ ...each, field: name(each.field) })) };
}

/**
 * Deletes an application and its keys; returns it. Null if it is deleted already, or the company's credentials
 * have another version.
 */
export async function deleteApplication(
  env: Env,
  id: ApplicationId,
  { version, nowMs }: { version: number; nowMs: number },
): Promise<ApplicationRow | null> {
  const db = databaseFor(env, id.companyId);
  const deleted = db
    .select({ one: sql`1` })
    .from(applications)
    .where(and(isApplication(id), isNotNull(applications.deletedAt)));
  const [[removed]] = await runIdempotent(() =>
    db.batch([
      db.update(applications).set({ deletedAt: nowMs }).where(isOpenAt(id, version)).returning(),
      db.delete(apiKeys).where(and(eq(apiKeys.clientId, id.clientId), exists(deleted))),
    ]),
  );
  return removed ?? null;
}

/** Deletes a company's deleted applications beyond the newest ones. */
function forgetOldestDeleted(db: Database, companyId: number) {
  const isDeleted = and(eq(applications.companyId, companyId), isNotNull(applications.deletedAt));
  const kept = db
    .select({ clientId: applications.clientId })
    .from(applications)
    .where(isDeleted)
    .orderBy(desc(applications.deletedAt))
    .limit(DELETED_KEPT_MAX);
  return db.delete(applications).where(and(isDeleted, notInArray(applications.clientId, kept)));
}

function isApplication({ companyId, clientId }: ApplicationId) {
  return and(eq(applications.clientId, clientId), eq(applications.companyId, companyId));
}

function isOpenAt(id: ApplicationId, version: number) {
  return and(
    isApplication(id),
    isNull(applications.deletedAt),
    isCurrentVersion(id.companyId, version),
  );
}
