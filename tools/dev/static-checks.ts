/**
 * `npm run check:static`: checks types, lint of code and style sheets, format and dead code in parallel. Prints the output of each
 * check as it ends, and exits with 1 if one fails.
 */
import { spawn } from "node:child_process";

const CHECKS = [
  ["tsc", "-p", "tsconfig.json"],
  ["tsc", "-p", "tsconfig.node.json"],
  ["tsc", "-p", "clients/typescript/tsconfig.json", "--noEmit"],
  ["oxlint", "--type-aware", "--deny-warnings"],
  ["oxfmt", "--check"],
  ["stylelint", "src/**/*.css"],
  ["knip"],
];

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;

/** npm puts `node_modules/.bin` into the PATH of its scripts. */
function run([tool = "", ...options]: string[]): Promise<boolean> {
  const child = spawn(tool, options, { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      process.stdout.write(
        `${[tool, ...options].join(" ")}: ${code === 0 ? "passed" : "failed"}\n`,
      );
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}
