import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import en from "./texts/en.json";
import ptBr from "./texts/pt-br.json";
import { acceptedLanguage, type Language } from "../shared/language.ts";
import { LOCALES, useLocale, type Locale } from "../shared/locale.ts";

export { fill, LANGUAGES, type Language } from "../shared/language.ts";
export { useLocale, type Locale } from "../shared/locale.ts";

/** All texts of the console in one language, by screen. Both files have the same names. */
export type Texts = typeof ptBr;

/** The texts of each language. */
export const TEXTS: Record<Language, Texts> = { "pt-BR": ptBr, en };

export const LANGUAGE_COOKIE = "centavo_language";

/** The locale of a request: the language that a person chose, else the browser's first of ours, else pt-BR. */
export function localeOf(c: Context): Locale {
  const chosen = getCookie(c, LANGUAGE_COOKIE);
  const isOurs = chosen === "en" || chosen === "pt-BR";
  return LOCALES[isOurs ? chosen : acceptedLanguage(c.req.header("Accept-Language"))];
}

/** The texts of a request's language. */
export function textsOf(c: Context): Texts {
  return TEXTS[localeOf(c).language];
}

/** The texts of the page that is rendered. Only components call it. */
export function useTexts(): Texts {
  return TEXTS[useLocale().language];
}
