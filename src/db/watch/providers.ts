import { and, asc, count, desc, eq, isNotNull, isNull, lte, min, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Env } from "../../config.ts";
import type { Durations } from "../../domain/figures/durations.ts";
import { quotaShareOf, type ProviderCalls } from "../../domain/reconciliation/provider-calls.ts";
import { allShards, directoryOf, type Database } from "../client.ts";
import { inList } from "../in-list.ts";
import { companyAccounts } from "../schema/psp-accounts.ts";
import { providerAccounts, providerHosts } from "../schema/watch/watch.ts";
import { runIdempotent } from "../storage-errors.ts";

export type ProviderHost = typeof providerHosts.$inferSelect;
export type ProviderAccount = typeof providerAccounts.$inferSelect;

/** PSPs in use: few, as many companies share one. */
const HOSTS_MAX = 100;

/** Adds the calls of each account to their host, and says whether the account works. One trip. */
export async function recordProviderCalls(
  env: Env,
  accounts: ProviderCalls[],
  day: string,
): Promise<void> {
  const db = directoryOf(env);
  const [first, ...others] = accounts.flatMap((calls) => callWrites(db, calls, day));
  if (first !== undefined) await db.batch([first, ...others]);
}

function callWrites(db: Database, calls: ProviderCalls, day: string): BatchItem<"sqlite">[] {
  const { companyId, account, host, succeededAt, faultedAt, lastFault } = calls;
  const { totalMs, buckets } = calls.durations;
  const fault =
    lastFault === null
      ? {}
      : {
          lastFaultAt: faultedAt,
          lastFaultCompany: companyId,
          lastFaultCall: lastFault.call,
          lastFault: lastFault.fault,
          lastFaultTrace: lastFault.traceId,
          lastFaultMs: lastFault.durationMs,
        };
  const success = succeededAt === null ? {} : { lastSuccessAt: succeededAt };
  const isFailing = faultedAt !== null && faultedAt > (succeededAt ?? 0);
  return [
    db
      .insert(providerHosts)
      .values({
        host,
        calls: calls.calls,
        faults: calls.faults,
        durationMs: totalMs,
        durations: buckets,
        ...success,
        ...fault,
      })
      .onConflictDoUpdate({
        target: providerHosts.host,
        set: {
          calls: sql`calls + ${calls.calls}`,
          faults: sql`faults + ${calls.faults}`,
          durationMs: sql`duration_ms + ${totalMs}`,
          durations: addedCounts(sql`durations`, buckets),
          ...success,
          ...fault,
        },
      }),
    db
      .insert(providerAccounts)
      .values({
        companyId,
        account,
        host,
        ...success,
        failingSince: isFailing ? faultedAt : null,
        lastFaultAt: faultedAt,
        ...dayOf(calls, day),
      })
      .onConflictDoUpdate({
        target: [providerAccounts.companyId, providerAccounts.account],
        set: {
          host,
          ...success,
          failingSince: isFailing
            ? succeededAt === null
              ? sql`coalesce(failing_since, ${faultedAt})`
              : faultedAt
            : null,
          ...(faultedAt === null ? {} : { lastFaultAt: faultedAt }),
          ...addedDay(calls, day),
        },
      }),
  ];
}

/** The stored counts of a column (JSON) with these added. Few parameters, however many: D1 takes 100 in a statement. */
function addedCounts(column: SQL, counts: Durations["buckets"]): SQL {
  const sums = sql`SELECT json_group_object(added.key, ${sumIn(column)}) FROM ${eachOf(counts)}`;
  return sql`json_patch(${column}, (${sums}))`;
}

/** Counts as rows of `added`. */
function eachOf(counts: Durations["buckets"]): SQL {
  return sql`json_each(${JSON.stringify(counts)}) AS added`;
}

/** The sum of the count in `added` and the stored one of its name. */
function sumIn(column: SQL): SQL {
  return sql`added.value + ${countIn(column, sql`added.key`)}`;
}

/** The count of a name in an object of counts (JSON); 0 for none. */
function countIn(counts: SQL, name: SQL): SQL {
  return sql`coalesce(${counts} ->> ('$."' || ${name} || '"'), 0)`;
}

