/**
 * `npm run test:upgrade -- <commit> [<commit> ...]`: for each, starts the service of that commit, installed anew, lets a
 * shop sell and withdraw at it, starts this checkout's service on its state and port in the middle, and proves that
 * nothing was lost, doubled or forgotten. Exits with 1 after a problem, with 2 without a commit. Needs git and the npm
 * registry.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../tools/lib/root.ts";
import { upgradeFrom } from "./lib/run.ts";

const commits = process.argv.slice(2);
if (commits.length === 0) {
  console.error("Which commit? npm run test:upgrade -- <commit> [<commit> ...]");
  process.exit(2);
}
for (const commit of commits) {
  const directory = mkdtempSync(join(tmpdir(), "centavo-upgrade-"));
  const checkout = join(directory, "checkout");
  try {
    execFileSync("git", ["clone", "--quiet", "--no-checkout", ROOT, checkout]);
    execFileSync("git", ["checkout", "--quiet", commit], { cwd: checkout });
    execFileSync("npm", ["ci", "--silent"], { cwd: checkout, stdio: "inherit" });
    const done = await upgradeFrom(checkout, join(directory, "state"));
    const counts = Object.entries(done.acknowledged).map(([kind, many]) => `${kind} ${many}`);
    console.log(
      `${commit}: acknowledged: ${counts.join(", ")}; ${done.refused} requests waited; ` +
        `no answer for ${done.silentSeconds} s; problems: ${done.problems.length}`,
    );
    for (const problem of done.problems) console.error(`  ${problem}`);
    if (done.problems.length > 0) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
