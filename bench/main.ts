/**
 * `npm run bench`: measures every goal of docs/performance.md and writes docs/generated/bench.md. `--json`
 * prints the goals last. `--quick` has fewer repeats and less history, and writes nothing without `--write`;
 * `--smoke` measures each thing once, to see that it can be: of its figures only the counts mean anything.
 * `--only counters,start` runs some parts. Exits with 0 also when a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../tools/lib/wrangler.ts";
import { goalsJson, type Findings } from "./lib/goals.ts";
import { goalLines, tableLines, writeReport } from "./lib/report.ts";
import type { Size } from "./lib/size.ts";
import { Bench, PARTS, type Part } from "./parts.ts";

const REPORT = join(ROOT, "docs/generated/bench.md");

const ABOUT: Record<Size, string> = {
  full: "Full",
  quick: "Quick: fewer repeats, a history of 100,000 rows at most",
  smoke: "Smoke: each thing once",
};

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

const startedAt = Date.now();
const names = options.only?.split(",") ?? Object.keys(PARTS);
const size: Size = options.smoke ? "smoke" : options.quick ? "quick" : "full";
const bench = new Bench(size);
const findings: Findings = { goals: [], tables: [] };
for (const name of names) {
  const part = PARTS[name as Part];
  if (part === undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(", ")}`);
  console.error(`${name} ...`);
  const { goals, tables } = await part(bench);
  findings.goals.push(...goals);
  findings.tables.push(...tables);
}

const day = new Date().toISOString().slice(0, 10);
const about = `${ABOUT[size]}; ${day}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), Node ${process.version}`;
console.log(findings.tables.map(tableLines).join("\n"));
console.log(`\n${about}; ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
console.log(goalLines(findings.goals));
if (options.write || (size === "full" && options.only === undefined)) {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  writeReport(
    REPORT,
    {
      commit: commit.trim(),
      about,
      command: size === "full" ? "npm run bench" : `npm run bench -- --${size}`,
    },
    findings,
  );
  execFileSync(process.execPath, [join(ROOT, "node_modules/oxfmt/bin/oxfmt"), REPORT]);
}
if (options.json) console.log(goalsJson(findings.goals));
