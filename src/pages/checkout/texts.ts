import { acceptedLanguage, type Language } from "../shared/language.ts";
import { LOCALES, useLocale, type Locale } from "../shared/locale.ts";
import type { CheckoutContext } from "./context.ts";
import en from "./texts/en.json";
import ptBr from "./texts/pt-br.json";

export { useLocale } from "../shared/locale.ts";

/** All texts of the payer's pages in one language. Both files have the same names. */
export type Texts = typeof ptBr;

const TEXTS: Record<Language, Texts> = { "pt-BR": ptBr, en };

/** The locale of a payer's browser, which alone decides: the page keeps no cookie. */
export function localeOf(c: CheckoutContext): Locale {
  return LOCALES[acceptedLanguage(c.req.header("Accept-Language"))];
}

/** The texts of a request's language. */
export function textsOf(c: CheckoutContext): Texts {
  return TEXTS[localeOf(c).language];
}

/** The texts of the page that is rendered. Only components call it. */
export function useTexts(): Texts {
  return TEXTS[useLocale().language];
}

/** What a payer whose card was refused may try, by the code of the refusal (`RefusedReason`). */
export function refusalText(code: string, { refusals }: Texts): string {
  const advice: Record<string, string> = refusals;
  return Object.hasOwn(advice, code) ? (advice[code] ?? "") : refusals.OTHER;
}
