/** The pages of the docs site: which there are, and what their Markdown becomes. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../lib/root.ts";
import { errorsPart } from "./errors.ts";
import { payloadsPart } from "./payloads.ts";
import { scenariosPart } from "./scenarios.ts";
import { samplesOf, type Sample } from "./samples.ts";

export const LANGUAGES = ["en", "pt-br"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Group {
  label: Record<Language, string>;
  pages: Entry[];
}

interface Entry {
  /** The last part of the page's address. */
  slug: string;
  /** The file of its English text, where that is no page of `docs/guide`. */
  source?: string;
  /** Its name in the Portuguese menu, where it has no Portuguese text. */
  portuguese?: string;
}

/** The groups of the menu and their pages, in reading order. */
export const GROUPS: Group[] = [
  {
    label: { en: "Start", "pt-br": "Começar" },
    pages: [
      { slug: "index" },
      { slug: "first-charge" },
      { slug: "recipes" },
      { slug: "sandbox" },
      { slug: "time" },
      { slug: "scenarios" },
    ],
  },
  {
    label: { en: "Guide", "pt-br": "Guia" },
    pages: [
      { slug: "webhooks", source: "docs/webhooks.md" },
      { slug: "retries" },
      { slug: "states" },
      { slug: "errors" },
      { slug: "subscriptions" },
      { slug: "money-out" },
      { slug: "security" },
    ],
  },
  {
    label: { en: "In depth", "pt-br": "Em detalhe" },
    pages: [
      { slug: "rules", source: "docs/api.md", portuguese: "Regras da API" },
      { slug: "payloads" },
      { slug: "links", source: "docs/payment-links.md", portuguese: "Links de pagamento" },
      { slug: "checkout", source: "docs/checkout.md", portuguese: "A página do pagador" },
      { slug: "disputes", source: "docs/disputes.md", portuguese: "Contestações" },
    ],
  },
];

export const SLUGS = GROUPS.flatMap(({ pages }) => pages.map(({ slug }) => slug));

/** A page in one language. */
export interface Page {
  slug: string;
  language: Language;
  /** Whether it has no text of its own in its language, and the English one stands in. */
  isFallback: boolean;
  title: string;
  /** Its first paragraph, without marks. */
  description: string;
  /** Its Markdown without the title; links lead to pages of the site. */
  body: Part[];
}

/** Markdown, or the same step in several languages. */
export type Part = { text: string } | { samples: Sample[] };

/** The address of a page on the service. */
export function addressOf(slug: string, language: Language): string {
  const folder = language === "en" ? "/docs/" : `/docs/${language}/`;
  return slug === "index" ? folder : `${folder}${slug}/`;
}

/** The address of a page's Markdown. */
export function markdownAddressOf(slug: string, language: Language): string {
  return `/docs/${language === "en" ? "" : `${language}/`}${slug}.md`;
}

/** The file of a page's text. */
function sourceOf(slug: string, language: Language): string {
  const named = GROUPS.flatMap(({ pages }) => pages).find((page) => page.slug === slug)?.source;
  return language === "en" && named !== undefined ? named : `docs/guide/${language}/${slug}.md`;
}

const SLUG_OF_SOURCE = new Map(
  SLUGS.flatMap((slug) => LANGUAGES.map((language) => [sourceOf(slug, language), slug] as const)),
);

/** All pages in all languages, in the order of the menu. Throws where a page has no title or names a sample that is not there. */
export function allPages(): Page[] {
  return LANGUAGES.flatMap((language) => SLUGS.map((slug) => readPage(slug, language)));
}

function readPage(slug: string, language: Language): Page {
  const own = sourceOf(slug, language);
  const isFallback = !existsSync(join(ROOT, own));
  const source = isFallback ? sourceOf(slug, "en") : own;
  const text = readFileSync(join(ROOT, source), "utf8");
  const [, title, rest = ""] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${source} does not begin with a title`);
  const body = partsOf(rest, language).map((part) =>
    "text" in part ? { text: withSiteLinks(part.text, source, language) } : part,
  );
  return { slug, language, isFallback, title, description: firstParagraph(body), body };
}

/** A line of its own: `<!-- sample create-charge -->`, `<!-- sample verify-webhook without curl -->`, `<!-- errors -->`. */
const MARK = /^<!-- (sample|errors|payloads|scenarios)(?: ([\w-]+)(?: without (\w+))?)? -->$/gm;

function partsOf(text: string, language: Language): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: mark, 1: kind, 2: name = "", 3: without, index } of text.matchAll(MARK)) {
    parts.push({ text: text.slice(end, index) });
    if (kind === "sample") parts.push({ samples: samplesOf(name, without) });
    else if (kind === "scenarios") parts.push({ text: scenariosPart(language) });
    else parts.push({ text: kind === "errors" ? errorsPart(language) : payloadsPart() });
    end = index + mark.length;
  }
  return [...parts, { text: text.slice(end) }].map((part) =>
    "text" in part ? { text: withoutComments(part.text) } : part,
  );
}

/** Without what only the repository can show: comments, and pictures, whose files are not on the site. */
function withoutComments(text: string): string {
  return outsideCode(text, (prose) =>
    prose.replaceAll(/^<!-- .* -->\n/gm, "").replaceAll(/^!\[[^\]]*\]\([^)]*\)\n/gm, ""),
  );
}

/** Links to pages of the site lead there; of a link to another file of the repository its text remains. */
function withSiteLinks(text: string, source: string, language: Language): string {
  const link = /( ?\()?\[([^\]]+)\]\((?!https?:|#|\/)([^)#\s]*)(#[^)\s]*)?\)(\))?/g;
  return outsideCode(text, (prose) =>
    prose.replaceAll(link, (...found: (string | undefined)[]) => {
      const [, open = "", label = "", file = "", anchor = "", close = ""] = found;
      const slug = SLUG_OF_SOURCE.get(join(dirname(source), file));
      if (slug !== undefined) {
        return `${open}[${label}](${addressOf(slug, language)}${anchor})${close}`;
      }
      return open !== "" && close !== "" ? "" : `${open}${label}${close}`;
    }),
  );
}

/** Changes what stands outside of blocks of code. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join("");
}

function firstParagraph(body: Part[]): string {
  const [first] = body;
  if (first === undefined || !("text" in first)) return "";
  const [paragraph = ""] = first.text.trim().split("\n\n");
  return paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/`([^`]+)`|[*_]/g, "$1")
    .replaceAll(/\s+/g, " ");
}
