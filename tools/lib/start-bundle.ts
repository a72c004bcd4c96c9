/** The Worker bundled as wrangler does, but with what is imported on demand in files of its own. */
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
  /** Gzip of all its files together, for wrangler deploys them in one. */
  kilobytes: number;
  outputs: Output[];
}

export interface StartBundle {
  evaluatedAtStart: Part;
  /** What waits for an `import()`. */
  onDemand: Part;
}

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
  const partOf = (wanted: string[]): Part => ({
    kilobytes: kilobytesOf(wanted, outputFiles),
    outputs: wanted.flatMap((path) => metafile.outputs[path] ?? []),
  });
  return {
    evaluatedAtStart: partOf([...atStart]),
    onDemand: partOf(paths.filter((path) => !atStart.has(path))),
  };
}

/** As wrangler's own: it matches the specifier, relative ones too, and resolves from the project. */
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

/** An output and whatever it imports before it runs. */
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
  const wanted = new Set(paths.map((path) => join(ROOT, path)));
  const contents = files.filter(({ path }) => wanted.has(path)).map((file) => file.contents);
  return gzipSync(Buffer.concat(contents)).length / KB;
}
