import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

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
    const { stdout } = await run("npm", ["pack", staged, "--json", "--pack-destination", folder]);
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    return join(folder, packed?.filename ?? "");
  } finally {
    await rm(staged, { recursive: true });
  }
}
