import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AppContext } from "../http/context.ts";
import { PROBLEM_EXAMPLES } from "../http/openapi/examples/problems.ts";
import { addGuide, guideSections } from "./guide.ts";

const FOUND_MAX = 8;
/** Words that say nothing of what is looked for. */
const SHORT = 3;

/** A part of the docs: a section of the guide, an operation of the API, or a code of a refusal. */
interface Part {
  name: string;
  text: string;
}

/** `search_docs` and the resources: the guide, the API's document, and what each refusal means. */
export function addReference(server: McpServer, c: AppContext): void {
  const description =
    "Searches the guide and the reference: how to, operations with their rules, codes of refusals. English words, not sentences.";
  server.registerTool(
    "search_docs",
    {
      title: "Search the docs",
      description,
      inputSchema: z.object({ query: z.string().min(1).max(200) }),
      annotations: { readOnlyHint: true },
    },
    async ({ query }) => {
      const found = { found: search(await partsOf(c), query) };
      return {
        content: [{ type: "text", text: JSON.stringify(found) }],
        structuredContent: found,
      };
    },
  );
  addGuide(server, c);
  const origin = new URL(c.req.url).origin;
  const openapi = `${origin}/openapi.json`;
  const type = "application/json";
  server.registerResource(
    "openapi",
    openapi,
    { title: "OpenAPI document", mimeType: type },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: type, text: await documentOf(c) }] }),
  );
  server.registerResource(
    "errors",
    `${origin}/docs/errors`,
    { title: "Codes of refusals", mimeType: type },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: type, text: JSON.stringify(PROBLEM_EXAMPLES) }],
    }),
  );
}

/** The most characters of a part that a search answers: a page has the rest. */
const TEXT_MAX = 1_500;

async function documentOf(c: AppContext): Promise<string> {
  const { origin } = new URL(c.req.url);
  const response = await c.get("app").fetch(new Request(`${origin}/openapi.json`), c.env);
  return response.text();
}

const Operation = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().default(""),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

async function partsOf(c: AppContext): Promise<Part[]> {
  const { paths } = Document.parse(JSON.parse(await documentOf(c)));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      text: `${summary}. ${description}`,
    })),
  );
  const codes = Object.entries(PROBLEM_EXAMPLES).map(([code, { status, detail }]) => ({
    name: code,
    text: `${status}: ${detail}`,
  }));
  const guide = (await guideSections(c)).map(({ name, path, text }) => ({
    name: `${name} (${path})`,
    text: text.slice(0, TEXT_MAX),
  }));
  return [...operations, ...codes, ...guide];
}

/** The parts that have most of the query's words; among those with as many, a word in the name before one in the text. */
function search(parts: Part[], query: string): Part[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word.length >= SHORT);
  const weigh = ({ name, text }: Part) => {
    const inName = words.filter((word) => name.toLowerCase().includes(word));
    const inText = words.filter((word) => text.toLowerCase().includes(word));
    return { had: new Set([...inName, ...inText]).size, named: inName.length };
  };
  return parts
    .map((part) => ({ part, ...weigh(part) }))
    .filter(({ had }) => had > 0)
    .toSorted((one, other) => other.had - one.had || other.named - one.named)
    .slice(0, FOUND_MAX)
    .map(({ part }) => part);
}
