import { sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { NumberedRecords } from "../../domain/shared/numbered-records.ts";
import type { DailyTotals } from "../../domain/ledger/daily-totals.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { databaseFor } from "../client.ts";
import { contradictionRow, nextRunOf, withdrawProjection } from "../projection/projected-rows.ts";
import { contradictions } from "../schema/contradictions.ts";
import { disputes } from "../schema/disputes.ts";
import { paymentLinks, unexpectedPayments } from "../schema/payments.ts";
import { dailyReports } from "../schema/reports.ts";
import { withdraws } from "../schema/withdraws.ts";
import { insertAll } from "./fork-rows.ts";

/** What the object of a fork has of what D1 shows, but for charges. */
export interface ForkedOriginals {
  withdraws: WithdrawRecord[];
  dailyTotals: DailyTotals[];
  numbered: NumberedRecords;
}

/** Writes the copies in D1 of what a fork's object has, for the first time. */
export async function addForkedCopies(
  env: Env,
  companyId: number,
  { withdraws: records, dailyTotals, numbered }: ForkedOriginals,
): Promise<void> {
  const db = databaseFor(env, companyId);
  const own = <Row extends object>(row: Row) => ({ companyId, ...row });
  // One that waits to be sent is the object's alone.
  const shown = records.filter(({ status }) => status !== "Awaiting");
  await insertAll(db, withdraws, shown.map(withdrawProjection));
  await insertAll(db, disputes, numbered.dispute.map(own));
  await insertAll(db, paymentLinks, numbered.link.map(own));
  await insertAll(db, contradictions, numbered.contradiction.map(contradictionRow).map(own));
  await insertAll(
    db,
    unexpectedPayments,
    numbered.payment.map((payment) => {
      const { receivedAt } = payment;
      return own({ ...payment, updatedAt: receivedAt, nextRunAt: nextRunOf(payment, receivedAt) });
    }),
  );
  await insertAll(
    db,
    dailyReports,
    dailyTotals.map((totals) => own({ ...totals, fiscalKeys: 0 })),
  );
}

/** Counts the linked fiscal documents of each day, once all charges and days of a fork are there. */
export async function countForkedFiscalKeys(env: Env, companyId: number): Promise<void> {
  await databaseFor(env, companyId).run(sql`
    UPDATE daily_reports SET fiscal_keys = (SELECT count(*) FROM transactions AS charge
      WHERE charge.company_id = daily_reports.company_id AND charge.fiscal_key IS NOT NULL
        AND charge.booked_day = daily_reports.day
        AND charge.payment_method = daily_reports.payment_method)
    WHERE company_id = ${companyId}`);
}
