import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { CompanyTerms, Fee, FeeKind } from "../../domain/ledger/fees.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { SandboxFault } from "../../domain/time/sandbox-fault.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";
import type { Env } from "../../config.ts";
import { queryCompaniesAcrossShards, databaseFor, directoryOf } from "../client.ts";
import { COMPANY_COLUMNS, toCompany, toCompanyTerms } from "./credentials.ts";
import { companies } from "../schema/companies.ts";
import { runIdempotent } from "../storage-errors.ts";
import { cursors, selfChecks } from "../schema/operations.ts";
import { shardAssignments } from "../schema/routing.ts";

/** A partial change of the terms. Fields left out stay, down to the fixed part of one fee. */
export interface TermsChange {
  fees?: Partial<Record<FeeKind, Partial<Fee>>>;
  releaseDays?: Partial<Record<PaymentMethod, number>>;
  minimumWithdraw?: Cents;
}

/** A cron scan over all companies, by the name of its cursor. */
export type CompanyScan = "run" | "check" | "archive";

/** A company with its PSP account; null if there is no such company. */
export async function findCompany(env: Env, companyId: number): Promise<Company | null> {
  const [row] = await databaseFor(env, companyId)
    .select(COMPANY_COLUMNS)
    .from(companies)
    .where(eq(companies.id, companyId));
  return row === undefined ? null : toCompany(row);
}

/** As `findCompany`, null also for a closed company, which admits nobody. */
export async function findOpenCompany(env: Env, companyId: number): Promise<Company | null> {
  const [row] = await databaseFor(env, companyId)
    .select(COMPANY_COLUMNS)
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.closedAt)));
  return row === undefined ? null : toCompany(row);
}

/** What every page of the console says of a company. */
export const COMPANY_HEAD = {
  companyName: companies.name,
  mode: companies.mode,
  freeze: companies.freeze,
  createdAt: companies.createdAt,
  clockOffsetMs: companies.clockOffsetMs,
};

/** `createdAt`: Unix milliseconds. */
export type CompanyHead = Pick<
  typeof companies.$inferSelect,
  "mode" | "freeze" | "createdAt" | "clockOffsetMs"
> & { companyName: string };

/** What the console says of an open company; null if there is no such company or it is closed. */
export async function findOpenCompanyHead(
  env: Env,
  companyId: number,
): Promise<CompanyHead | null> {
  const [row] = await databaseFor(env, companyId)
    .select(COMPANY_HEAD)
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.closedAt)));
  return row ?? null;
}

/** Sets the URL of a company's first webhook endpoint, `""` for none. One that was deleted is there again by a URL. */
export async function setWebhookUrl(env: Env, companyId: number, url: string): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ webhookUrl: url, ...(url === "" ? {} : { webhookDeletedAt: null }) })
      .where(eq(companies.id, companyId))
      .run(),
  );
}

/** Sets a company's part of the usual quotas, in percent. */
export async function setQuotaPercent(
  env: Env,
  companyId: number,
  quotaPercent: number,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ quotaPercent })
      .where(eq(companies.id, companyId))
      .run(),
  );
}

/** The webhook chaos that a sandbox company asked for; null if none. */
export async function findWebhookChaos(env: Env, companyId: number): Promise<WebhookChaos | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ chaos: companies.webhookChaos })
    .from(companies)
    .where(eq(companies.id, companyId));
  return row?.chaos ?? null;
}

export async function setWebhookChaos(
  env: Env,
  companyId: number,
  chaos: WebhookChaos | null,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ webhookChaos: chaos })
      .where(eq(companies.id, companyId))
      .run(),
  );
}

/** Sets what goes wrong for a sandbox company. */
export async function setSandboxFaults(
  env: Env,
  companyId: number,
  faults: SandboxFault[],
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ sandboxFaults: faults.length === 0 ? null : faults })
      .where(and(eq(companies.id, companyId), eq(companies.mode, "sandbox")))
      .run(),
  );
}

