/** Days of automatic debits, written from BACEN's and the banks' texts: nothing here is the product's. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** São Paulo has had no summer time since 2019. */
const SAO_PAULO_MS = 3 * HOUR_MS;
const MONTHS = new Map([
  ["MENSAL", 1],
  ["TRIMESTRAL", 3],
  ["SEMESTRAL", 6],
  ["ANUAL", 12],
]);

/** National holidays, `MM-DD`. */
const EACH_YEAR = "01-01 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25".split(" ");
/** Carnival, Good Friday and Corpus Christi of the years that a life may reach. */
const MOVABLE =
  "2027-02-08 2027-02-09 2027-03-26 2027-05-27 2028-02-28 2028-02-29 2028-04-14 2028-06-15 2029-02-12 2029-02-13 2029-03-30 2029-05-31".split(
    " ",
  );
/** Own holidays of the payers' towns (IBGE codes), those of their states included. */
const OF_TOWNS: Record<string, string[]> = {
  "3550308": ["01-25", "07-09"],
  "3304557": ["01-20", "04-23"],
  "5300108": ["11-30"],
};
export const TOWNS = Object.keys(OF_TOWNS);

/** The day in São Paulo of a time (epoch milliseconds). */
export function dayAt(ms: number): string {
  return new Date(ms - SAO_PAULO_MS).toISOString().slice(0, 10);
}

/** When an hour of a day begins in São Paulo, epoch milliseconds. */
export function timeOf(day: string, hour = 0): number {
  return Date.parse(day) + SAO_PAULO_MS + hour * HOUR_MS;
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function isWorkday(day: string, town: string): boolean {
  const weekday = new Date(day).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const own = [...EACH_YEAR, ...(OF_TOWNS[town] ?? [])];
  return !isWeekend && !MOVABLE.includes(day) && !own.includes(day.slice(5));
}

/** The day on which a debit settles. */
export function settlesOn(due: string, town: string): string {
  let day = due;
  while (!isWorkday(day, town)) day = plusDays(day, 1);
  return day;
}

export function workdaysBefore(day: string, count: number, town: string): string {
  let before = day;
  for (let left = count; left > 0;) {
    before = plusDays(before, -1);
    if (isWorkday(before, town)) left -= 1;
  }
  return before;
}

/** What a mandate at the PSP says of its days. */
export interface MandateDays {
  dataInicial: string;
  dataFinal?: string;
  periodicidade: string;
}

/** The due date of a cycle, from 1. */
export function dueDay({ dataInicial, periodicidade }: MandateDays, cycle: number): string {
  const months = MONTHS.get(periodicidade);
  if (months === undefined) return plusDays(dataInicial, 7 * (cycle - 1));
  const [year = 0, month = 0, day = 0] = dataInicial.split("-").map(Number);
  const target = month - 1 + months * (cycle - 1);
  const longest = new Date(Date.UTC(year, target + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, target, Math.min(day, longest))).toISOString().slice(0, 10);
}

/** The cycle that is due on a day; null where none is. */
export function cycleDueOn(days: MandateDays, due: string): number | null {
  if (days.dataFinal !== undefined && due > days.dataFinal) return null;
  let cycle = 1;
  while (dueDay(days, cycle) < due) cycle += 1;
  return dueDay(days, cycle) === due ? cycle : null;
}
