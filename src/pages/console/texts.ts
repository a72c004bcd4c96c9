import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import en from "./texts/en.json";
import ptBr from "./texts/pt-br.json";

export const LANGUAGES = ["pt-BR", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** All texts of the console in one language, by screen. Both files have the same names. */
export type Texts = typeof ptBr;

const TEXTS: Record<Language, Texts> = { "pt-BR": ptBr, en };

export const LANGUAGE_COOKIE = "centavo_language";

/** The language that a person chose, else the browser's first of ours, else pt-BR. */
export function languageOf(c: Context): Language {
  const chosen = getCookie(c, LANGUAGE_COOKIE);
  if (chosen === "en" || chosen === "pt-BR") return chosen;
  const asked = (c.req.header("Accept-Language") ?? "").toLowerCase();
  const first = asked.split(",").find((word) => /^\s*(?:pt|en)\b/.test(word));
  return first?.trim().startsWith("en") === true ? "en" : "pt-BR";
}

/** The texts of a request's language. */
export function textsOf(c: Context): Texts {
  return TEXTS[languageOf(c)];
}

/** Puts values in a text's `{name}` places. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
