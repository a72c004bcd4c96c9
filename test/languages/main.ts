/**
 * `npm run test:languages`: runs the clients, samples and generated code of other languages with the interpreters that
 * this machine has, against a local service of its own. Says loudly what did not run and why. Exits with 1 only where
 * something ran and failed.
 */
import { rmSync } from "node:fs";
import { startService } from "../../tools/lib/service.ts";
import { givenStateDir } from "../e2e/state-dir.ts";
import { CHECKS, isInstalled } from "./checks.ts";

/** No machine that reaches only npm and Debian can run these. */
const UNREACHABLE = ["openapi-generator (its jar is on Maven, neither on npm nor in Debian)"];

const installed = await Promise.all(CHECKS.map(({ needs }) => isInstalled(needs)));
const runnable = CHECKS.filter((_check, index) => installed[index]);
const skipped = [
  ...CHECKS.filter((_check, index) => !installed[index]).map(
    ({ name, needs }) => `${name} (not installed: ${needs.name})`,
  ),
  ...UNREACHABLE,
];
const failed = runnable.length === 0 ? 0 : await runAll();
for (const name of skipped) console.log(`NOT RUN: ${name}`);
if (runnable.length > 0)
  console.log(`${runnable.length - failed} passed, ${failed} failed, ${skipped.length} skipped`);
if (failed > 0) process.exitCode = 1;

/** Runs one after the other; returns how many failed. */
async function runAll(): Promise<number> {
  const stateDir = await givenStateDir("languages");
  const service = await startService({ stateDir });
  let failures = 0;
  try {
    for (const { name, run } of runnable) {
      const begun = Date.now();
      const error = await run(service.base).then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      if (error !== null) failures += 1;
      const seconds = ((Date.now() - begun) / 1_000).toFixed(1);
      console.log(`${error === null ? "PASSED" : "FAILED"}: ${name} (${seconds} s)`);
      if (error !== null) console.log(error.message);
    }
  } finally {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
  return failures;
}
