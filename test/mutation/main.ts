/**
 * `npm run test:mutants`: injects small bugs into copies of the project, one at a time, and runs
 * the tests that must find them. `-- --only <name>,<name>` selects mutants whose name contains a
 * part. Exits 1 if a mutant survives or cannot be run.
 */
import { parseArgs } from "node:util";
import { runMutants, type MutantResult } from "./run.ts";
import { MUTANTS } from "./table.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const wanted = values.only.split(",");
const chosen = MUTANTS.filter(({ name }) => wanted.some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error(`no mutant is named ${values.only}`);
const begun = Date.now();
console.log(`${chosen.length} mutants; first their tests without one`);
const results = await runMutants(chosen, printResult);
const count = (kind: MutantResult["outcome"]["kind"]) =>
  results.filter(({ outcome }) => outcome.kind === kind).length;
console.log(
  `${results.length} mutants: killed ${count("killed")}, survived ${count("survived")}, ` +
    `broken ${count("broken")}; ${Math.round((Date.now() - begun) / 1_000)} s`,
);
if (count("killed") < results.length) process.exitCode = 1;

function printResult({ mutant, outcome, seconds }: MutantResult): void {
  const rest =
    outcome.kind === "survived" ? "" : `: ${outcome.kind === "killed" ? outcome.by : outcome.why}`;
  console.log(`${outcome.kind} ${mutant.name} (${seconds} s)${rest}`);
}
