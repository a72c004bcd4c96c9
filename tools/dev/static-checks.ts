/**
 * `npm run checks`: format, lint and types side by side. Prints what each says when it is through,
 * and exits 1 where any of them fails.
 */
import { spawn } from "node:child_process";

const CHECKS = ["format:check", "lint", "types"];

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;

function run(check: string): Promise<boolean> {
  const child = spawn("npm", ["run", check], { stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}
