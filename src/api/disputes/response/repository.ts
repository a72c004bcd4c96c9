import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import { COMPANY_COLUMNS, toCompany } from "../../../db/companies/credentials.ts";
import { inList } from "../../../db/in-list.ts";
import { companies } from "../../../db/schema/companies.ts";
import { disputeResponses } from "../../../db/schema/disputes.ts";
import type { FanOut } from "../../../db/sharding/fan-out.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";

/** A dossier that was sent to the bank of a dispute. Times in epoch milliseconds. */
export type ResponseRow = typeof disputeResponses.$inferSelect;

/** The newest response to each of these disputes of a company, by the dispute's id. */
export async function newestResponses(
  env: Env,
  companyId: number,
  disputeIds: string[],
): Promise<Map<string, ResponseRow>> {
  if (disputeIds.length === 0) return new Map();
  const rows = await databaseFor(env, companyId)
    .select()
    .from(disputeResponses)
    .where(
      and(
        eq(disputeResponses.companyId, companyId),
        inList(disputeResponses.disputeId, disputeIds),
      ),
    );
  const ordered = rows.toSorted((left, right) => left.version - right.version);
  return new Map(ordered.map((row) => [row.disputeId, row]));
}

/** The newest response to a dispute; null before the first. */
export async function newestResponse(
  env: Env,
  companyId: number,
  disputeId: string,
): Promise<ResponseRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(disputeResponses)
    .where(
      and(eq(disputeResponses.companyId, companyId), eq(disputeResponses.disputeId, disputeId)),
    )
    .orderBy(desc(disputeResponses.version))
    .limit(1);
  return row ?? null;
}

/** Every response to a dispute, the newest first. */
export async function responsesTo(
  env: Env,
  companyId: number,
  disputeId: string,
): Promise<ResponseRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(disputeResponses)
    .where(
      and(eq(disputeResponses.companyId, companyId), eq(disputeResponses.disputeId, disputeId)),
    )
    .orderBy(desc(disputeResponses.version));
}

/** Stores a response before its bank is called, once for its version; answers the one that is stored under that. */
export async function addResponse(env: Env, row: ResponseRow): Promise<ResponseRow> {
  const db = databaseFor(env, row.companyId);
  await runIdempotent(() => db.insert(disputeResponses).values(row).onConflictDoNothing().run());
  const [stored] = await db.select().from(disputeResponses).where(isVersion(row)).limit(1);
  return stored ?? row;
}

/**
 * Takes a response until `until`, so that one asks its bank at a time. Null if another took it, or nothing is left to ask.
 */
export async function claimResponse(
  env: Env,
  row: ResponseRow,
  until: number,
): Promise<ResponseRow | null> {
  const { checks } = row;
  const [claimed] = await databaseFor(env, row.companyId)
    .update(disputeResponses)
    .set({ nextCheckAt: until, checks: checks + 1 })
    .where(and(isVersion(row), eq(disputeResponses.checks, checks), sql`next_check_at IS NOT NULL`))
    .returning();
  return claimed ?? null;
}

/** Writes what the bank said, unless another claimed the response since. */
export async function saveResponse(env: Env, row: ResponseRow): Promise<void> {
  const { status, answer, dossierSha256, answeredAt, nextCheckAt, checks } = row;
  await databaseFor(env, row.companyId)
    .update(disputeResponses)
    .set({ status, answer, dossierSha256, answeredAt, nextCheckAt })
    .where(and(isVersion(row), eq(disputeResponses.checks, checks)));
}

/** Responses that are due, with their companies; for the cron. */
export async function dueResponses(fanOut: FanOut, nowMs: number, limit: number) {
  const { nextCheckAt, companyId } = disputeResponses;
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ response: disputeResponses, ...COMPANY_COLUMNS })
      .from(disputeResponses)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(and(lte(nextCheckAt, nowMs), sql`next_check_at IS NOT NULL`, isLocal(companyId)))
      .orderBy(nextCheckAt)
      .limit(limit),
  );
  return found.map(({ row: { response, ...row }, database }) => ({
    response,
    company: toCompany(row),
    database,
  }));
}

function isVersion({ companyId, disputeId, version }: ResponseRow) {
  return and(
    eq(disputeResponses.companyId, companyId),
    eq(disputeResponses.disputeId, disputeId),
    eq(disputeResponses.version, version),
  );
}
