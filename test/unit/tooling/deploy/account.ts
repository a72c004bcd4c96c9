import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { deploy, type DeployOptions } from "../../../../tools/lib/deploy/deploy.ts";
import type { DeployTools } from "../../../../tools/lib/deploy/platform.ts";
import { rollback } from "../../../../tools/lib/deploy/rollback.ts";
import { ROOT } from "../../../../tools/lib/root.ts";
import { FakePlatform, fetchThrough } from "../../../support/fakes/platform.ts";

const COMMIT = "0123456789ab";
const QUEUES = ["webhooks", "payouts", "tasks"].flatMap((name) => [
  `centavo-${name}`,
  `centavo-${name}-dead`,
]);

/** The account of a test, and the folder of the configuration that a test file's deploys read and write. */
export const world = { platform: new FakePlatform(), folder: "" };

/** Gives a test file its folder, and ends each test's account. */
export function useAccounts(): void {
  beforeAll(() => {
    world.folder = mkdtempSync(join(tmpdir(), "centavo-deploy-"));
    copyFileSync(join(ROOT, "wrangler.toml"), join(world.folder, "wrangler.toml"));
    vi.stubEnv("WRANGLER_CONFIG", join(world.folder, "wrangler.toml"));
  });
  afterEach(() => {
    world.platform.stop();
    vi.unstubAllGlobals();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(world.folder, { recursive: true });
  });
}

/** An empty account, and how to deploy to it. `run` answers what was printed; it rejects as the deploy does. */
export async function givenAccount() {
  world.platform = new FakePlatform();
  rmSync(join(world.folder, "secrets.production.json"), { force: true });
  const base = await world.platform.start();
  vi.stubGlobal("fetch", fetchThrough(base));
  const printed: string[] = [];
  const toolsOf = (env: Record<string, string>): DeployTools => ({
    wrangler: world.platform.wrangler,
    print: (text) => printed.push(text),
    wait: async () => {},
    env: { CLOUDFLARE_API_BASE_URL: base, WORKERS_CI_COMMIT_SHA: COMMIT, ...env },
  });
  const run = async (options: Partial<DeployOptions> = {}, env: Record<string, string> = {}) => {
    world.platform.calls = [];
    const chosen = {
      environment: "production" as const,
      firstOperator: "Ana",
      percent: 100,
      noAlarms: true,
    };
    await deploy({ ...chosen, ...options }, toolsOf(env));
  };
  const back = (to?: string) => rollback({ environment: "production", to }, toolsOf({}));
  return { run, back, printed, base };
}

/** One of everything, and every secret known to who read what was printed. */
export function expectWhole(printed: readonly string[]) {
  const text = printed.join("\n");
  expect([...world.platform.databases.keys()]).toEqual(["centavo", "centavo-test-companies"]);
  expect(world.platform.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect([...world.platform.workers.keys()]).toEqual(["centavo"]);
  const worker = world.platform.workers.get("centavo")!;
  expect([...worker.secrets.keys()]).toEqual(["SECRETS_KEY"]);
  expect(text).toContain(worker.secrets.get("SECRETS_KEY"));
  const { sqlite } = world.platform.databases.get("centavo")!;
  const operators = sqlite.prepare("SELECT client_id, name, role FROM operators").all();
  expect(operators).toMatchObject([{ name: "Ana", role: "admin" }]);
  const [, apiKey = ""] = /X-API-Key +(\S+)/.exec(text) ?? [];
  const keys = sqlite.prepare("SELECT client_id, key_hash FROM operator_keys").all();
  expect(keys).toEqual([
    {
      client_id: operators.at(0)!["client_id"],
      key_hash: createHash("sha256").update(apiKey).digest("hex"),
    },
  ]);
  expect(text).toContain("https://set-up");
  expect(world.platform.companies.size).toBe(1);
  expect(existsSync(join(world.folder, "secrets.production.json"))).toBe(false);
}
