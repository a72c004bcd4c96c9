import type { RehearsalDay } from "../../../domain/rehearsal/cash-rehearsal.ts";
import { startOfDay } from "../../../domain/shared/business-day.ts";
import { brazilianHeader, brazilianLine, type Column } from "../../../http/csv.ts";
import { csvLine } from "../../../lib/csv.ts";
import type { Rehearsal } from "./service.ts";

/** The days of a rehearsal and what they are taken from. Amounts in centavos. */
export function rehearsalView({ days, odds, returnedShare, pastDays, ...now }: Rehearsal) {
  return { items: days, ...now, assumptions: { days: pastDays, returnedShare, methods: odds } };
}

/** The fields of a day in order, and what people in Brazil call them. A new one goes to the end. */
const HEADINGS: Record<keyof RehearsalDay, string> = {
  day: "Data",
  opening: "Saldo inicial",
  releases: "Liberações",
  expiredApprovals: "Aprovações que expiram",
  due: "Cobranças que vencem",
  expiring: "Pix que expiram",
  expectedPayments: "Pagamentos esperados",
  expectedFees: "Taxas esperadas",
  disputed: "Contestações com prazo",
  debtRepaid: "Dívida paga",
  certain: "Saldo certo",
  worst: "Pior caso",
  expected: "Esperado",
  best: "Melhor caso",
};

const FIELDS = Object.keys(HEADINGS) as (keyof RehearsalDay)[];

const COLUMNS: Column<RehearsalDay>[] = FIELDS.map((name) => {
  const heading = HEADINGS[name];
  return name === "day"
    ? { heading, day: ({ day }) => startOfDay(day) }
    : { heading, cents: (row) => row[name] };
});

export const REHEARSAL_CSV_HEADER = csvLine(FIELDS);

/** The days as CSV: centavos for programs, reais with a comma and semicolons for people in Brazil. */
export function rehearsalCsv(days: readonly RehearsalDay[], inPortuguese: boolean): string {
  const lines = inPortuguese
    ? [brazilianHeader(COLUMNS), ...days.map((day) => brazilianLine(COLUMNS, day))]
    : [REHEARSAL_CSV_HEADER, ...days.map((day) => csvLine(FIELDS.map((name) => day[name])))];
  return lines.join("");
}
