import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** Runs vitest with these options and variables. `printed` is all of its output. */
export async function runVitest(
  options: string[],
  variables: Record<string, string>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(
    join(ROOT, "node_modules/.bin/vitest"),
    ["run", "--silent=false", ...options],
    { cwd: ROOT, env: { ...process.env, ...variables }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, printed: Buffer.concat(printed).toString("utf8") };
}
