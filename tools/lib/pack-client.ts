import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const REPOSITORY = join(import.meta.dirname, "../..");
const CLIENT = join(REPOSITORY, "clients/typescript");
const run = promisify(execFile);

/** Builds the TypeScript client and packs it as npm would publish it. Returns the path of the archive in `folder`. */
export async function packClient(folder: string): Promise<string> {
  const staged = await mkdtemp(join(tmpdir(), "centavo-client-"));
  try {
    await Promise.all([
      ...["package.json", "README.md"].map((file) => cp(join(CLIENT, file), join(staged, file))),
      cp(join(REPOSITORY, "LICENSE"), join(staged, "LICENSE")),
      mkdir(folder, { recursive: true }),
    ]);
    const tsc = join(REPOSITORY, "node_modules/.bin/tsc");
    await run(tsc, ["-p", join(CLIENT, "tsconfig.json"), "--outDir", join(staged, "dist")]);
    await bundleCli(join(staged, "dist"));
    const { stdout } = await run("npm", ["pack", staged, "--json", "--pack-destination", folder]);
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    return join(folder, packed?.filename ?? "");
  } finally {
    await rm(staged, { recursive: true });
  }
}

/** Bundles the `centavo` command with all that it imports into one file, and the licences of what is not ours beside it. */
async function bundleCli(dist: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(CLIENT, "cli/main.ts")],
    outfile: join(dist, "cli.js"),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    banner: { js: "#!/usr/bin/env node" },
    metafile: true,
    absWorkingDir: REPOSITORY,
    logLevel: "error",
  });
  const [output] = Object.values(metafile.outputs);
  const packages = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.slice(1) ?? []);
  const licences = [...new Set(packages)].map(async (name) => {
    const text = await readFile(join(REPOSITORY, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text}`;
  });
  const text = (await Promise.all(licences)).join("\n\n");
  await writeFile(join(dist, "cli-licenses.txt"), text);
}