/** The first calls of a day. */
function dayOf({ endpoints, refusals, durations, quotas }: ProviderCalls, day: string) {
  const busiestCalls = Math.max(0, ...Object.values(endpoints));
  return {
    callsDay: day,
    dayCalls: endpoints,
    busiestCalls,
    dayRefusals: refusals,
    dayDurations: durations.buckets,
    dayQuotas: quotas,
    quotaShare: quotaShareOf(endpoints, quotas),
  };
}

/** Calls added to those of their day; an earlier day's are forgotten, and those of one before the stored day. */
function addedDay(calls: ProviderCalls, day: string) {
  const { endpoints, refusals, durations, quotas } = calls;
  const first = dayOf(calls, day);
  const ofDay = (stored: SQL, added: SQL, began: unknown) =>
    sql`CASE WHEN calls_day = ${day} THEN ${added} WHEN calls_day > ${day} THEN ${stored} ELSE ${began} END`;
  const dayCalls = sql`day_calls`;
  const mostAdded = sql`(SELECT max(${sumIn(dayCalls)}) FROM ${eachOf(endpoints)})`;
  const taken = addedCounts(sql`coalesce(day_durations, '{}')`, durations.buckets);
  const allQuotas = sql`json_patch(coalesce(day_quotas, '{}'), ${JSON.stringify(quotas)})`;
  // As `quotaShareOf`, of the sums.
  const ofQuota = sql`quota.key`;
  const called = sql`(${countIn(dayCalls, ofQuota)} + ${countIn(sql`${JSON.stringify(endpoints)}`, ofQuota)})`;
  const share = sql`(SELECT coalesce(max(CASE WHEN quota.value ->> 'isUsedUp' THEN 100
      ELSE ${called} * 100 / (quota.value ->> 'limit') END), 0)
    FROM json_each(${allQuotas}) AS quota)`;
  return {
    callsDay: sql`max(coalesce(calls_day, ''), ${day})`,
    dayCalls: ofDay(dayCalls, addedCounts(dayCalls, endpoints), JSON.stringify(endpoints)),
    busiestCalls: ofDay(
      sql`busiest_calls`,
      sql`max(busiest_calls, coalesce(${mostAdded}, 0))`,
      first.busiestCalls,
    ),
    dayRefusals: ofDay(sql`day_refusals`, sql`coalesce(day_refusals, 0) + ${refusals}`, refusals),
    dayDurations: ofDay(sql`day_durations`, taken, JSON.stringify(durations.buckets)),
    dayQuotas: ofDay(sql`day_quotas`, allQuotas, JSON.stringify(quotas)),
    quotaShare: ofDay(sql`quota_share`, share, first.quotaShare),
  };
}

/** Every PSP, by host. */
export async function listProviderHosts(env: Env): Promise<ProviderHost[]> {
  return directoryOf(env)
    .select()
    .from(providerHosts)
    .orderBy(asc(providerHosts.host))
    .limit(HOSTS_MAX);
}

/** The accounts that have failed since their last success, longest first. */
export async function failingAccounts(env: Env, limit: number): Promise<ProviderAccount[]> {
  return directoryOf(env)
    .select()
    .from(providerAccounts)
    .where(isNotNull(providerAccounts.failingSince))
    .orderBy(asc(providerAccounts.failingSince))
    .limit(limit);
}

/**
 * The accounts that have called something at least 10,000 times on a day (`YYYY-MM-DD`), and those that have used 80 % of
 * a quota, the most first. One trip.
 */
export async function busyAccounts(
  env: Env,
  day: string,
  limit: number,
): Promise<{ busy: ProviderAccount[]; nearQuota: ProviderAccount[] }> {
  const db = directoryOf(env);
  const isOfDay = eq(providerAccounts.callsDay, day);
  const those = (isListed: SQL) =>
    db.select().from(providerAccounts).where(and(isOfDay, isListed)).limit(limit);
  const [busy, nearQuota] = await db.batch([
    those(sql`busiest_calls >= 10000`),
    those(sql`quota_share >= 80`).orderBy(desc(providerAccounts.quotaShare)),
  ]);
  return { busy, nearQuota };
}

