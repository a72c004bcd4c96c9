import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { contract } from "../../../../tools/lib/deploy/contract.ts";
import { deploy, type DeployOptions } from "../../../../tools/lib/deploy/deploy.ts";
import { environmentConfig } from "../../../../tools/lib/deploy/environment.ts";
import type { DeployTools } from "../../../../tools/lib/deploy/platform.ts";
import { rollback } from "../../../../tools/lib/deploy/rollback.ts";
import { ROOT } from "../../../../tools/lib/root.ts";
import { FakePlatform, fetchThrough, type Failure } from "../../../support/fakes/platform.ts";

const COMMIT = "0123456789ab";
const QUEUES = ["webhooks", "payouts", "tasks"].flatMap((name) => [
  `centavo-${name}`,
  `centavo-${name}-dead`,
]);

let folder: string;
let platform: FakePlatform;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-deploy-"));
  copyFileSync(join(ROOT, "wrangler.toml"), join(folder, "wrangler.toml"));
  vi.stubEnv("WRANGLER_CONFIG", join(folder, "wrangler.toml"));
});

afterEach(() => {
  platform.stop();
  vi.unstubAllGlobals();
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** An empty account, and how to deploy to it. `run` answers what was printed; it rejects as the deploy does. */
async function givenAccount() {
  platform = new FakePlatform();
  rmSync(join(folder, "secrets.production.json"), { force: true });
  const base = await platform.start();
  vi.stubGlobal("fetch", fetchThrough(base));
  const printed: string[] = [];
  const toolsOf = (env: Record<string, string>): DeployTools => ({
    wrangler: platform.wrangler,
    print: (text) => printed.push(text),
    wait: async () => {},
    env: { CLOUDFLARE_API_BASE_URL: base, WORKERS_CI_COMMIT_SHA: COMMIT, ...env },
  });
  const run = async (options: Partial<DeployOptions> = {}, env: Record<string, string> = {}) => {
    platform.calls = [];
    const chosen = { environment: "production" as const, firstOperator: "Ana", percent: 100 };
    await deploy({ ...chosen, ...options }, toolsOf(env));
  };
  const back = (to?: string) => rollback({ environment: "production", to }, toolsOf({}));
  return { run, back, printed, base };
}

/** One of everything, and every secret known to who read what was printed. */
function expectWhole(printed: readonly string[]) {
  const text = printed.join("\n");
  expect([...platform.databases.keys()]).toEqual(["centavo", "centavo-test-companies"]);
  expect(platform.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect([...platform.workers.keys()]).toEqual(["centavo"]);
  const worker = platform.workers.get("centavo")!;
  expect([...worker.secrets.keys()]).toEqual(["SECRETS_KEY"]);
  expect(text).toContain(worker.secrets.get("SECRETS_KEY"));
  const { sqlite } = platform.databases.get("centavo")!;
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
  expect(platform.companies.size).toBe(1);
  expect(existsSync(join(folder, "secrets.production.json"))).toBe(false);
}

it("an empty account has a service that answers, its keys and its first operator after one command", async () => {
  const { run, printed } = await givenAccount();
  await run();
  expectWhole(printed);
  expect(platform.workers.get("centavo")!.bindings).toContainEqual({
    name: "PUBLIC_URL",
    type: "plain_text",
    text: "https://centavo.centavo-01234567.workers.dev",
  });
  expect(printed.join("\n")).toContain("Smoke test: charge tx was paid");
});

it("a second deploy makes and shows nothing new", async () => {
  const { run, printed } = await givenAccount();
  await run();
  const first = printed.length;
  await run();
  expectWhole(printed);
  expect(printed.slice(first).join("\n")).not.toMatch(/SECRETS_KEY {3}|X-API-Key/);
  expect(platform.calls).not.toContain(
    "POST centavo.centavo-01234567.workers.dev/api/v1/operator/companies",
  );
});

it("the address is the domain that was asked for, until another is", async () => {
  const { run, base } = await givenAccount();
  vi.unstubAllGlobals();
  vi.stubGlobal("fetch", fetchThrough(base, "pay.example.com"));
  await run({ domain: "pay.example.com" });
  expect(platform.subdomain).toBeNull();
  await run();
  expect(platform.workers.get("centavo")!.bindings).toContainEqual({
    name: "PUBLIC_URL",
    type: "plain_text",
    text: "https://pay.example.com",
  });
});

it("the sandbox is another Worker, with a database and queues of its own", async () => {
  const { run } = await givenAccount();
  await run();
  await run({ environment: "sandbox" });
  expect([...platform.databases.keys()]).toEqual([
    "centavo",
    "centavo-test-companies",
    "centavo-sandbox",
  ]);
  expect([...platform.workers.keys()]).toEqual(["centavo", "centavo-sandbox"]);
  expect(platform.queues).toContain("centavo-sandbox-tasks-dead");
  const secrets = [...platform.workers.values()].map((one) => one.secrets.get("SECRETS_KEY"));
  expect(new Set(secrets).size).toBe(2);
});

it("no new key is made for companies whose key is gone, and the known one is taken", async () => {
  const { run } = await givenAccount();
  await run();
  const known = platform.workers.get("centavo")!.secrets.get("SECRETS_KEY")!;
  platform.workers.clear();
  platform.databases.get("centavo")!.sqlite.exec(
    `INSERT INTO companies (id, name, provider_company_id, mode, bank_document, webhook_secret_sealed, created_at)
     VALUES (1, 'Loja', 'p', 'live', '', '', 0)`,
  );
  await expect(run()).rejects.toThrow("has companies, sealed under the key that it had");
  await run({}, { SECRETS_KEY: known });
  expect(platform.workers.get("centavo")!.secrets.get("SECRETS_KEY")).toBe(known);
});

it("a build without a person makes no key that nobody would see", async () => {
  const { run, printed } = await givenAccount();
  await expect(run({}, { CI: "true" })).rejects.toThrow("Centavo refuses to start");
  expect(platform.workers.size).toBe(0);
  await run({}, { CI: "true", SECRETS_KEY: "given" });
  expect(printed.join("\n")).not.toContain("X-API-Key");
});

it.each([
  [[{ rate_plan: { id: "free" } }], "seems not to have Workers Paid"],
  [null, "may not read the account's plan"],
])("says so when the plan is not known to be paid: %j", async (plans, words) => {
  const { run, printed } = await givenAccount();
  platform.plans = plans;
  await run();
  expect(printed.join("\n")).toContain(words);
});

it("asks which of several accounts is meant", async () => {
  const { run } = await givenAccount();
  platform.accounts.push({ id: "other", name: "Other" });
  await expect(run()).rejects.toThrow(
    /Set CLOUDFLARE_ACCOUNT_ID to one of your accounts:\n.*Test\n.*other {2}Other/,
  );
  expect(platform.calls).toHaveLength(2);
});

describe("by percent", () => {
  it("gives the new code a share beside the version before, which rollback takes back", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run({ percent: 10 }, { WORKERS_CI_COMMIT_SHA: "ba9876543210" });
    const [first, second] = platform.versions.map(({ id }) => id);
    const split = [
      { version_id: first, percentage: 90 },
      { version_id: second, percentage: 10 },
    ];
    expect(platform.deployments.at(0)!.versions).toEqual(split);
    await run({ percent: 60 }, { WORKERS_CI_COMMIT_SHA: "ba9876543210" });
    expect(platform.versions).toHaveLength(2);
    expect(platform.deployments.at(0)!.versions).toEqual([
      { version_id: first, percentage: 40 },
      { version_id: second, percentage: 60 },
    ]);
    await back();
    expect(platform.deployments.at(0)!.versions).toEqual([{ version_id: first, percentage: 100 }]);
  });

  it("refuses a share for the first deploy", async () => {
    const { run } = await givenAccount();
    await expect(run({ percent: 10 })).rejects.toThrow("leave --percent out");
    expect(platform.databases.size).toBe(0);
  });
});

describe("rollback", () => {
  it("gives all requests back to the version before, and then to none", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run();
    await back();
    const first = platform.versions.at(0)!;
    expect(platform.deployments.at(0)!.versions).toEqual([
      { version_id: first.id, percentage: 100 },
    ]);
    await expect(back(first.id)).rejects.toThrow("answers all requests already");
    await expect(back("00000000")).rejects.toThrow("no earlier version");
  });

  it.each([
    ["an object's tables", "7.0.1", "7.0.2", "would answer 503 for each company"],
    ["what a contraction took away", "7.0.1", "7.1.1", "has taken away columns"],
  ])("is refused when the newer code has changed %s", async (_what, before, after, words) => {
    const { run, back } = await givenAccount();
    await run();
    await run();
    [before, after].forEach((text, at) => {
      const version = platform.versions.at(at)!;
      version.bindings = [{ name: "SCHEMA", type: "plain_text", text }];
    });
    const deployments = platform.deployments.length;
    await expect(back()).rejects.toThrow(words);
    expect(platform.deployments).toHaveLength(deployments);
  });

  it("is taken when the newer code has only added columns", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run();
    platform.versions.at(0)!.bindings = [{ name: "SCHEMA", type: "plain_text", text: "6.0.6" }];
    platform.versions.at(1)!.bindings = [{ name: "SCHEMA", type: "plain_text", text: "7.0.6" }];
    await back();
    expect(platform.deployments.at(0)!.versions.at(0)!.version_id).toBe(
      platform.versions.at(0)!.id,
    );
  });
});

