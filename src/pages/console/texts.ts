import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import en from "./texts/en.json";
import ptBr from "./texts/pt-br.json";
import { acceptedLanguage, type Language } from "../shared/language.ts";

export { fill, LANGUAGES, type Language } from "../shared/language.ts";

/** All texts of the console in one language, by screen. Both files have the same names. */
export type Texts = typeof ptBr;

const TEXTS: Record<Language, Texts> = { "pt-BR": ptBr, en };

export const LANGUAGE_COOKIE = "centavo_language";

/** The language that a person chose, else the browser's first of ours, else pt-BR. */
export function languageOf(c: Context): Language {
  const chosen = getCookie(c, LANGUAGE_COOKIE);
  if (chosen === "en" || chosen === "pt-BR") return chosen;
  return acceptedLanguage(c.req.header("Accept-Language"));
}

/** The texts of a request's language. */
export function textsOf(c: Context): Texts {
  return TEXTS[languageOf(c)];
}
