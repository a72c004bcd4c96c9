/** What the service serves as files, `dist/assets`: the docs site above all. `tools/site/build.ts` builds it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** The folder that `wrangler.toml` names: a link to the present build. */
export const ASSETS = join(ROOT, "dist/assets");
const DIGEST = join(ASSETS, "digest.txt");

/** All that the site is made of, and the versions of what makes it. */
const INPUTS = [
  "docs/*.md",
  "docs/guide/**/*.md",
  "examples/**/*.*",
  "tools/site/**/*.*",
  "tools/lib/webhook-examples.ts",
  "src/domain/scenarios/**/*.*",
  "src/domain/shared/problem.ts",
  "src/pages/shared/look/mark.ts",
];
const PACKAGES = ["@astrojs/starlight", "astro", "swagger-ui-dist"];

/** Builds the site, unless it is there as it would be built. Takes ten seconds. */
export function ensureSite(): void {
  if (isBuilt()) return;
  console.error("Building the docs site, once for these sources ...");
  execFileSync(process.execPath, [join(ROOT, "tools/site/build.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Whether the site is there, made of what is there now. */
export function isBuilt(): boolean {
  return existsSync(DIGEST) && readFileSync(DIGEST, "utf8") === digestOfInputs();
}

export function digestOfInputs(): string {
  const digest = createHash("sha256");
  const packages = PACKAGES.map((name) => `node_modules/${name}/package.json`);
  for (const file of [...globSync(INPUTS, { cwd: ROOT }), ...packages].toSorted()) {
    digest.update(`\n${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return digest.digest("hex");
}
