/** What of the bundle is evaluated when the Worker starts, and what waits for an `import()`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { ROOT } from "../scripts/lib/wrangler.ts";
import type { Findings } from "./lib/goals.ts";

const START_MAX_KB = 300;
const KB = 1_024;
/** Packages and folders of ours shown by size. */
const SHOWN = 15;

type Output = Metafile["outputs"][string];

/** Bundles as wrangler does, but leaves what is imported on demand in files of its own. */
export async function measureStart(): Promise<Findings> {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/index.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    keepNames: !/^keep_names\s*=\s*false/m.test(config),
    minify: /^minify\s*=\s*true/m.test(config),
    outdir: "start",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const entry = Object.keys(metafile.outputs).find(
    (path) => metafile.outputs[path]?.entryPoint === "src/index.ts",
  );
  if (entry === undefined) throw new Error("the bundle has no entry");
  const atStart = staticClosure(metafile, entry);
  // Together, for wrangler deploys them in one file.
  const kilobytes = (paths: string[]) => {
    const wanted = new Set(paths.map((path) => join(ROOT, path)));
    const files = outputFiles.filter(({ path }) => wanted.has(path));
    return gzipSync(Buffer.concat(files.map(({ contents }) => contents))).length / KB;
  };
  const later = Object.keys(metafile.outputs).filter((path) => !atStart.includes(path));
  return {
    goals: [
      {
        name: "start: KB gzip evaluated",
        bound: "at most",
        goal: START_MAX_KB,
        measured: Math.round(kilobytes(atStart)),
        note: `${Math.round(kilobytes(later))} KB wait for an import()`,
      },
    ],
    tables: [
      {
        title: "What is evaluated at start",
        prose: "KB before gzip, the largest first.",
        head: ["source", "KB"],
        rows: sizesOf(atStart.flatMap((path) => metafile.outputs[path] ?? [])),
      },
    ],
  };
}

/** An output and whatever it imports before it runs. */
function staticClosure({ outputs }: Metafile, entry: string): string[] {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[imported] !== undefined) reached.add(imported);
    }
  }
  return [...reached];
}

function sizesOf(outputs: Output[]): [string, number][] {
  const sizes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const source = sourceOf(path);
    sizes.set(source, (sizes.get(source) ?? 0) + bytesInOutput / KB);
  }
  const sorted = [...sizes].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, SHOWN).map(([name, size]) => [name, Math.round(size)]);
}

/** The package of a file, or of ours the folder in `src`. */
function sourceOf(path: string): string {
  const [, file] = path.split(/.*node_modules\//);
  if (file === undefined) return path.split("/").slice(0, 2).join("/");
  return file
    .split("/")
    .slice(0, file.startsWith("@") ? 2 : 1)
    .join("/");
}
