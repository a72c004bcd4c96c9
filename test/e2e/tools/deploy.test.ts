import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { environmentConfig, writeEnvironment } from "../../../tools/lib/deploy/environment.ts";
import { ROOT, startWrangler } from "../../../tools/lib/wrangler.ts";

const DEV_SECRET = Buffer.alloc(32, 7).toString("base64");
const stateDir = mkdtempSync(join(tmpdir(), "centavo-deploy-"));

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

it("the sandbox builds with all its bindings", () => {
  const dryRun = spawnSync(
    process.execPath,
    [join(ROOT, "tools/ops/deploy.ts"), "--env", "sandbox", "--dry-run"],
    { encoding: "utf8" },
  );
  expect(dryRun.status, dryRun.stderr).toBe(0);
  const limiters = Object.values(RATE_LIMITS).map((policy) => policy.binding);
  const queues = ["WEBHOOKS", "PAYOUTS", "TASKS"].flatMap((name) => [name, `${name}_DEAD`]);
  for (const binding of ["COMPANY_ACCOUNT", "DB", "ASSETS", ...queues, ...limiters]) {
    expect(dryRun.stdout).toContain(`env.${binding}`);
  }
});

it("a deployed configuration that allows loopback webhooks refuses to start", async () => {
  const printed = await startAs("sandbox", [
    `SECRETS_KEY:${DEV_SECRET}`,
    "ALLOW_HTTP_LOOPBACK_WEBHOOKS:true",
  ]);
  expect(printed).toContain("Centavo refuses to start");
  expect(printed).toContain("ALLOW_HTTP_LOOPBACK_WEBHOOKS is for local development only");
});

it("the top level of the configuration is production, which refuses to start without its secrets key", async () => {
  const printed = await startAs(null, []);
  expect(printed).toContain("SECRETS_KEY must be set as a secret of this environment");
});

it("a deployed configuration with its own secrets key and its limiters starts", async () => {
  const printed = await startAs("sandbox", [`SECRETS_KEY:${DEV_SECRET}`]);
  expect(printed).toContain("Ready on");
  expect(printed).not.toContain("refuses to start");
});

/** Starts the sandbox, or the top level, locally until it reports an error or its start. */
async function startAs(environment: "sandbox" | null, variables: string[]): Promise<string> {
  const child = startWrangler([
    "dev",
    ...(environment === null
      ? []
      : ["--config", writeEnvironment(`${environment}.test`, environmentConfig(environment))]),
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
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => {
      printed += String(chunk);
      if (/refuses to start|Ready on/.test(printed)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", () => resolve());
  });
  // SIGKILL would leave wrangler's own child, the service, behind.
  child.kill("SIGTERM");
  await ended;
  return printed;
}
