import { ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AppContext } from "../http/context.ts";

const MARKDOWN = "text/markdown";

const Sections = z.array(z.object({ name: z.string(), path: z.string(), text: z.string() }));
/** A section of the guide in English; `path` is its page's as Markdown. */
export type Section = z.output<typeof Sections>[number];

/** The sections of the guide, as the build of the docs site wrote them. */
export async function guideSections(c: AppContext): Promise<Section[]> {
  return Sections.parse(JSON.parse(await fileOf(c, "/sections.json")));
}

/** Each page of the guide as a resource, at the address that it has for everybody. */
export function addGuide(server: McpServer, c: AppContext): void {
  const { origin } = new URL(c.req.url);
  const list = async () => {
    const sections = await guideSections(c);
    const pages = new Map(sections.toReversed().map(({ path, name }) => [path, name]));
    return {
      resources: [...pages].toReversed().map(([path, title]) => ({
        uri: `${origin}${path}`,
        name: path,
        title,
        mimeType: MARKDOWN,
      })),
    };
  };
  server.registerResource(
    "guide",
    new ResourceTemplate(`${origin}/docs/{page}.md`, { list }),
    { title: "Guide", description: "The guide for developers.", mimeType: MARKDOWN },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: MARKDOWN, text: await fileOf(c, uri.pathname) }],
    }),
  );
}

/** The text of a file that the service serves. Throws where there is none. */
async function fileOf(c: AppContext, path: string): Promise<string> {
  const answer = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url)));
  if (!answer.ok) throw new Error(`${path} does not exist`);
  return answer.text();
}
