import { acceptedLanguage, type Language } from "../shared/language.ts";
import type { CheckoutContext } from "./context.ts";
import en from "./texts/en.json";
import ptBr from "./texts/pt-br.json";

/** All texts of the payer's pages in one language. Both files have the same names. */
type Texts = typeof ptBr;

/** A language and its texts. */
export interface Words {
  language: Language;
  texts: Texts;
}

const TEXTS: Record<Language, Texts> = { "pt-BR": ptBr, en };

/** The words for a payer's browser, which alone decides: the page keeps no cookie. */
export function wordsOf(c: CheckoutContext): Words {
  const language = acceptedLanguage(c.req.header("Accept-Language"));
  return { language, texts: TEXTS[language] };
}

/** What a payer whose card was refused may try, by the code of the refusal (`RefusedReason`). */
export function refusalText(code: string, { texts }: Words): string {
  const advice: Record<string, string> = texts.refusals;
  return Object.hasOwn(advice, code) ? (advice[code] ?? "") : texts.refusals.OTHER;
}
