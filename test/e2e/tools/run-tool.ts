import { execFile } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../../tools/lib/wrangler.ts";

/** How a tool of operators ended. */
export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
  /** Both, one after the other. */
  output: string;
}

/** Runs a script of `tools/ops` to its end. */
export function runTool(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<Ended> {
  return runScript(join("tools/ops", script), args, env);
}

/**
 * Runs a script of the repository to its end. The test's own event loop goes on meanwhile: else it would not see that
 * the service closes an idle connection, and send the next request on it.
 */
export function runScript(
  path: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((ended) => {
    const command = [join(ROOT, path), ...args];
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const status = typeof code === "number" ? code : 1;
      ended({ status, stdout, stderr, output: stdout + stderr });
    });
  });
}
