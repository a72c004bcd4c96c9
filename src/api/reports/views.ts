import type { DailyReport } from "../../db/projection/daily-reports.ts";
import { netOf } from "../../domain/ledger/daily-totals.ts";

/** A row of the daily report. Amounts in centavos. */
export function dailyReportView({ version: _version, fiscalKeys, hours, ...totals }: DailyReport) {
  return { ...totals, net: netOf(totals), fiscalKeys, hours };
}
