import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { ApiDocument } from "./client-types.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const ORIGIN = "https://pay.centavo.dev";

/** The API's document as this tree's code makes it. Node cannot load that code itself, which has JSX and style sheets. */
export async function openApiDocumentOfTree(): Promise<ApiDocument> {
  const cache = join(REPOSITORY, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "document-"));
  const outfile = join(folder, "document.js");
  try {
    await build({
      stdin: {
        contents: `
          import { createApp } from "./src/app.ts";
          import { openApiDocument } from "./src/http/openapi/document.ts";
          export const made = await openApiDocument(createApp(), ${JSON.stringify(ORIGIN)});`,
        resolveDir: REPOSITORY,
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      loader: { ".css": "text" },
      packages: "external",
      external: ["cloudflare:*"],
      logLevel: "error",
    });
    const { made } = (await import(pathToFileURL(outfile).href)) as { made: ApiDocument };
    return made;
  } finally {
    await rm(folder, { recursive: true });
  }
}
