/** The site for machines: each page as Markdown, an index of all, and its sections for a search. */
import {
  addressOf,
  GROUPS,
  LANGUAGES,
  markdownAddressOf,
  SLUGS,
  type Language,
  type Page,
  type Part,
} from "./pages.ts";

/** A page as Markdown, whose links lead to other pages as Markdown. */
export function markdownOf({ title, body, language }: Page): string {
  const text = body.map(partText).join("");
  return `# ${title}\n\n${withMarkdownLinks(text, language).trim()}\n`;
}

function partText(part: Part): string {
  if ("text" in part) return part.text.replaceAll(/^<span id="\w+"><\/span>\n\n/gm, "");
  return part.samples
    .map(({ label, fence, code }) => `${label}:\n\n\`\`\`${fence}\n${code}\n\`\`\``)
    .join("\n\n");
}

function withMarkdownLinks(text: string, language: Language): string {
  return text.replaceAll(
    /\]\((\/docs\/[\w/-]*)(#[^)]*)?\)/g,
    (link, address: string, anchor = "") => {
      const slug = SLUGS.find((one) => addressOf(one, language) === address);
      return slug === undefined ? link : `](${markdownAddressOf(slug, language)}${anchor})`;
    },
  );
}

const NAMES: Record<Language, string> = { en: "English", "pt-br": "Português" };

/** `/llms.txt` (llmstxt.org): what this is, and each page as Markdown. */
export function llmsText(pages: Page[]): string {
  const own = pages.filter(({ isFallback }) => !isFallback);
  const sections = LANGUAGES.flatMap((language) =>
    GROUPS.map(({ label, pages: members }) => {
      const lines = own
        .filter((page) => page.language === language)
        .filter(({ slug }) => members.some((member) => member.slug === slug))
        .map(
          ({ slug, title, description }) =>
            `- [${title}](${markdownAddressOf(slug, language)}): ${description}`,
        );
      return lines.length === 0
        ? ""
        : `## ${label[language]} (${NAMES[language]})\n\n${lines.join("\n")}`;
    }),
  );
  const reference = [
    "## Reference",
    "",
    "- [Merchant's API](/openapi/merchant.json): OpenAPI 3.1, for who charges",
    "- [Operator's API](/openapi/operator.json): OpenAPI 3.1, for who runs the gateway",
    "- [Whole API](/openapi.json): both",
    "- [MCP](/mcp): Model Context Protocol, with the headers X-Client-Id and X-API-Key",
  ].join("\n");
  const about =
    "# Centavo\n\n> A Brazilian payment gateway: Pix, boleto and card charges, refunds, withdraws to a Pix key, signed webhooks. Amounts are centavos.";
  return `${[about, ...sections.filter((section) => section !== ""), reference].join("\n\n")}\n`;
}

/** A section of a page in English, for `search_docs`. */
export interface Section {
  name: string;
  /** Its address on the service. */
  path: string;
  text: string;
}

/** Pages of examples and of codes, which a search has from elsewhere. */
const NOT_SEARCHED = new Set(["payloads", "errors"]);

/** The sections of the English pages. */
export function sectionsOf(pages: Page[]): Section[] {
  return pages
    .filter(({ language, slug }) => language === "en" && !NOT_SEARCHED.has(slug))
    .flatMap((page) =>
      markdownOf(page)
        .split(/^##? /m)
        .slice(1)
        .map((section, at) => {
          const [heading = "", ...lines] = section.split("\n");
          return {
            name: at === 0 ? page.title : `${page.title}: ${heading}`,
            path: markdownAddressOf(page.slug, page.language),
            text: lines.join("\n").trim(),
          };
        }),
    );
}
