import { sql, type SQL } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import type { DayPeriod } from "../../../domain/ledger/entries/month.ts";
import { startOfDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import { transactionIdsFrom } from "../../../domain/shared/ids.ts";
import { chargeIdsOfDueDates } from "../../../domain/subscriptions/cycle-charge.ts";
import type { OpenGroup, ScheduledGroup } from "../../../domain/subscriptions/reports/outlook.ts";
import type { CycleStatus } from "../../../domain/subscriptions/records.ts";
import { RETRY_DAYS_MAX } from "../../../domain/subscriptions/subscription.ts";
import type {
  AttemptStatus,
  Period,
  SubscriptionStatus,
} from "../../../domain/subscriptions/subscription.ts";

/** A debit of a due date may move so far: to its last retry, or past a weekend with holidays. */
const MOVES_AT_MOST_DAYS = RETRY_DAYS_MAX + 7;

/** The payer's bank: as the PSP tells, else as the merchant asked it; null while neither is known. */
const ISPB = sql`coalesce(s.mandate ->> '$.payerIspb', s.terms ->> '$.payerAccount.ispb')`;
/** The same, or the bank by which he paid with the approval, which says who has read the code. */
const READ_ISPB = sql`coalesce(s.mandate ->> '$.payerIspb', s.terms ->> '$.payerAccount.ispb', t.paid_by ->> '$.ispb')`;
/** Cycles that are debited, and not paid with the approval. */
const IS_DEBITED = sql`NOT (c.cycle = 1 AND s.terms ->> '$.journey' IN ('QR_AND_PAY', 'QR_ON_DUE'))`;

/** Subscriptions made in a period that share their payer's bank and how they stand. */
export interface MandateGroup {
  ispb: string | null;
  status: SubscriptionStatus;
  /** Whether they are approved by a code. */
  hasCode: boolean;
  /** Whether the PSP has told of the payer's bank. */
  isBankTold: boolean;
  /** Whether what is paid with the approval is paid. */
  isPaid: boolean;
  count: number;
}

/** Grows with the subscriptions made in the period. */
export async function mandatesByBank(
  env: Env,
  companyId: number,
  { from, to }: DayPeriod,
): Promise<MandateGroup[]> {
  const first = transactionIdsFrom(startOfDay(from));
  const before = transactionIdsFrom(startOfDay(addDays(to, 1)));
  const rows = await databaseFor(env, companyId).all<
    Pick<MandateGroup, "ispb" | "status" | "count"> & {
      hasCode: number;
      isBankTold: number;
      isPaid: number;
    }
  >(sql`
    SELECT ${READ_ISPB} AS ispb, s.status AS status, s.terms ->> '$.journey' <> 'REQUEST' AS hasCode,
      s.mandate ->> '$.payerIspb' IS NOT NULL AS isBankTold, t.paid_at IS NOT NULL AS isPaid,
      count(*) AS count
    FROM subscriptions AS s INDEXED BY subscriptions_id
      LEFT JOIN subscription_cycles AS c ON c.company_id = s.company_id
        AND c.subscription_id = s.id AND c.cycle = 1
        AND s.terms ->> '$.journey' IN ('QR_AND_PAY', 'QR_ON_DUE')
      LEFT JOIN transactions AS t ON t.id = c.transaction_id
    WHERE s.company_id = ${companyId} AND s.id >= ${first} AND s.id < ${before}
    GROUP BY 1, 2, 3, 4, 5`);
  return rows.map(({ hasCode, isBankTold, isPaid, ...group }) =>
    Object.assign(group, {
      hasCode: hasCode === 1,
      isBankTold: isBankTold === 1,
      isPaid: isPaid === 1,
    }),
  );
}

/** Cycles due in a period that share their payer's bank, and how they and their first attempts stand. */
export interface DebitGroup {
  ispb: string | null;
  status: CycleStatus;
  /** Of the first attempt; null before it. */
  first: AttemptStatus | null;
  /** Why it failed; null where it did not. */
  code: string | null;
  count: number;
}

/** Grows with the debits that are due in the period. */
export function debitsByBank(
  env: Env,
  companyId: number,
  period: DayPeriod,
): Promise<DebitGroup[]> {
  return databaseFor(env, companyId).all<DebitGroup>(sql`
    SELECT ${ISPB} AS ispb, c.status AS status, c.attempts ->> '$[0].status' AS first,
      c.attempts ->> '$[0].reason.code' AS code, count(*) AS count
    ${cyclesOf(companyId, period)} AND ${IS_DEBITED}
    GROUP BY 1, 2, 3, 4`);
}

/** Open cycles that may be debited in a period. Grows with the debits that are due about it. */
export async function openDebits(
  env: Env,
  companyId: number,
  { from, to }: DayPeriod,
): Promise<OpenGroup[]> {
  const period = { from: addDays(from, -MOVES_AT_MOST_DAYS), to };
  const rows = await databaseFor(env, companyId).all<{
    dueDate: string;
    city: string | null;
    retryDay: string | null;
    day: string | null;
    state: AttemptStatus | null;
    count: number;
    amount: number;
  }>(sql`
    SELECT c.due_date AS dueDate, s.customer ->> '$.city' AS city, c.debit ->> '$.retryDay' AS retryDay,
      c.attempts ->> '$[#-1].day' AS day, c.attempts ->> '$[#-1].status' AS state,
      count(*) AS count, sum(c.amount) AS amount
    ${cyclesOf(companyId, period)} AND ${IS_DEBITED} AND c.status = 'open'
      AND c.debit ->> '$.ending' IS NULL
      AND (c.debit ->> '$.status' <> 'none' OR s.mandate ->> '$.needsApproval' IS NULL)
    GROUP BY 1, 2, 3, 4, 5`);
  return rows.map(({ dueDate, city, retryDay, day, state, count, amount }) => ({
    dueDate,
    city,
    retryDay,
    count,
    amount,
    newest: day === null || state === null ? null : { day, status: state },
  }));
}

/**
 * The cycles to come of the subscriptions that are debited now, but for those whose mandate is of no more use. Grows with
 * their number, and not with ended ones.
 */
export async function scheduledDebits(env: Env, companyId: number): Promise<ScheduledGroup[]> {
  const rows = await databaseFor(env, companyId).all<{
    period: Period;
    firstDueDate: string;
    endDate: string | null;
    city: string | null;
    nextCycle: number;
    count: number;
    amount: number;
  }>(sql`
    SELECT terms ->> '$.period' AS period, terms ->> '$.firstDueDate' AS firstDueDate,
      terms ->> '$.endDate' AS endDate, customer ->> '$.city' AS city, next_cycle AS nextCycle,
      count(*) AS count, sum(amount) AS amount
    FROM subscriptions INDEXED BY subscriptions_status
    WHERE company_id = ${companyId} AND status IN ('active', 'past_due')
      AND mandate ->> '$.needsApproval' IS NULL
    GROUP BY 1, 2, 3, 4, 5`);
  return rows.map(({ period, firstDueDate, endDate, city, nextCycle, count, amount }) => ({
    city,
    nextCycle,
    count,
    amount,
    schedule: { period, firstDueDate, endDate },
  }));
}

/** The cycles whose due dates lie in a period, with their subscriptions. */
function cyclesOf(companyId: number, period: DayPeriod): SQL {
  const ids = chargeIdsOfDueDates(period);
  return sql`FROM subscription_cycles AS c INDEXED BY subscription_cycles_transaction
    CROSS JOIN subscriptions AS s INDEXED BY subscriptions_id
      ON s.company_id = c.company_id AND s.id = c.subscription_id
    WHERE c.company_id = ${companyId} AND c.transaction_id >= ${ids.from}
      AND c.transaction_id < ${ids.before}`;
}
