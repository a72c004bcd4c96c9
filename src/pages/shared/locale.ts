import { createContext, useContext } from "hono/jsx";
import { centsToReais, type Cents } from "../../domain/shared/money.ts";
import type { Language } from "./language.ts";

const TIME_ZONE = "America/Sao_Paulo";

/** `medium` names the month, which nobody can take for the day. */
type DateStyle = "short" | "medium";

/** A language, and how it writes amounts and times. Times are those of America/Sao_Paulo. */
export type Locale = ReturnType<typeof makeLocale>;

function makeLocale(language: Language) {
  const format = (style: Intl.DateTimeFormatOptions, at: Date) =>
    new Intl.DateTimeFormat(language, { timeZone: TIME_ZONE, ...style }).format(at);
  return {
    language,
    /** Centavos as `R$ 1.234,56` (or `R$1,234.56` in English). */
    money: (cents: Cents): string =>
      new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(
        centsToReais(cents),
      ),
    /** An ISO 8601 time as date and time; a dash for none. */
    dateTime: (iso: string | null | undefined, dateStyle: DateStyle = "short"): string =>
      iso == null || iso === "" ? "–" : format({ dateStyle, timeStyle: "short" }, new Date(iso)),
    /** An ISO 8601 time as date and time to the second. */
    exactTime: (iso: string): string =>
      format({ dateStyle: "short", timeStyle: "medium" }, new Date(iso)),
    /** An ISO 8601 time or a `YYYY-MM-DD` day as a date; a dash for none. */
    date: (iso: string | null | undefined, dateStyle: DateStyle = "short"): string =>
      iso == null || iso === "" ? "–" : format({ dateStyle }, timeOf(iso)),
    /** A part of 1 as `87,5%`; a dash for none. */
    percent: (part: number | null, decimals = 1): string =>
      part === null
        ? "–"
        : new Intl.NumberFormat(language, {
            style: "percent",
            maximumFractionDigits: decimals,
          }).format(part),
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
