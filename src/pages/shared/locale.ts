import { createContext, useContext } from "hono/jsx";
import { centsToReais, CURRENCY, type Cents } from "../../domain/shared/money.ts";
import type { Language } from "./language.ts";

const TIME_ZONE = "America/Sao_Paulo";
/** What stands for no time and no part. */
const NONE = "–";

/** `medium` names the month, which nobody can take for the day. */
type DateStyle = "short" | "medium";

/** A language, and how it writes amounts and times. Times are those of America/Sao_Paulo. */
export type Locale = ReturnType<typeof makeLocale>;

/** Makes the formats once: each takes twenty times as long as what it writes. */
function makeLocale(language: Language) {
  const amounts = new Intl.NumberFormat(language, { style: "currency", currency: CURRENCY });
  const shortAmounts = new Intl.NumberFormat(language, {
    notation: "compact",
    maximumFractionDigits: 1,
  });
  const times = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: TIME_ZONE, ...style });
  const dates = { short: times({ dateStyle: "short" }), medium: times({ dateStyle: "medium" }) };
  const minutes = {
    short: times({ dateStyle: "short", timeStyle: "short" }),
    medium: times({ dateStyle: "medium", timeStyle: "short" }),
  };
  const clock = times({ timeStyle: "short" });
  const seconds = times({ dateStyle: "short", timeStyle: "medium" });
  const weekdays = times({ weekday: "short" });
  const months = times({ month: "short", year: "numeric" });
  const daysOfMonth = times({ day: "2-digit", month: "2-digit" });
  return {
    language,
    /** Centavos as `R$ 1.234,56` (or `R$1,234.56` in English). */
    money: (cents: Cents): string => amounts.format(centsToReais(cents)),
    /** An ISO 8601 time or a `YYYY-MM-DD` day as a date; a dash for none. */
    date: (iso: string | null | undefined, style: DateStyle = "short"): string =>
      iso == null || iso === "" ? NONE : dates[style].format(timeOf(iso)),
    /** An ISO 8601 time as date and time; a dash for none. */
    dateTime: (iso: string | null | undefined, style: DateStyle = "short"): string =>
      iso == null || iso === "" ? NONE : minutes[style].format(new Date(iso)),
    /** An ISO 8601 time as the time of its day. */
    time: (iso: string): string => clock.format(new Date(iso)),
    /** An ISO 8601 time as date and time to the second. */
    exactTime: (iso: string): string => seconds.format(new Date(iso)),
    /** Centavos as `1,2 mil`, where there is no room for more. */
    shortMoney: (cents: Cents): string => shortAmounts.format(centsToReais(cents)),
    /** A `YYYY-MM-DD` day as its day and month. */
    dayOfMonth: (day: string): string => daysOfMonth.format(timeOf(day)),
    /** A `YYYY-MM` month as its name and year. */
    month: (month: string): string => months.format(timeOf(`${month}-01`)),
    /** A `YYYY-MM-DD` day as the name of its weekday, in short. */
    weekdayName: (day: string): string => weekdays.format(timeOf(day)),
    /** A part of 1 as `87,5%`; a dash for none. */
    percent: (part: number | null, decimals = 1): string => {
      if (part === null) return NONE;
      const format = { style: "percent", maximumFractionDigits: decimals } as const;
      return new Intl.NumberFormat(language, format).format(part);
    },
  };
}

/** A day alone stands for its noon, which is on that day in America/Sao_Paulo. */
function timeOf(iso: string): Date {
  return new Date(iso.length === "YYYY-MM-DD".length ? `${iso}T12:00:00-03:00` : iso);
}

/** The locale of each language. */
export const LOCALES: Record<Language, Locale> = {
  "pt-BR": makeLocale("pt-BR"),
  en: makeLocale("en"),
};

/** What the pages of a request are written in. Each layout provides it; Hono keeps it apart for each request. */
export const LocaleContext = createContext<Locale | null>(null);

/** The locale of the page that is rendered. Only components call it. Throws outside of a page. */
export function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (locale === null) throw new Error("No page provides a locale here");
  return locale;
}
