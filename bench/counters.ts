/** Counts rows and trips exactly, in workerd, by the vitest project `bench`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../tools/lib/wrangler.ts";
import type { Counted } from "./lib/counted.ts";
import type { Size } from "./lib/size.ts";

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

interface Report {
  success: boolean;
  testResults: {
    message: string;
    assertionResults: { title: string; meta: { counted?: object }; failureMessages: string[] }[];
  }[];
}

const COUNTERS = ["counters.test.ts", "history.test.ts"];

/** Counts the rows and trips of calls, lifecycles and history. Throws with the failures. */
export function countAll(size: Size): Counted {
  return runCounters(COUNTERS, size) as unknown as Counted;
}

/** Runs files of bench/workerd/counters. Returns the counts of each test, by its title. */
export function runCounters(files: string[], size: Size): Record<string, object> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-bench-"));
  try {
    const report = join(folder, "report.json");
    const paths = files.map((file) => `bench/workerd/counters/${file}`);
    const options = ["--project", "bench", "--reporter=json", `--outputFile=${report}`];
    const done = spawnSync(process.execPath, [VITEST, "run", ...paths, ...options], {
      cwd: ROOT,
      env: { ...process.env, BENCH_SIZE: size },
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(`the counters failed:\n${failuresOf(report, done)}`);
    return countedIn(JSON.parse(readFileSync(report, "utf8")) as Report);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function countedIn(report: Report): Record<string, object> {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  return Object.fromEntries(tests.map(({ title, meta }) => [title, meta.counted ?? {}]));
}

function failuresOf(file: string, done: { stdout: string; stderr: string }): string {
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    const tests = report.testResults.flatMap((each) => each.assertionResults);
    const ofTests = tests.flatMap((test) => test.failureMessages);
    const ofFiles = report.testResults.map(({ message }) => message);
    return ofFiles.concat(ofTests).join("\n");
  } catch {
    return `${done.stdout}\n${done.stderr}`;
  }
}
