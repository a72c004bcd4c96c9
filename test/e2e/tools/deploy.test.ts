import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { deploy } from "../../../tools/lib/deploy/deploy.ts";
import { FakePlatform } from "../../support/fakes/platform.ts";
import { ROOT, wranglerOutput } from "../../../tools/lib/wrangler.ts";
import { bundledWorker } from "../bundled-worker.ts";
import { runTool } from "./run-tool.ts";

describe("by the real wrangler, an account", () => {
  const platform = new FakePlatform();
  let folder: string;
  const worker = () => platform.workers.get("centavo");
  const versionIds = () => platform.versions.map(({ id }) => id);

  beforeAll(async () => {
    const base = await platform.start();
    folder = givenCheckout(base);
    vi.stubEnv("CI", undefined);
    // Everything that the commands and wrangler call is the fake on loopback.
    vi.stubEnv("CLOUDFLARE_API_BASE_URL", base);
    vi.stubEnv("CLOUDFLARE_API_TOKEN", "t");
    // Wrangler asks it for newer versions when it fails.
    vi.stubEnv("npm_config_registry", base);
    vi.stubEnv("WRANGLER_CONFIG", join(folder, "wrangler.toml"));
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    platform.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs the command itself; answers what it printed. */
  async function deployedByCommand(args: string[], commit: string): Promise<string> {
    const { status, output } = await runTool("deploy.ts", ["--no-alarms", ...args], {
      WORKERS_CI_COMMIT_SHA: commit,
    });
    expect(status, output).toBe(0);
    expect(platform.unknown).toEqual([]);
    return output;
  }

  /** Wrangler, but with the suite's bundle, and without D1's migrations, of which it would find none any more. */
  async function wrangler(args: string[]): Promise<string> {
    const [command] = args;
    if (command === "d1") return platform.wrangler(args);
    return wranglerOutput(command === "deploy" ? [...args, ...bundledWorker()] : args);
  }

  /** Does what the command does, in this process; answers what it prints. */
  async function deployed(commit: string, percent = 100): Promise<string> {
    const printed: string[] = [];
    await deploy(
      { environment: "production", firstOperator: "Ana", percent, noAlarms: true },
      {
        wrangler,
        print: (text) => printed.push(text),
        wait: (ms) => expect.unreachable(`nothing takes ${ms} ms`),
        env: { ...process.env, WORKERS_CI_COMMIT_SHA: commit },
      },
    );
    expect(platform.unknown).toEqual([]);
    return printed.join("\n");
  }

  it("that is empty has a service after one command", async () => {
    const printed = await deployedByCommand([], "0123456789ab");
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
    await deployed("1123456789ab");
    expect(platform.calls.filter((call) => /^(?:PUT|POST) .*\/r2\//.test(call))).toEqual([]);
    expect(platform.calls.join("\n")).toMatch(/POST .*scripts\/centavo\/versions\n/);
    expect(platform.versions).toHaveLength(2);
    const all = [{ version_id: versionIds()[1], percentage: 100 }];
    expect(platform.deployments.at(0)?.versions).toEqual(all);
    expect([...worker()!.secrets.keys()]).toEqual(["SECRETS_KEY"]);
  });

  it("gives new code a share by --percent, and more of the same", async () => {
    const commit = "2123456789ab";
    const expectShare = (percent: number) =>
      expect(platform.deployments.at(0)?.versions).toEqual([
        { version_id: versionIds()[1], percentage: 100 - percent },
        { version_id: versionIds()[2], percentage: percent },
      ]);
    await deployedByCommand(["--percent", "10"], commit);
    expectShare(10);
    await deployed(commit, 60);
    expectShare(60);
    expect(platform.versions).toHaveLength(3);
  });

  it("takes the share back by a rollback", async () => {
    const { status, output } = await runTool("rollback.ts", [], {});
    expect(status, output).toBe(0);
    const all = [{ version_id: versionIds()[1], percentage: 100 }];
    expect(platform.deployments.at(0)?.versions).toEqual(all);
    expect(platform.unknown).toEqual([]);
  });

  it("takes a changed migration of objects by a whole deploy only", async () => {
    const config = join(folder, "wrangler.toml");
    const third = '[[migrations]]\ntag = "v3"\nnew_sqlite_classes = ["Later"]\n\n[[ratelimits]]';
    writeFileSync(config, readFileSync(config, "utf8").replace("[[ratelimits]]", third));
    const commit = "3123456789ab";
    await expect(deployed(commit, 10)).rejects.toThrow("Deploy it without --percent");
    expect(platform.versions).toHaveLength(3);
    await deployed(commit);
    expect(worker()?.migrationTag).toBe("v3");
  });

  it("with a changed migration takes the next version without one", async () => {
    await deployed("4123456789ab");
    expect(worker()?.migrationTag).toBe("v3");
    expect(platform.versions).toHaveLength(5);
  });

  it("without R2 is deployed without an archive, and is told so at the end", async () => {
    platform.r2Refusal = { status: 403, code: 10_042 };
    const printed = await deployed("5123456789ab");
    expect(printed.slice(printed.indexOf("Back to the version before"))).toContain("NO ARCHIVE");
    expect(worker()?.bindings.map(({ name }) => name)).not.toContain("ARCHIVE");
  });
});

/** A folder whose `wrangler.toml` deploys this code to a service at the address, and that keeps what a deploy writes. */
function givenCheckout(url: string): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-deploy-"));
  for (const name of [
    "node_modules",
    "src",
    "dist",
    "migrations",
    "package.json",
    "tsconfig.json",
  ]) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  const vars = "[env.production.vars]";
  const own = `[env.production]\nroutes = []\n\n${vars}\nPUBLIC_URL = "${url}"`;
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8").replace(vars, own);
  writeFileSync(join(folder, "wrangler.toml"), config);
  return folder;
}
