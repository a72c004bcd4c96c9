import type { Language } from "./language.ts";

export const TIME_ZONE = "America/Sao_Paulo";

/** Centavos as `R$ 1.234,56` (or `R$1,234.56` in English). */
export function money(cents: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: "currency", currency: "BRL" }).format(
    cents / 100,
  );
}

/** `medium` names the month, which nobody can take for the day. */
type DateStyle = "short" | "medium";

/** An ISO 8601 time as date and time in America/Sao_Paulo; a dash for none. */
export function dateTime(
  iso: string | null | undefined,
  language: Language,
  dateStyle: DateStyle = "short",
): string {
  if (iso === null || iso === undefined || iso === "") return "–";
  return new Intl.DateTimeFormat(language, {
    timeZone: TIME_ZONE,
    dateStyle,
    timeStyle: "short",
  }).format(new Date(iso));
}

/** An ISO 8601 time or a `YYYY-MM-DD` day as a date in America/Sao_Paulo; a dash for none. */
export function date(
  iso: string | null | undefined,
  language: Language,
  dateStyle: DateStyle = "short",
): string {
  if (iso === null || iso === undefined || iso === "") return "–";
  const time = iso.length === 10 ? new Date(`${iso}T12:00:00-03:00`) : new Date(iso);
  return new Intl.DateTimeFormat(language, { timeZone: TIME_ZONE, dateStyle }).format(time);
}

/** A typed amount of reais, such as `1.234,56` or `1234.56`, in centavos; null for another text. */
export function centsOf(typed: string): number | null {
  const text = typed.replaceAll(/[R$\s]/g, "");
  const plain = text.includes(",") ? text.replaceAll(".", "").replace(",", ".") : text;
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}
