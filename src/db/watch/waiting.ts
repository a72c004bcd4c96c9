import { and, asc, count, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { allShards, queryCompaniesAcrossShards, type Shard } from "../client.ts";
import { limitNamed } from "../../domain/access/application-guards.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import { applications, companies } from "../schema/companies.ts";
import { callbacks, selfChecks } from "../schema/operations.ts";
import { webhookEndpoints, webhookHosts } from "../schema/webhooks.ts";
import { withdraws } from "../schema/withdraws.ts";

/** The smallest of what each database has; null if none has any. */
async function oldestOf(
  env: Env,
  find: (shard: Shard) => Promise<{ at: number | null }[]>,
): Promise<number | null> {
  const found = (await Promise.all(allShards(env).map(find))).flat().flatMap(({ at }) => at ?? []);
  return found.length === 0 ? null : Math.min(...found);
}

/** When the longest due callback was due; null if none waits. Unix milliseconds. */
export function oldestDueCallback(env: Env, nowMs: number): Promise<number | null> {
  return oldestOf(env, ({ db, isLocal }) =>
    db
      .select({ at: callbacks.dueAt })
      .from(callbacks)
      .where(and(lte(callbacks.dueAt, nowMs), isLocal(callbacks.companyId)))
      .orderBy(asc(callbacks.dueAt))
      .limit(1),
  );
}

/** When the oldest change was made that D1 lacked at its company's last check; null if none. */
export function oldestBacklog(env: Env): Promise<number | null> {
  const { backlogSince, companyId } = selfChecks;
  return oldestOf(env, ({ db, isLocal }) =>
    db
      .select({ at: backlogSince })
      .from(selfChecks)
      .where(and(isNotNull(backlogSince), isLocal(companyId)))
      .orderBy(asc(backlogSince))
      .limit(1),
  );
}

/** Withdraws that a provider has not decided since `before`, longest first. Amounts in centavos. */
export async function undecidedPayouts(env: Env, before: number, limit: number) {
  const { companyId, id, amount, updatedAt, status } = withdraws;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ companyId, withdrawId: id, amount, since: updatedAt })
        .from(withdraws)
        // Spelled as in the partial index, which a bound parameter would not match.
        .where(and(sql`${status} = 'Processing'`, lte(updatedAt, before), isLocal(companyId)))
        .orderBy(asc(updatedAt))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .toSorted((left, right) => left.since - right.since)
    .slice(0, limit);
}

/** Receivers of webhooks that have failed since before a time, longest first. */
export async function failingReceivers(env: Env, before: number, limit: number) {
  const { companyId, host, failingSince, lastFailure, openedAt } = webhookHosts;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ companyId, host, since: failingSince, failure: lastFailure, openedAt })
        .from(webhookHosts)
        .where(and(lte(failingSince, before), isLocal(companyId)))
        .orderBy(asc(failingSince))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .toSorted((left, right) => left.since - right.since)
    .slice(0, limit);
}

/** Receivers of webhooks that have failed since before a time, counted up to `limit` per database. */
export function countFailingReceivers(env: Env, before: number, limit: number): Promise<number> {
  const { companyId, failingSince } = webhookHosts;
  return countInShards(env, ({ db, isLocal }) =>
    db
      .select({ companyId })
      .from(webhookHosts)
      .where(and(lte(failingSince, before), isLocal(companyId)))
      .limit(limit)
      .as("counted"),
  );
}

/** Companies that have webhooks delivered, counted up to `limit` per database. */
export function countReceivers(env: Env, limit: number): Promise<number> {
  const { id, webhookUrl } = companies;
  const hasOtherEndpoint = sql`EXISTS (SELECT 1 FROM ${webhookEndpoints}
    WHERE ${and(eq(webhookEndpoints.companyId, id), isNull(webhookEndpoints.deletedAt))})`;
  return countInShards(env, ({ db, isLocal }) =>
    db
      .select({ id })
      .from(companies)
      .where(and(gt(id, 0), or(ne(webhookUrl, ""), hasOtherEndpoint), isLocal(id)))
      .limit(limit)
      .as("counted"),
  );
}

