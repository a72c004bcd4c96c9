/**
 * `npm run test:shop [-- --orders 1000]`: sells with the real Vendure server and its plugin (clients/vendure) through a
 * service of its own. Without the shop's packages it says so, and is no failure; CENTAVO_SHOP=1 installs them.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LOCAL_APPROVER, LOCAL_COMPANIES } from "../lib/local-companies.ts";
import { startService } from "../lib/service.ts";
import { ROOT } from "../lib/wrangler.ts";

const PLUGIN = join(ROOT, "clients/vendure");
const CLIENT = join(ROOT, "clients/typescript/tsconfig.json");
const TSC = join(ROOT, "node_modules/.bin/tsc");
const NOT_RUN = "NOT RUN: shop (cd clients/vendure && npm ci)";

const { values } = parseArgs({ options: { orders: { type: "string", default: "30" } } });

if (process.env["CENTAVO_SHOP"] === "1") await run("npm", ["ci"], PLUGIN);
if (existsSync(join(PLUGIN, "node_modules/@vendure/core"))) await sell();
else console.log(`\n${"!".repeat(NOT_RUN.length)}\n${NOT_RUN}\n${"!".repeat(NOT_RUN.length)}\n`);

async function sell(): Promise<void> {
  await run(TSC, ["-p", CLIENT], ROOT);
  await run(join(PLUGIN, "node_modules/.bin/tsc"), ["-p", "."], PLUGIN);
  const stateDir = mkdtempSync(join(tmpdir(), "centavo-shop-"));
  const service = await startService({ stateDir });
  const [company] = LOCAL_COMPANIES;
  const gateway = { baseUrl: service.base, ...company, approver: LOCAL_APPROVER };
  const env = { SHOP_GATEWAY: JSON.stringify(gateway) };
  try {
    const { execPath } = process;
    await run(execPath, ["--test", "dist/test/checks.test.js"], PLUGIN, env);
    await run(execPath, ["dist/test/orders.js", values.orders], PLUGIN, env);
  } finally {
    await service.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Runs a program to its end. Throws where it fails. */
function run(program: string, args: string[], cwd: string, env = {}): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}.`));
    });
  });
}