/** Runs the step of a migration that contracts, which wrangler finds left in these databases. */
async function contractions(left: readonly string[]): Promise<string[]> {
  platform = new FakePlatform();
  const done: string[] = [];
  const wrangler = async ([, , verb, binding = "", ...rest]: string[]) => {
    done.push(`${verb} ${binding}`);
    const config = readFileSync(rest.at(-1)!, "utf8");
    expect(config).toContain('"migrations_dir": "migrations/contract"');
    expect(config).toContain('"migrations_table": "d1_contract_migrations"');
    return left.includes(binding) ? "0000_gone.sql" : "✅ No migrations to apply!";
  };
  const wait = async (ms: number) => void done.push(`wait ${ms}`);
  const tools = { wrangler, wait, print: () => undefined };
  await contract("production", environmentConfig("production"), tools, 1);
  return done;
}

describe("migrations that contract", () => {
  it("wait until no object runs the code before", async () => {
    const lists = ["list DB", "list DB_2"];
    expect(await contractions(["DB", "DB_2"])).toEqual([
      ...lists,
      "wait 300000",
      "apply DB",
      "apply DB_2",
    ]);
    expect(await contractions(["DB_2"])).toEqual([...lists, "wait 300000", "apply DB_2"]);
    expect(await contractions([])).toEqual(lists);
  });
});

describe("after a failure of any call, before or after it has done its work, a second run ends well", () => {
  it.each(["before", "after"] as const)("%s", async (when) => {
    const first = await givenAccount();
    await first.run();
    const names = [...platform.calls];
    platform.stop();
    expect(names.length).toBeGreaterThan(25);
    for (let call = 1; call <= names.length; call++) {
      const { run, printed } = await givenAccount();
      platform.failure = { call, when } satisfies Failure;
      const isRefused = await run().then(
        () => false,
        () => true,
      );
      // Waiting for the first answer is what a missing answer is for.
      expect(isRefused, names[call - 1]).toBe(!names.at(call - 1)!.endsWith("/health"));
      platform.failure = null;
      await run();
      expect(() => expectWhole(printed), `${when} ${names[call - 1]}`).not.toThrow();
      if (call < names.length) platform.stop();
    }
  });
});
