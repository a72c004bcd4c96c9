import { and, desc, eq, gt, lte, sql, sum, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type {
  AttemptSums,
  CompanyVolume,
  OpenWork,
  PaymentSums,
  ServiceSizes,
} from "../../domain/figures/service-sample.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { allShards, directoryOf } from "../client.ts";
import { storageFigures } from "../schema/anchors.ts";
import { companies } from "../schema/companies.ts";
import { dailyReports } from "../schema/reports.ts";
import { webhookAttempts } from "../schema/webhooks.ts";
import { isReadableHere } from "../sharding/fence-filters.ts";

/** Open work is counted up to this in each table of each database. */
const OPEN_WORK_MAX = 10_000;
/** Databases whose figures may stand among those of the largest objects. */
const DATABASES_MAX = 20;
const WEEK_DAYS = 7;

/**
 * The payments that the daily reports count of the days after one and up to another (`YYYY-MM-DD`), over all
 * companies. Reads a row for each company, day and method; a company that is being moved is read at its source.
 */
export async function sumReports(
  env: Env,
  { after, upTo }: { after: string; upTo: string },
): Promise<PaymentSums> {
  const { paymentMethod: method, day, companyId } = dailyReports;
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db
        .select({
          method,
          count: sum(dailyReports.count).mapWith(Number),
          amount: sum(dailyReports.gross).mapWith(Number),
        })
        .from(dailyReports)
        .where(and(gt(day, after), lte(day, upTo), isReadableHere(companyId)))
        .groupBy(method),
    ),
  );
  const sums: PaymentSums = {};
  for (const row of found.flat()) {
    const known = sums[row.method] ?? { count: 0, amount: 0 };
    sums[row.method] = { count: known.count + row.count, amount: known.amount + row.amount };
  }
  return sums;
}

/**
 * The companies that received most in the seven days up to one (`YYYY-MM-DD`) and the seven before, the largest first.
 * Reads a row for each company, day and method of two weeks: for the cron, once a day.
 */
export async function largestVolumes(
  env: Env,
  upTo: string,
  limit: number,
): Promise<CompanyVolume[]> {
  const { companyId, day, gross } = dailyReports;
  const middle = addDays(upTo, -WEEK_DAYS);
  const week = sql<number>`sum(CASE WHEN ${day} > ${middle} THEN ${gross} ELSE 0 END)`;
  const weekBefore = sql<number>`sum(CASE WHEN ${day} > ${middle} THEN 0 ELSE ${gross} END)`;
  const total = sql<number>`sum(${gross})`;
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db
        .select({ companyId, name: companies.name, week, weekBefore })
        .from(dailyReports)
        .innerJoin(companies, eq(companies.id, companyId))
        .where(and(gt(day, addDays(middle, -WEEK_DAYS)), lte(day, upTo), isReadableHere(companyId)))
        .groupBy(companyId)
        .orderBy(desc(total))
        .limit(limit),
    ),
  );
  return found
    .flat()
    .filter((volume) => volumeOf(volume) > 0)
    .toSorted((left, right) => volumeOf(right) - volumeOf(left))
    .slice(0, limit);
}

function volumeOf({ week, weekBefore }: CompanyVolume): Cents {
  return week + weekBefore;
}

/** The attempts at deliveries of all databases. Reads two rows of each. */
export async function countAttempts(env: Env): Promise<AttemptSums> {
  const found = await Promise.all(
    allShards(env).map(({ db }) => db.select().from(webhookAttempts)),
  );
  const sums = { delivered: { attempts: 0, first: 0 }, failed: { attempts: 0, first: 0 } };
  for (const { result, attempts, firstAttempts } of found.flat()) {
    sums[result].attempts += attempts;
    sums[result].first += firstAttempts;
  }
  return sums;
}

/** The bytes of the largest companies' objects, by `company:<id>`. */
export async function largestObjects(env: Env, limit: number): Promise<ServiceSizes["objects"]> {
  const { name, bytes } = storageFigures;
  const rows = await directoryOf(env)
    .select({ name, bytes })
    .from(storageFigures)
    .orderBy(sql`${bytes} DESC`)
    .limit(limit + DATABASES_MAX);
  const objects = rows.filter((row) => row.name.startsWith("company:")).slice(0, limit);
  return Object.fromEntries(objects.map((row) => [row.name, row.bytes]));
}

/**
 * How much of each kind of work is open, counted up to 10,000 in each table of each database, by its partial index. A
 * company that is being moved is counted at its source.
 */
export async function countOpenWork(env: Env): Promise<Record<OpenWork, number>> {
  const counted = Object.entries(OPEN_ROWS).map(
    ([kind, rows]) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${OPEN_WORK_MAX})) AS ${sql.identifier(kind)}`,
  );
  const query = sql`SELECT ${sql.join(counted, sql`, `)}`;
  const found = await Promise.all(
    allShards(env).map(({ db }) => db.get<Record<OpenWork, number>>(query)),
  );
  const total = (kind: OpenWork) => found.reduce((all, each) => all + each[kind], 0);
  return {
    open_charges: total("open_charges"),
    deliveries: total("deliveries"),
    callbacks: total("callbacks"),
    payouts: total("payouts"),
    unexpected_payments: total("unexpected_payments"),
    contradictions: total("contradictions"),
    dead_letters: total("dead_letters"),
  };
}

/** A condition on a table's rows: their companies are read in the queried database. */
const isHere = (table: string) => isReadableHere(sql`${sql.identifier(table)}.company_id`);

/** Conditions as in the partial indexes. Dead letters are only in `DB`. */
const OPEN_ROWS: Record<OpenWork, SQL> = {
  open_charges: sql`transactions WHERE next_sweep_at IS NOT NULL AND ${isHere("transactions")}`,
  deliveries: sql`deliveries WHERE next_attempt_at IS NOT NULL AND ${isHere("deliveries")}`,
  callbacks: sql`callbacks WHERE ${isHere("callbacks")}`,
  payouts: sql`withdraws WHERE status = 'Processing' AND ${isHere("withdraws")}`,
  unexpected_payments: sql`unexpected_payments INDEXED BY unexpected_payments_open
    WHERE status IN ('kept', 'crediting', 'returning') AND ${isHere("unexpected_payments")}`,
  contradictions: sql`contradictions WHERE status <> 'decided' AND ${isHere("contradictions")}`,
  dead_letters: sql`dead_letters WHERE replayed_at IS NULL`,
};