/** Merges a change into a company's terms and returns the whole terms; null if there is no such company. */
export async function updateCompanyTerms(
  env: Env,
  companyId: number,
  change: TermsChange,
): Promise<CompanyTerms | null> {
  const { minimumWithdraw } = change;
  const [row] = await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({
        fees: mergePatch(companies.fees, change.fees),
        releaseDays: mergePatch(companies.releaseDays, change.releaseDays),
        ...(minimumWithdraw === undefined ? {} : { minimumWithdraw }),
      })
      .where(eq(companies.id, companyId))
      .returning()
      .all(),
  );
  return row === undefined ? null : toCompanyTerms(row);
}

/** What a list of companies is narrowed to. `failing`: the last self-check found a violation. */
export const COMPANY_LIST_STATUSES = ["open", "closed", "failing"] as const;

/** Which companies a list shows: with this number or part of a name, in this state. */
interface CompanyFilter {
  search?: string | null | undefined;
  status?: (typeof COMPANY_LIST_STATUSES)[number] | undefined;
}

/**
 * The next companies by id, each with the result of its last self-check. A filter reads every company after
 * `after` until the page is full.
 */
export async function listCompanies(
  env: Env,
  after: number,
  limit: number,
  filter: CompanyFilter = {},
) {
  return queryCompaniesAcrossShards(
    env,
    (db, fence) =>
      db
        .select({
          id: companies.id,
          name: companies.name,
          mode: companies.mode,
          closedAt: companies.closedAt,
          checkedAt: selfChecks.checkedAt,
          violations: selfChecks.violations,
          fence,
        })
        .from(companies)
        .leftJoin(selfChecks, eq(selfChecks.companyId, companies.id))
        .where(and(gt(companies.id, after), isListed(filter)))
        .orderBy(asc(companies.id))
        .limit(limit),
    limit,
  );
}

function isListed({ search, status }: CompanyFilter): SQL | undefined {
  const conditions: Record<NonNullable<CompanyFilter["status"]>, SQL> = {
    open: sql`${companies.closedAt} IS NULL`,
    closed: sql`${companies.closedAt} IS NOT NULL`,
    failing: sql`json_array_length(${selfChecks.violations}) > 0`,
  };
  return and(
    search === undefined || search === null
      ? undefined
      : sql`(CAST(${companies.id} AS TEXT) = ${search} OR instr(lower(${companies.name}), lower(${search})) > 0)`,
    status === undefined ? undefined : conditions[status],
  );
}

/**
 * The ids of the next companies of a scan, which starts again after the last one. Reads only the
 * directory, so that a failed shard hides no company: every company has a row or a shard assignment there.
 */
export async function nextCompanies(env: Env, scan: CompanyScan, count: number): Promise<number[]> {
  const db = directoryOf(env);
  const after = sql`coalesce((SELECT value FROM cursors WHERE name = ${scan}), 0)`;
  const rows = await union(
    db.select({ id: companies.id }).from(companies).where(gt(companies.id, after)),
    db
      .select({ id: shardAssignments.companyId })
      .from(shardAssignments)
      .where(gt(shardAssignments.companyId, after)),
  )
    .orderBy(sql`1`)
    .limit(count);
  const value = rows.length < count ? 0 : (rows.at(-1)?.id ?? 0);
  await db
    .insert(cursors)
    .values({ name: scan, value })
    .onConflictDoUpdate({ target: cursors.name, set: { value } });
  return rows.map((row) => row.id);
}

/** The highest company number of the directory, which is about how many there are; 0 if there is none. */
export async function highestCompanyId(env: Env): Promise<number> {
  const [row] = await directoryOf(env).all<{ id: number }>(sql`
    SELECT max(coalesce((SELECT max(id) FROM companies), 0),
      coalesce((SELECT max(company_id) FROM placements), 0)) AS id`);
  return row?.id ?? 0;
}

/** The next company ids, from the directory. */
export async function listCompanyIds(env: Env, after: number, limit: number): Promise<number[]> {
  const db = directoryOf(env);
  const rows = await union(
    db.select({ id: companies.id }).from(companies).where(gt(companies.id, after)),
    db
      .select({ id: shardAssignments.companyId })
      .from(shardAssignments)
      .where(gt(shardAssignments.companyId, after)),
  )
    .orderBy(sql`1`)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** A JSON column merged with a patch (RFC 7396). */
export function mergePatch(column: SQL | object, patch: object | undefined): SQL {
  return sql`json_patch(coalesce(${column}, '{}'), ${JSON.stringify(patch ?? {})})`;
}
