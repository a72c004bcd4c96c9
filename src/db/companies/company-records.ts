import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { CompanyMode } from "../../domain/shared/company.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { companies } from "../schema/companies.ts";
import { shardAssignmentOf } from "../sharding/shard-assignments.ts";
import { isSharded, DIRECTORY } from "../sharding/databases.ts";
import { runIdempotent } from "../storage-errors.ts";
import { isCurrentVersion, updateVersion } from "./credentials-version.ts";
import { hasOpenCharges } from "./open-charges.ts";

const RECORD_COLUMNS = {
  id: companies.id,
  name: companies.name,
  mode: companies.mode,
  clockOffsetMs: companies.clockOffsetMs,
  providerCompanyId: companies.providerCompanyId,
  mainPixKey: companies.mainPixKey,
  mainPixKeyType: companies.mainPixKeyType,
  bankDocument: companies.bankDocument,
  createdAt: companies.createdAt,
  closedAt: companies.closedAt,
  credentialsVersion: companies.credentialsVersion,
};

/** What operators set of a company. Times in Unix milliseconds. */
export type CompanyRecord = Pick<typeof companies.$inferSelect, keyof typeof RECORD_COLUMNS> & {
  /** The binding of its database. */
  database: string;
};

/** Fields that are left out stay; a null key and `""` for the document remove them. */
export interface CompanyChange {
  name?: string | undefined;
  mainPixKey?: PixKey | null | undefined;
  /** When it is changed, Unix milliseconds. */
  nowMs: number;
  bankDocument?: string | undefined;
}

/** The outcome of a change that D1 makes only under a condition. */
export type GuardedOutcome = CompanyRecord | "stale" | "open";

/** A company as operators see it; null if there is no such company. */
export async function findCompanyRecord(
  env: Env,
  companyId: number,
): Promise<CompanyRecord | null> {
  const [row] = await selectRecord(databaseFor(env, companyId), companyId);
  if (row === undefined) return null;
  const { database } = isSharded(env)
    ? await shardAssignmentOf(env, companyId, "current")
    : { database: DIRECTORY };
  return { ...row, database };
}

/** Changes the fields that are given. The caller sends the new version to the object (`updateCredentials`). */
export async function changeCompany(
  env: Env,
  companyId: number,
  change: CompanyChange,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ name: sql`${companies.name}`, ...columnsOf(change) })
      .where(eq(companies.id, companyId))
      .run(),
  );
}

/**
 * Changes a company's mode with the other fields, if it has never had a charge, has no PSP and nobody has moved its clock. The caller has
 * already asked the company's object (`retireCredentials`).
 */
export async function changeCompanyMode(
  env: Env,
  company: { id: number; credentialsVersion: number },
  change: CompanyChange & { mode: CompanyMode },
): Promise<GuardedOutcome> {
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM transactions WHERE company_id = ${company.id})
    AND NOT EXISTS (SELECT 1 FROM company_accounts WHERE company_id = ${company.id} AND left_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM company_clocks WHERE company_id = ${company.id})`;
  const set = { ...columnsOf(change), mode: change.mode };
  return changeGuarded(env, company, {
    set,
    where: isUnused,
    done: eq(companies.mode, change.mode),
  });
}

/**
 * Closes a company without open charges. Its credentials are refused from then on. The caller has already
 * asked the company's object (`retireCredentials`).
 */
export async function closeCompany(
  env: Env,
  company: { id: number; credentialsVersion: number },
  nowMs: number,
): Promise<GuardedOutcome> {
  const where = and(isNull(companies.closedAt), sql`NOT ${hasOpenCharges(company.id)}`);
  const done = eq(companies.closedAt, nowMs);
  return changeGuarded(env, company, { set: { closedAt: nowMs }, where, done });
}

/** Opens a closed company again. */
export async function reopenCompany(env: Env, companyId: number): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ closedAt: null })
      .where(eq(companies.id, companyId))
      .run(),
  );
}

/**
 * Changes a company's row under a condition and only at the version that the caller has read. The version
 * rises either way, so that what the object has begun to refuse stays refused.
 */
async function changeGuarded(
  env: Env,
  { id, credentialsVersion }: { id: number; credentialsVersion: number },
  { set, where, done }: { set: object; where: SQL | undefined; done: SQL },
): Promise<GuardedOutcome> {
  const db = databaseFor(env, id);
  const isCurrent = isCurrentVersion(id, credentialsVersion);
  const [[before], , , [after]] = await runIdempotent(() =>
    db.batch([
      db.select({ isTrue: sql<number>`${isCurrent}` }).from(sql`(SELECT 1)`),
      db
        .update(companies)
        .set(set)
        .where(and(eq(companies.id, id), isCurrent, where)),
      updateVersion(db, id, credentialsVersion + 1),
      db
        .select({ isDone: sql<number>`${done}` })
        .from(companies)
        .where(eq(companies.id, id)),
    ]),
  );
  if (after?.isDone !== 1) return before?.isTrue === 1 ? "open" : "stale";
  const record = await findCompanyRecord(env, id);
  return record ?? "stale";
}

function selectRecord(db: Database, companyId: number) {
  return db.select(RECORD_COLUMNS).from(companies).where(eq(companies.id, companyId));
}

function columnsOf({ name, mainPixKey, bankDocument, nowMs }: CompanyChange) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(bankDocument === undefined ? {} : { bankDocument }),
    ...(mainPixKey === undefined
      ? {}
      : {
          mainPixKey: mainPixKey?.value ?? null,
          mainPixKeyType: mainPixKey?.type ?? null,
          // The same key again is no change: its cool-down is not begun anew, and none is begun.
          mainPixKeySince: sql`CASE WHEN ${companies.mainPixKey} IS ${mainPixKey?.value ?? null}
            THEN ${companies.mainPixKeySince} ELSE ${nowMs} END`,
        }),
  };
}
