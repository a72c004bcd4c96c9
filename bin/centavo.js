#!/usr/bin/env node
// Runs the CLI, which is TypeScript, in this Node if it is new enough, else in the package's own Node.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const main = new URL("../clients/typescript/cli/main.ts", import.meta.url);
const packageNode = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
/** The first version that runs TypeScript without a flag and without a warning. */
const NODE_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) {
  await import(main.href);
} else {
  // The IPC channel closes when this process dies, also by kill -9: the child then stops.
  const child = spawn(packageNode, [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`centavo cannot start Node ${NODE_MAJOR} (${error.message}). Run npm install.`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
