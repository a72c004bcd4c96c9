import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { runWrangler } from "../../tools/lib/wrangler.ts";
import { preparedState } from "./state-dir.ts";

/** Has a start bundle the Worker itself, as a developer's does. */
export const UNBUNDLED = { BUNDLED_WORKER: undefined };

/** What a wrangler command takes so that it bundles nothing. */
export function bundledWorker(): string[] {
  const { BUNDLED_WORKER: path } = process.env;
  if (path === undefined) throw new Error("vitest has not bundled the Worker");
  return [path, "--no-bundle"];
}

/**
 * Vitest's global setup of the projects that start the service: bundles the Worker and prepares a database once, as each
 * start does, of which that is most of the cost.
 */
export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  // Another project of this run was faster.
  if (process.env["BUNDLED_WORKER"] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "centavo-bundle-"));
  const bundle = () => void runWrangler(["deploy", "--dry-run", "--outdir", folder]);
  bundle();
  project.onTestsRerun(bundle);
  process.env["BUNDLED_WORKER"] = join(folder, "index.js");
  await preparedState();
  return () => rmSync(folder, { recursive: true });
}
