import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import { copyTree, type Tree } from "./tree.ts";

/** Concurrent mutants: one per core of a small machine. */
const CONCURRENCY = 2;
/** The limit of a mutant's tests, which may hang; the slowest ones take a fifth of it. */
const RUN_MAX_MS = 180_000;
/**
 * The limit of the baseline, which runs all named tests once: over a hundred times the time of
 * one.
 */
const BASELINE_MAX_MS = 1_800_000;
const REPORT = "mutant-report.json";
/** The project of a test file, by its folder; no other project may be named. */
const PROJECTS: Record<string, string> = { unit: "unit", worker: "worker", security: "worker" };

/** `broken`: nothing was tested, because the table has a mistake. */
type MutantOutcome =
  | { kind: "killed"; by: string }
  | { kind: "survived" }
  | { kind: "broken"; why: string };

export interface MutantResult {
  mutant: Mutant;
  outcome: MutantOutcome;
  seconds: number;
}

/**
 * Runs each mutant's tests in a copy of the project with the mutant, two at a time, after a
 * baseline without mutants. Calls `onResult` for each mutant.
 */
export async function runMutants(
  mutants: readonly Mutant[],
  onResult: (fate: MutantResult) => void,
): Promise<MutantResult[]> {
  const trees: Tree[] = [];
  try {
    for (let tree = 0; tree < Math.min(CONCURRENCY, mutants.length); tree++) trees.push(copyTree());
    const failing =
      trees[0] === undefined ? new Set<string>() : await failingTests(trees[0], mutants);
    const waiting = [...mutants];
    const fates: MutantResult[] = [];
    const work = async (tree: Tree) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const begun = Date.now();
        const outcome = await outcomeOf(tree, mutant, failing);
        const seconds = Math.round((Date.now() - begun) / 1_000);
        fates.push({ mutant, outcome, seconds });
        onResult({ mutant, outcome, seconds });
      }
    };
    await Promise.all(trees.map(work));
    return fates;
  } finally {
    for (const tree of trees) tree.remove();
  }
}

/** The error in a mutant's definition; null if there is none. */
export function definitionErrorOf(
  { file, text, replacement, tests }: Mutant,
  root: string,
): string | null {
  const times = readFileSync(join(root, file), "utf8").split(text).length - 1;
  if (times !== 1) return `its text is ${times} times in ${file}`;
  if (text === replacement) return "it changes nothing";
  if (tests.length === 0) return "it names no test";
  return null;
}

/** The test files that fail without a mutant, which prove nothing. */
async function failingTests(tree: Tree, mutants: readonly Mutant[]): Promise<Set<string>> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  const failing = new Set<string>();
  for (const [project, files] of Map.groupBy(tests, projectOf)) {
    const ended = await runTests(tree, project, files, BASELINE_MAX_MS, "all");
    if (ended === "passed") continue;
    const report = ended === "hung" ? null : readReport(tree);
    if (report === null) throw new Error("the tests fail without a mutant");
    const failed = report.testResults.filter(({ status }) => status === "failed");
    // Its runtime did not start, or the like.
    if (failed.length === 0) throw new Error(`the ${project} tests do not run without a mutant`);
    const isFailed = (test: string) => failed.some(({ name }) => name.endsWith(test));
    for (const test of files.filter(isFailed)) failing.add(test);
  }
  return failing;
}

async function outcomeOf(tree: Tree, mutant: Mutant, failing: Set<string>): Promise<MutantOutcome> {
  const unfit = mutant.tests.find((test) => failing.has(test));
  if (unfit !== undefined) return { kind: "broken", why: `${unfit} fails without it` };
  const mistake = definitionErrorOf(mutant, tree.path);
  if (mistake !== null) return { kind: "broken", why: mistake };
  const file = join(tree.path, mutant.file);
  const sound = readFileSync(file, "utf8");
  writeFileSync(
    file,
    sound.replace(mutant.text, () => mutant.replacement),
  );
  try {
    for (const [project, files] of Map.groupBy(mutant.tests, projectOf)) {
      const ended = await runTests(tree, project, files, RUN_MAX_MS, "first");
      if (ended === "hung") return { kind: "killed", by: `no end within ${RUN_MAX_MS / 1_000} s` };
      if (ended === "failed") return outcomeIn(readReport(tree));
    }
    return { kind: "survived" };
  } finally {
    writeFileSync(file, sound);
  }
}

/** Runs test files until the `first` failure or to the end. The report is then in the tree. */
async function runTests(
  tree: Tree,
  project: string,
  tests: string[],
  limitMs: number,
  until: "first" | "all",
): Promise<"passed" | "failed" | "hung"> {
  const report = join(tree.path, REPORT);
  rmSync(report, { force: true });
  const child = spawn(
    join(tree.path, "node_modules/.bin/vitest"),
    [
      "run",
      ...(until === "first" ? ["--bail=1"] : []),
      "--reporter=json",
      `--outputFile=${report}`,
      `--project=${project}`,
      ...tests,
    ],
    { cwd: tree.path, detached: true, stdio: "ignore" },
  );
  const limit = Promise.withResolvers<"hung">();
  const timer = setTimeout(() => limit.resolve("hung"), limitMs);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const code = await Promise.race([ended, limit.promise]).finally(() => clearTimeout(timer));
  if (code !== "hung") return code === 0 ? "passed" : "failed";
  // The process group includes the runtimes that it started.
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
  return "hung";
}

/** The used part of the runner's report. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

function readReport(tree: Tree): Report | null {
  try {
    return JSON.parse(readFileSync(join(tree.path, REPORT), "utf8")) as Report;
  } catch {
    return null;
  }
}

function outcomeIn(report: Report | null): MutantOutcome {
  if (report === null) return { kind: "broken", why: "the tests did not run" };
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === "failed");
  if (failed !== undefined) return { kind: "killed", by: failed.fullName };
  const message = report.testResults.find((result) => result.message !== "")?.message;
  return { kind: "broken", why: message ?? "no test failed, and yet not all is well" };
}

function projectOf(test: string): string {
  const folder = test.split("/")[1] ?? "";
  const project = PROJECTS[folder];
  if (project === undefined)
    throw new Error(`${test} is not in a vitest project that runs mutants`);
  return project;
}
