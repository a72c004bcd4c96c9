import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./root.ts";
import { ensureSite } from "./site.ts";
import { configFile } from "./wrangler-config.ts";

export { ROOT } from "./root.ts";
const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/** Keeps local runs offline and without notices. */
const QUIET = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
};

/** The commands that read the files which the service serves. */
const WITH_FILES = new Set(["dev", "deploy", "versions"]);

/** Runs wrangler and returns its output. Throws with the output when it fails. */
export function runWrangler(args: string[]): string {
  if (WITH_FILES.has(args[0] ?? "")) ensureSite();
  const config = args.includes("--config") ? [] : ["--config", configFile()];
  const done = spawnSync(process.execPath, [WRANGLER, ...args, ...config], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET, CI: "1" },
    encoding: "utf8",
  });
  if (done.status !== 0) {
    throw new Error(`wrangler ${args.join(" ")} failed:\n${done.stdout}\n${done.stderr}`);
  }
  return done.stdout;
}

/** As `runWrangler`, while the caller's connections live on. Rejects with the output when it fails. */
export async function wranglerOutput(args: string[]): Promise<string> {
  const child = startWrangler(args, { CI: "1" });
  const [stdout, stderr] = [child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream ?? []) text += String(chunk);
    return text;
  });
  const status = await new Promise((ended) => child.once("close", ended));
  if (status === 0) return (await stdout) ?? "";
  throw new Error(`wrangler ${args.join(" ")} failed:\n${await stdout}\n${await stderr}`);
}

/** Starts wrangler without waiting for it to end. */
export function startWrangler(args: string[], env: Record<string, string> = {}): ChildProcess {
  if (WITH_FILES.has(args[0] ?? "")) ensureSite();
  const config = args.includes("--config") ? [] : ["--config", configFile()];
  return spawn(process.execPath, [WRANGLER, ...args, ...config], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs SQL by `wrangler d1 execute`, from a temporary file. */
export function executeSql(sql: string, where: string[], database = "DB"): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  try {
    const file = join(folder, "statements.sql");
    writeFileSync(file, sql, { mode: 0o600 });
    return runWrangler(["d1", "execute", database, ...where, "--yes", "--file", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
