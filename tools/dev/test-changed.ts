/**
 * `npm run test:changed [-- <commit>]`: runs the tests that mirror what changed since a commit (the last one by default),
 * uncommitted work included. What starts the real service, and the model, kill, chaos and fuzz tests, run only in
 * `npm run check`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { testsOf } from "../lib/changed-tests.ts";
import { ROOT } from "../lib/root.ts";

const since = process.argv[2] ?? "HEAD";
const changed = [
  ...git("diff", "--name-only", since),
  ...git("ls-files", "--others", "--exclude-standard"),
];
const tests = testsOf(changed, (path) => existsSync(join(ROOT, path)));
if (tests.length === 0) {
  console.log(`No test mirrors the ${changed.length} files changed since ${since}.`);
} else {
  console.log(`Changed since ${since}: ${changed.length} files. Tests: ${tests.join(" ")}`);
  const { status } = spawnSync("vitest", ["run", ...tests], { cwd: ROOT, stdio: "inherit" });
  process.exitCode = status ?? 1;
}

function git(...parameters: string[]): string[] {
  const printed = execFileSync("git", parameters, { cwd: ROOT, encoding: "utf8" });
  return printed.split("\n").filter((line) => line !== "");
}
