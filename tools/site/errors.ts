/** The part of the page about errors that follows the code: each problem with cause and cure. */
import { PROBLEMS, TITLES, type ProblemCode } from "../../src/domain/shared/problem.ts";
import en from "./texts/errors.en.json" with { type: "json" };
import ptBr from "./texts/errors.pt-br.json" with { type: "json" };
import type { Language } from "./pages.ts";

interface ErrorTexts {
  cause: string;
  cure: string;
  codes: Record<ProblemCode, { cause: string; cure: string }>;
}

const TEXTS: Record<Language, ErrorTexts> = { en, "pt-br": ptBr };

/** A heading for each code, whose anchor is the code, as the `type` of a problem names it. */
export function errorsPart(language: Language): string {
  const { cause, cure, codes } = TEXTS[language];
  return (Object.keys(PROBLEMS) as ProblemCode[])
    .map((code) =>
      [
        // Beside the heading's own anchor, which is in small letters.
        `<span id="${code}"></span>`,
        `## ${code}`,
        `HTTP ${PROBLEMS[code]} ${TITLES[PROBLEMS[code]]}`,
        `**${cause}:** ${codes[code].cause}`,
        `**${cure}:** ${codes[code].cure}`,
      ].join("\n\n"),
    )
    .join("\n\n");
}
