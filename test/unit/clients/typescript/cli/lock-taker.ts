/**
 * Takes the lock of the first argument from any holder, and dies holding it. Exits with 1 if
 * another process is inside at the same time, as the folder of the second argument shows.
 */
import { mkdirSync, rmdirSync } from "node:fs";
import { lock } from "../../../../../clients/typescript/cli/lock.ts";
import { CliError } from "../../../../../clients/typescript/cli/failure.ts";

const [, , file = "", inside = ""] = process.argv;
/** Long enough for two processes to meet inside. */
const ATTEMPTS = 200;

let unlock = tryLock();
for (; unlock === null; unlock = tryLock()) await new Promise(setImmediate);
for (let look = 0; look < ATTEMPTS; look++) {
  mkdirSync(inside);
  rmdirSync(inside);
}
process.kill(process.pid, "SIGKILL");

function tryLock(): (() => void) | null {
  try {
    return lock(file);
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
