import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT, startWrangler } from "../../../tools/lib/wrangler.ts";

const DEV_SECRET = Buffer.alloc(32, 7).toString("base64");
const stateDir = mkdtempSync(join(tmpdir(), "centavo-deploy-"));

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

it.each(["sandbox", "production"])("the %s environment builds with all its bindings", (name) => {
  const dryRun = spawnSync(
    process.execPath,
    [join(ROOT, "tools/ops/deploy.ts"), "--env", name, "--dry-run"],
    { encoding: "utf8" },
  );
  expect(dryRun.status, dryRun.stderr).toBe(0);
  for (const binding of [
    "COMPANY_ACCOUNT",
    "WEBHOOKS",
    "PAYOUTS",
    "TASKS",
    "DB",
    "ASSETS",
    "RATE_LIMITER",
  ]) {
    expect(dryRun.stdout).toContain(`env.${binding}`);
  }
});

it("a deployed configuration that allows loopback webhooks refuses to start", async () => {
  const printed = await startAs("production", [
    `SECRETS_KEY:${DEV_SECRET}`,
    "ALLOW_HTTP_LOOPBACK_WEBHOOKS:true",
  ]);
  expect(printed).toContain("Centavo refuses to start");
  expect(printed).toContain("ALLOW_HTTP_LOOPBACK_WEBHOOKS is for local development only");
});

it("a deployed configuration without its own secrets key refuses to start", async () => {
  const printed = await startAs("sandbox", []);
  expect(printed).toContain("SECRETS_KEY must be set as a secret of this environment");
});

/** Starts an environment locally until it reports an error or its start. */
async function startAs(environment: string, variables: string[]): Promise<string> {
  const child = startWrangler([
    "dev",
    "--env",
    environment,
    "--port",
    "0",
    "--inspector-port",
    "0",
    "--persist-to",
    stateDir,
    "--show-interactive-dev-session=false",
    ...variables.flatMap((variable) => ["--var", variable]),
  ]);
  let printed = "";
  await new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => {
      printed += String(chunk);
      if (/refuses to start|Ready on/.test(printed)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", () => resolve());
  });
  child.kill("SIGKILL");
  return printed;
}
