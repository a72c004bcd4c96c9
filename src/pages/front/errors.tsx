import { PROBLEMS, TITLES, type ProblemCode } from "../../domain/shared/problem.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { localeOf } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import en from "./texts/errors.en.json";
import ptBr from "./texts/errors.pt-br.json";

interface ErrorTexts {
  title: string;
  intro: string;
  cause: string;
  cure: string;
  codes: Record<ProblemCode, { cause: string; cure: string }>;
}

const TEXTS: Record<"pt-BR" | "en", ErrorTexts> = { "pt-BR": ptBr, en };

/** `/docs/errors`: the page that the `type` of every problem leads to, with cause and cure of each code. */
export function errorsPage(c: CheckoutContext) {
  const texts = TEXTS[localeOf(c).language];
  return page(
    c,
    { title: texts.title, brand: null },
    <main>
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      {(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => (
        <section id={code}>
          <h2>{code}</h2>
          <p class="quiet">
            {PROBLEMS[code]} {TITLES[PROBLEMS[code]]}
          </p>
          <p>
            <strong>{texts.cause}:</strong> {texts.codes[code].cause}
          </p>
          <p>
            <strong>{texts.cure}:</strong> {texts.codes[code].cure}
          </p>
        </section>
      ))}
    </main>,
  );
}