async function countInShards(
  env: Env,
  rowsOf: (shard: Shard) => Parameters<ReturnType<Shard["db"]["select"]>["from"]>[0],
): Promise<number> {
  const counts = await Promise.all(
    allShards(env).map(async (shard) => {
      const [row] = await shard.db.select({ count: count() }).from(rowsOf(shard));
      return row?.count ?? 0;
    }),
  );
  return counts.reduce((sum, each) => sum + each, 0);
}

/** The companies whose last self-check found a violation, by number. Reads only theirs. */
export async function failingCompanies(env: Env, limit: number) {
  return queryCompaniesAcrossShards(
    env,
    (db, fence) =>
      db
        .select({
          id: companies.id,
          name: companies.name,
          checkedAt: selfChecks.checkedAt,
          violations: selfChecks.violations,
          fence,
        })
        .from(selfChecks)
        .innerJoin(companies, eq(selfChecks.companyId, companies.id))
        .where(and(gt(selfChecks.companyId, 0), ne(selfChecks.violations, sql`'[]'`)))
        .orderBy(asc(selfChecks.companyId))
        .limit(limit),
    limit,
  );
}

/** The frozen companies by number, as D1 shows them. Reads only theirs. */
export async function frozenCompanies(env: Env, limit: number) {
  const { id: companyId, name, freeze } = companies;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({ companyId, name, freeze })
        .from(companies)
        .where(and(isNotNull(freeze), isLocal(companyId)))
        .orderBy(asc(companyId))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .flatMap(({ freeze: shown, ...company }) => (shown === null ? [] : [{ ...company, ...shown }]))
    .slice(0, limit);
}

/** How long each database takes to answer a query that reads nothing, in milliseconds; null where none came. */
export async function databaseLatencies(
  env: Env,
  now: () => number,
): Promise<Map<string, number | null>> {
  const measured = await Promise.all(
    allShards(env).map(async ({ name, db }) => {
      const startedAt = now();
      const isAnswered = await db.run(sql`SELECT 1`).then(
        () => true,
        () => false,
      );
      return [name, isAnswered ? now() - startedAt : null] as const;
    }),
  );
  return new Map(measured);
}

/** Settings of companies and their applications that were loosened and hold from later than now, the next first. */
export async function loosenedSettings(env: Env, nowMs: number, limit: number) {
  const waits = (column: typeof companies.pendingSettings | typeof applications.pendingSettings) =>
    sql`${column} IS NOT NULL
      AND (SELECT max(value ->> 'effectiveAt') FROM json_each(${column})) > ${nowMs}`;
  const found = await Promise.all(
    allShards(env).flatMap(({ db, isLocal }) => [
      db
        .select({
          companyId: companies.id,
          applicationId: sql<string | null>`NULL`,
          pending: companies.pendingSettings,
        })
        .from(companies)
        .where(and(waits(companies.pendingSettings), isLocal(companies.id)))
        .limit(limit),
      db
        .select({
          companyId: applications.companyId,
          applicationId: sql<string | null>`${applications.clientId}`,
          pending: applications.pendingSettings,
        })
        .from(applications)
        .where(
          and(
            waits(applications.pendingSettings),
            sql`${applications.deletedAt} IS NULL`,
            isLocal(applications.companyId),
          ),
        )
        .limit(limit),
    ]),
  );
  return found
    .flat()
    .flatMap(({ companyId, applicationId, pending }) =>
      (pending ?? []).map(({ field, effectiveAt }: PendingSetting) => ({
        companyId,
        applicationId,
        field: limitNamed(field),
        effectiveAt,
      })),
    )
    .filter(({ effectiveAt }) => effectiveAt > nowMs)
    .toSorted((left, right) => left.effectiveAt - right.effectiveAt)
    .slice(0, limit);
}
