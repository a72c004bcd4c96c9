import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { environmentConfig, writeEnvironment } from "../../../tools/lib/deploy/environment.ts";
import { FakePlatform } from "../../support/fakes/platform.ts";
import { ROOT, startWrangler } from "../../../tools/lib/wrangler.ts";

const DEV_SECRET = Buffer.alloc(32, 7).toString("base64");
const stateDir = mkdtempSync(join(tmpdir(), "centavo-deploy-"));

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

describe("by the real wrangler, an account", () => {
  const platform = new FakePlatform();
  let base: string;
  let folder: string;
  const worker = () => platform.workers.get("centavo");
  const versionIds = () => platform.versions.map(({ id }) => id);

  beforeAll(async () => {
    base = await platform.start();
    folder = givenCheckout(base);
  });

  afterAll(() => {
    platform.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command of the repository; everything that it and wrangler call is the fake on loopback. */
  async function run(tool: string, args: string[], commit = "0123456789ab") {
    const child = spawn(process.execPath, [join(ROOT, "tools/ops", tool), ...args], {
      env: {
        ...process.env,
        CI: undefined,
        CLOUDFLARE_API_BASE_URL: base,
        CLOUDFLARE_API_TOKEN: "t",
        // Wrangler asks it for newer versions when it fails.
        npm_config_registry: base,
        WORKERS_CI_COMMIT_SHA: commit,
        WRANGLER_CONFIG: join(folder, "wrangler.toml"),
      },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (printed += String(chunk)));
    }
    const status = await new Promise((ended) => child.once("close", ended));
    return { status, printed };
  }

  async function deployed(args: string[], commit?: string): Promise<string> {
    const { status, printed } = await run("deploy.ts", ["--no-alarms", ...args], commit);
    expect(status, printed).toBe(0);
    expect(platform.unknown).toEqual([]);
    return printed;
  }

  it("that is empty has a service after one command", async () => {
    const printed = await deployed([]);
    expect(printed).toContain(worker()?.secrets.get("SECRETS_KEY"));
    const names = worker()?.bindings.map(({ name }) => name);
    const limiters = Object.values(RATE_LIMITS).map((policy) => policy.binding);
    const queues = ["WEBHOOKS", "PAYOUTS", "TASKS"].flatMap((name) => [name, `${name}_DEAD`]);
    const own = [
      "COMPANY_ACCOUNT",
      "SERVICE_STATE",
      "DB",
      "DB_2",
      "ARCHIVE",
      "ASSETS",
      "COMMIT",
      "SCHEMA",
      "PUBLIC_URL",
    ];
    expect(names).toEqual(expect.arrayContaining([...own, ...queues, ...limiters]));
    expect([...platform.consumers.keys()].toSorted()).toEqual(platform.queues.toSorted());
    expect(platform.crons).toEqual(["* * * * *"]);
    expect(worker()?.migrationTag).toBe("v2");
    expect([...platform.buckets.keys()]).toEqual(["centavo-archive"]);
    expect(printed).toContain("Smoke test: charge tx was paid");
  });

  it("that has it gets the next version of the script, and no second bucket or lifecycle", async () => {
    platform.calls = [];
    await deployed([], "1123456789ab");
    expect(platform.calls.filter((call) => /^(?:PUT|POST) .*\/r2\//.test(call))).toEqual([]);
    expect(platform.calls.join("\n")).toMatch(/POST .*scripts\/centavo\/versions\n/);
    expect(platform.versions).toHaveLength(2);
    const all = [{ version_id: versionIds()[1], percentage: 100 }];
    expect(platform.deployments.at(0)?.versions).toEqual(all);
    expect([...worker()!.secrets.keys()]).toEqual(["SECRETS_KEY"]);
  });

  it("gives new code a share by --percent, and more of the same", async () => {
    for (const percent of [10, 60]) {
      await deployed(["--percent", String(percent)], "2123456789ab");
      expect(platform.deployments.at(0)?.versions).toEqual([
        { version_id: versionIds()[1], percentage: 100 - percent },
        { version_id: versionIds()[2], percentage: percent },
      ]);
    }
    expect(platform.versions).toHaveLength(3);
  });

  it("takes the share back by a rollback", async () => {
    const { status, printed } = await run("rollback.ts", []);
    expect(status, printed).toBe(0);
    const all = [{ version_id: versionIds()[1], percentage: 100 }];
    expect(platform.deployments.at(0)?.versions).toEqual(all);
    expect(platform.unknown).toEqual([]);
  });

  it("takes a changed migration of objects by a whole deploy only", async () => {
    const config = join(folder, "wrangler.toml");
    const third = '[[migrations]]\ntag = "v3"\nnew_sqlite_classes = ["Later"]\n\n[[ratelimits]]';
    writeFileSync(config, readFileSync(config, "utf8").replace("[[ratelimits]]", third));
    const shared = await run("deploy.ts", ["--no-alarms", "--percent", "10"], "3123456789ab");
    expect(shared.status).toBe(1);
    expect(shared.printed).toContain("Deploy it without --percent");
    expect(platform.versions).toHaveLength(3);
    await deployed([], "3123456789ab");
    expect(worker()?.migrationTag).toBe("v3");
  });

  it("with a changed migration takes the next version without one", async () => {
    await deployed([], "4123456789ab");
    expect(worker()?.migrationTag).toBe("v3");
    expect(platform.versions).toHaveLength(5);
  });

  it("without R2 is deployed without an archive, and is told so at the end", async () => {
    platform.r2Refusal = { status: 403, code: 10_042 };
    const printed = await deployed([], "5123456789ab");
    expect(printed.slice(printed.indexOf("Back to the version before"))).toContain("NO ARCHIVE");
    expect(worker()?.bindings.map(({ name }) => name)).not.toContain("ARCHIVE");
  });
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
