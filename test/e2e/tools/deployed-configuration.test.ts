import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { environmentConfig, writeEnvironment } from "../../../tools/lib/deploy/environment.ts";
import { startWrangler } from "../../../tools/lib/wrangler.ts";
import { bundledWorker } from "../bundled-worker.ts";

const DEV_SECRET = Buffer.alloc(32, 7).toString("base64");
const stateDir = mkdtempSync(join(tmpdir(), "centavo-deploy-"));

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

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
    ...bundledWorker(),
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
