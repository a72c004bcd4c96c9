import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { environmentConfig, writeEnvironment } from "../../../tools/lib/deploy/environment.ts";
import { FakePlatform } from "../../support/fakes/platform.ts";
import { ROOT, startWrangler } from "../../../tools/lib/wrangler.ts";

const DEV_SECRET = Buffer.alloc(32, 7).toString("base64");
const stateDir = mkdtempSync(join(tmpdir(), "centavo-deploy-"));

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

it("one command makes a service of an empty account, by the real wrangler", async () => {
  const platform = new FakePlatform();
  const base = await platform.start();
  const folder = givenCheckout(base);
  const deploy = spawn(process.execPath, [join(ROOT, "tools/ops/deploy.ts")], {
    env: {
      ...process.env,
      CI: undefined,
      CLOUDFLARE_API_BASE_URL: base,
      CLOUDFLARE_API_TOKEN: "t",
      WRANGLER_CONFIG: join(folder, "wrangler.toml"),
    },
  });
  let printed = "";
  for (const stream of [deploy.stdout, deploy.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += String(chunk)));
  }
  const status = await new Promise((ended) => deploy.once("close", ended));
  platform.stop();
  rmSync(folder, { recursive: true });

  expect(status, printed).toBe(0);
  const worker = platform.workers.get("centavo");
  expect(printed).toContain(worker?.secrets.get("SECRETS_KEY"));
  const names = worker?.bindings.map(({ name }) => name);
  const limiters = Object.values(RATE_LIMITS).map((policy) => policy.binding);
  const queues = ["WEBHOOKS", "PAYOUTS", "TASKS"].flatMap((name) => [name, `${name}_DEAD`]);
  const own = ["COMPANY_ACCOUNT", "DB", "DB_2", "ASSETS", "COMMIT", "SCHEMA", "PUBLIC_URL"];
  expect(names).toEqual(expect.arrayContaining([...own, ...queues, ...limiters]));
  expect([...platform.consumers.keys()].toSorted()).toEqual(platform.queues.toSorted());
  expect(platform.crons).toEqual(["* * * * *"]);
  expect(printed).toContain("Smoke test: charge tx was paid");
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

/** A folder whose `wrangler.toml` deploys this code to a service at the address, and that keeps what a deploy writes. */
function givenCheckout(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-deploy-"));
  for (const name of ["node_modules", "src", "migrations", "package.json", "tsconfig.json"]) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  const vars = "[env.production.vars]";
  const own = `[env.production]\nroutes = []\n\n${vars}\nPUBLIC_URL = "${url}"`;
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8").replace(vars, own);
  writeFileSync(join(folder, "wrangler.toml"), config);
  return folder;
}
