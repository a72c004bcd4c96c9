import { jsx, Suspense } from "hono/jsx";
import { renderToReadableStream } from "hono/jsx/streaming";
import { expect, it } from "vitest";
import type { Language } from "../../../../src/pages/shared/language.ts";
import { LocaleContext, LOCALES, useLocale } from "../../../../src/pages/shared/locale.ts";

const AMOUNTS: Record<Language, string> = { "pt-BR": "R$\u00A01.234,56", en: "R$1,234.56" };

function Amount() {
  const { money } = useLocale();
  return jsx("b", {}, money(123_456));
}

/** A component that waits for something, before and after which it needs the locale. */
async function Late({ until }: { until: Promise<void> }) {
  const before = useLocale().language;
  await until;
  return jsx("p", { lang: before }, jsx(Amount, {}), useLocale().language);
}

function pageOf(language: Language, ...content: ReturnType<typeof jsx>[]) {
  return jsx(LocaleContext.Provider, { value: LOCALES[language] }, ...content);
}

/** A page under way, and what it waits for. */
function begin(language: Language) {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const html = pageOf(language, jsx(Late, { until }), jsx(Amount, {})).toString();
  return { language, html: Promise.resolve(html), goOn };
}

const shownIn = (language: Language) =>
  `<p lang="${language}"><b>${AMOUNTS[language]}</b>${language}</p>`;

it("gives each of two pages that wait at once its own language", async () => {
  const pages = [begin("pt-BR"), begin("en"), begin("pt-BR"), begin("en")];
  for (const { goOn } of pages.toReversed()) {
    goOn();
    await Promise.resolve();
  }
  for (const { language, html } of pages) {
    const text = await new Response(await html).text();
    expect(text).toBe(`${shownIn(language)}<b>${AMOUNTS[language]}</b>`);
  }
});

it("gives a part that is streamed later the language of its page", async () => {
  const streams = (["pt-BR", "en"] as const).map((language) => {
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    const late = jsx(Suspense, { fallback: "…" }, jsx(Late, { until }));
    return { language, goOn, body: renderToReadableStream(pageOf(language, late)) };
  });
  for (const { goOn } of streams.toReversed()) goOn();
  for (const { language, body } of streams) {
    expect(await new Response(body).text()).toContain(shownIn(language));
  }
});

it("refuses a component that stands in no page", () => {
  expect(() => jsx(Amount, {}).toString()).toThrow("No page provides a locale here");
});
