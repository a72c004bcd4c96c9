/**
 * Takes the lock of the first argument whoever has it now, and dies holding it. Exits with 1 where
 * another one is inside at the same time, which the folder of the second argument tells.
 */
import { mkdirSync, rmdirSync } from "node:fs";
import { lock } from "../../../tools/cli/lock.ts";
import { Failure } from "../../../tools/cli/failure.ts";

const [, , file = "", inside = ""] = process.argv;
/** Long enough that two who are inside meet. */
const LOOKS = 200;

let unlock = taken();
for (; unlock === null; unlock = taken()) await new Promise(setImmediate);
for (let look = 0; look < LOOKS; look++) {
  mkdirSync(inside);
  rmdirSync(inside);
}
process.kill(process.pid, "SIGKILL");

function taken(): (() => void) | null {
  try {
    return lock(file);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