/** The accounts whose certificate or credentials end before a time, soonest first. */
export async function expiringAccounts(
  env: Env,
  before: number,
  limit: number,
): Promise<ProviderAccount[]> {
  const db = directoryOf(env);
  const until = (
    column:
      | typeof providerAccounts.certificateExpiresAt
      | typeof providerAccounts.credentialsExpireAt,
  ) =>
    db
      .select()
      .from(providerAccounts)
      .where(and(isNotNull(column), lte(column, before)))
      .orderBy(asc(column))
      .limit(limit);
  const found = await db.batch([
    until(providerAccounts.certificateExpiresAt),
    until(providerAccounts.credentialsExpireAt),
  ]);
  const accounts = new Map(found.flat().map((row) => [`${row.companyId} ${row.account}`, row]));
  return [...accounts.values()]
    .toSorted((left, right) => expiryOf(left) - expiryOf(right))
    .slice(0, limit);
}

/** When an account's access ends, by its certificate or its credentials; the far future if nobody has said. */
export function expiryOf({ certificateExpiresAt, credentialsExpireAt }: ProviderAccount): number {
  return Math.min(certificateExpiresAt ?? Infinity, credentialsExpireAt ?? Infinity);
}

/** Stores when an account's certificate and credentials end; null for what has no known end. */
export async function saveProviderExpiry(
  env: Env,
  account: Pick<
    ProviderAccount,
    "companyId" | "account" | "host" | "certificateExpiresAt" | "credentialsExpireAt"
  >,
): Promise<void> {
  const { certificateExpiresAt, credentialsExpireAt, host } = account;
  await runIdempotent(() =>
    directoryOf(env)
      .insert(providerAccounts)
      .values(account)
      .onConflictDoUpdate({
        target: [providerAccounts.companyId, providerAccounts.account],
        set: { host, certificateExpiresAt, credentialsExpireAt },
      })
      .run(),
  );
}

/** What is known of an account; null if it has made no call and nothing was entered. */
export async function findProviderAccount(
  env: Env,
  companyId: number,
  account: string,
): Promise<ProviderAccount | null> {
  const [found] = await directoryOf(env)
    .select()
    .from(providerAccounts)
    .where(and(eq(providerAccounts.companyId, companyId), eq(providerAccounts.account, account)));
  return found ?? null;
}

/** Forgets accounts that are no longer connected. */
export async function forgetProviderAccounts(
  env: Env,
  companyId: number,
  accounts: string[],
): Promise<void> {
  const isForgotten = inList(providerAccounts.account, accounts);
  await runIdempotent(() =>
    directoryOf(env)
      .delete(providerAccounts)
      .where(and(eq(providerAccounts.companyId, companyId), isForgotten))
      .run(),
  );
}

/** What is known of some companies' accounts. */
export async function accountsOfCompanies(
  env: Env,
  companyIds: number[],
): Promise<ProviderAccount[]> {
  if (companyIds.length === 0) return [];
  return directoryOf(env)
    .select()
    .from(providerAccounts)
    .where(inList(providerAccounts.companyId, companyIds));
}

/** What the companies' connections to PSPs need of the Worker, each with a company that needs it and how many do. */
export interface NeededAccess {
  /** How its sealed secrets begin: the version of the seal and, from the second on, the key's id. */
  seal: string;
  /** The binding of the client certificate; null for none. */
  certificate: string | null;
  companyId: number;
  companies: number;
}

/** As `NeededAccess`: few rows, for companies share keys and certificates. Reads a row for each company with a PSP. */
export async function neededAccess(env: Env, limit: number): Promise<NeededAccess[]> {
  const { companyId, sealed, settings, leftAt } = companyAccounts;
  const seal = sql<string>`substr(${sealed}, 1, ${SEAL_LENGTH})`;
  const certificate = sql<string | null>`${settings} ->> 'certificate'`;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select({
          seal: seal.as("seal"),
          certificate: certificate.as("certificate"),
          companyId: min(companyId).as("first_company"),
          companies: count().as("companies"),
        })
        .from(companyAccounts)
        .where(and(isNull(leftAt), isLocal(companyId)))
        .groupBy(seal, certificate)
        .limit(limit),
    ),
  );
  return found.flat().map((row) => Object.assign(row, { companyId: row.companyId ?? 0 }));
}

/** `v2.`, eight digits of a key's id, and a dot. */
const SEAL_LENGTH = 12;
