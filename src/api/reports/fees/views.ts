import type { FeeDay, SettlementDifference } from "../../../db/reconciliation/settlements.ts";
import type { ProviderName } from "../../../domain/charges/transaction.ts";
import { startOfDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import { brazilianHeader, brazilianLine, type Column } from "../../../http/csv.ts";
import { csvLine } from "../../../lib/csv.ts";

const SUMMED = [
  "count",
  "gross",
  "agreed",
  "taken",
  "anticipation",
  "refunds",
  "chargebacks",
] as const satisfies (keyof FeeDay)[];

type FeeRow = FeeDay & { difference: number };

const rowOf = (row: FeeDay): FeeRow => ({ ...row, difference: row.taken - row.agreed });

/**
 * The days of a report with their sums, in centavos.
 *
 * @param accounts those whose house tells, each with the next day to read
 */
export function feeReportView(
  days: readonly FeeDay[],
  accounts: readonly { account: string; provider: ProviderName | null; day: string }[],
) {
  const sums = Object.fromEntries(
    SUMMED.map((name) => [name, days.reduce((sum, row) => sum + row[name], 0)]),
  ) as Record<(typeof SUMMED)[number], number>;
  return {
    accounts: accounts.map(({ account, provider, day }) => {
      return { account, provider, comparedUntil: addDays(day, -1) };
    }),
    items: days.map(rowOf),
    totals: { ...sums, difference: sums.taken - sums.agreed },
  };
}

/** A page of differences. `after`: what the next one begins after; null on the last. */
export function differencePage(rows: readonly SettlementDifference[], after: string | null) {
  return {
    items: rows.map(({ line, ...row }) => ({ ...row, settlementId: line === "" ? null : line })),
    after,
    hasMore: after !== null,
  };
}

/** The fields of a row in order, and what people in Brazil call them. A new one goes to the end. */
const HEADINGS: Record<keyof FeeRow, string> = {
  day: "Data",
  account: "Conta",
  paymentMethod: "Forma de pagamento",
  count: "Créditos",
  gross: "Bruto",
  agreed: "Taxa combinada",
  taken: "Taxa cobrada",
  difference: "Diferença",
  anticipation: "Antecipação",
  refunds: "Devoluções e estornos",
  chargebacks: "Chargebacks",
};

const FIELDS = Object.keys(HEADINGS) as (keyof FeeRow)[];

/** The fields that are no centavos. */
const OTHERS: Partial<Record<keyof FeeRow, (row: FeeRow) => string>> = {
  account: ({ account }) => account,
  paymentMethod: ({ paymentMethod }) => paymentMethod,
  count: ({ count }) => String(count),
};

const COLUMNS: Column<FeeRow>[] = FIELDS.map((name) => {
  const heading = HEADINGS[name];
  const text = OTHERS[name];
  if (name === "day") return { heading, day: ({ day }) => startOfDay(day) };
  return text === undefined ? { heading, cents: (row) => Number(row[name]) } : { heading, text };
});

export const FEES_CSV_HEADER = csvLine(FIELDS);

/** The days as CSV: centavos for programs, reais with a comma and semicolons for people in Brazil. */
export function feesCsv(days: readonly FeeDay[], inPortuguese: boolean): string {
  const rows = days.map(rowOf);
  const lines = inPortuguese
    ? [brazilianHeader(COLUMNS), ...rows.map((row) => brazilianLine(COLUMNS, row))]
    : [FEES_CSV_HEADER, ...rows.map((row) => csvLine(FIELDS.map((name) => row[name])))];
  return lines.join("");
}
