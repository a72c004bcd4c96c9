/** Bundles the Worker as wrangler does, but writes on-demand imports to separate files. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";
import { ROOT } from "./root.ts";
import { aliases, configFile } from "./wrangler-config.ts";

const ENTRY = "src/index.ts";
const KB = 1_024;

type Output = Metafile["outputs"][string];

export interface Part {
  /** KB of one gzip of all its files, because wrangler deploys one file. */
  kilobytes: number;
  outputs: Output[];
}

export interface StartBundle {
  evaluatedAtStart: Part;
  /** Code behind an `import()`. */
  onDemand: Part;
}

/** The sizes of the code evaluated at start and of the code loaded on demand. */
export async function bundleStart(): Promise<StartBundle> {
  const config = readFileSync(configFile(), "utf8");
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    loader: { ".css": "text" },
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    define: {
      "process.env.NODE_ENV": '"production"',
      "navigator.userAgent": '"Cloudflare-Workers"',
    },
    keepNames: !/^keep_names\s*=\s*false/m.test(config),
    minify: /^minify\s*=\s*true/m.test(config),
    plugins: [aliasPlugin(aliases(config))],
    outdir: "start",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const paths = Object.keys(metafile.outputs);
  const entry = paths.find((path) => metafile.outputs[path]?.entryPoint === ENTRY);
  if (entry === undefined) throw new Error("the bundle has no entry");
  const atStart = staticClosure(metafile, entry);
  const partOf = (files: string[]): Part => ({
    kilobytes: kilobytesOf(files, outputFiles),
    outputs: files.flatMap((path) => metafile.outputs[path] ?? []),
  });
  return {
    evaluatedAtStart: partOf([...atStart]),
    onDemand: partOf(paths.filter((path) => !atStart.has(path))),
  };
}

/** Like wrangler's `alias`: matches the specifier, also a relative one, and resolves from the project. */
function aliasPlugin(replacements: Record<string, string>): Plugin {
  const { resolve } = createRequire(join(ROOT, "wrangler.toml"));
  return {
    name: "alias",
    setup(bundler) {
      bundler.onResolve({ filter: /.*/ }, ({ path }) => {
        const replacement = replacements[path];
        return replacement === undefined ? null : { path: resolve(replacement) };
      });
    },
  };
}

/** An output and its static imports. */
function staticClosure({ outputs }: Metafile, entry: string): Set<string> {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[imported] !== undefined) reached.add(imported);
    }
  }
  return reached;
}

function kilobytesOf(paths: string[], files: OutputFile[]): number {
  const absolute = new Set(paths.map((path) => join(ROOT, path)));
  const contents = files.filter(({ path }) => absolute.has(path)).map((file) => file.contents);
  return gzipSync(Buffer.concat(contents)).length / KB;
}
