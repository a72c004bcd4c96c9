import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { build, type BuildResult } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { readFile } from "node:fs/promises";

/** What the Worker may evaluate before it can answer (goal of docs/performance.md): 150 KB of 1,024 bytes, as the bench counts them. */
const START_MAX_BYTES = 150 * 1_024;
const REPOSITORY = join(import.meta.dirname, "../..");

let gzipped: number;
let evaluated: string[];
let deferred: string[];

// Built with Wrangler's options, but in pieces: what is imported only when it is asked for is apart.
beforeAll(async () => {
  const { metafile, outputFiles } = await bundle();
  const outputs = new Map(Object.entries(metafile.outputs));
  const [entry] = [...outputs].find(([, { entryPoint }]) => entryPoint === "src/index.ts")!;
  const pieces = new Set<string>();
  const follow = (piece: string) => {
    if (pieces.has(piece) || !outputs.has(piece)) return;
    pieces.add(piece);
    for (const { kind, path } of outputs.get(piece)!.imports) {
      if (kind === "import-statement") follow(path);
    }
  };
  follow(entry);
  const texts = outputFiles.filter(({ path }) => pieces.has(path.slice(REPOSITORY.length + 1)));
  gzipped = gzipSync(Buffer.concat(texts.map(({ contents }) => contents))).length;
  const modulesOf = (isWanted: (piece: string) => boolean) =>
    [...outputs].filter(([piece]) => isWanted(piece)).flatMap(([, { inputs }]) => keysOf(inputs));
  evaluated = modulesOf((piece) => pieces.has(piece));
  deferred = modulesOf((piece) => !pieces.has(piece));
});

test("a start evaluates at most 150 KB of gzip", () => {
  expect(gzipped).toBeLessThanOrEqual(START_MAX_BYTES);
  expect(gzipped).toBeGreaterThan(START_MAX_BYTES / 2);
});

test.each([
  ["the PDF library", "node_modules/@cantoo/pdf-lib/"],
  ["barcodes", "node_modules/jsbarcode/"],
  ["QR codes", "node_modules/uqr/"],
  ["the pages", "src/pages/"],
  ["the checkout", "src/api/checkout/"],
  ["the operator's routes", "src/api/operator/routes.ts"],
  ["the sandbox's routes", "src/api/sandbox/"],
  ["the generator of the API's document", "node_modules/@asteasolutions/zod-to-openapi/"],
  ["the cron", "src/scheduled.ts"],
  ["the search", "src/api/transactions/search.ts"],
  ["the timeline", "src/domain/timeline.ts"],
])("%s wait until they are asked for", (_, path) => {
  expect(evaluated.filter((module) => module.startsWith(path))).toEqual([]);
  expect(deferred.filter((module) => module.startsWith(path))).not.toEqual([]);
});

test("locales of zod are no part of the Worker, but for the one it speaks", () => {
  const locales = [...evaluated, ...deferred].filter((path) => path.includes("zod/v4/locales/"));
  expect(locales).toEqual(["node_modules/zod/v4/locales/en.js"]);
});

test("what is deployed is minified as it is here", async () => {
  const config = await readFile(join(REPOSITORY, "wrangler.toml"), "utf8");
  expect(config).toMatch(/^minify = true$/m);
  expect(config).toMatch(/^keep_names = false$/m);
});

/** The modules of which anything is left after tree shaking. */
function keysOf(inputs: Record<string, { bytesInOutput: number }>): string[] {
  return Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
}

function bundle(): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    absWorkingDir: REPOSITORY,
    entryPoints: ["src/index.ts"],
    outdir: ".",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    define: {
      "process.env.NODE_ENV": '"production"',
      "navigator.userAgent": '"Cloudflare-Workers"',
    },
    external: ["cloudflare:*", "node:*"],
  });
}
