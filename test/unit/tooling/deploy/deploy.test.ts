import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { contract } from "../../../../tools/lib/deploy/contract.ts";
import { environmentConfig } from "../../../../tools/lib/deploy/environment.ts";
import { FakePlatform, fetchThrough, type Failure } from "../../../support/fakes/platform.ts";
import { expectWhole, givenAccount, useAccounts, world } from "./account.ts";

useAccounts();

it("an empty account has a service that answers, its keys and its first operator after one command", async () => {
  const { run, printed } = await givenAccount();
  await run();
  expectWhole(printed);
  expect(world.platform.workers.get("centavo")!.bindings).toContainEqual({
    name: "PUBLIC_URL",
    type: "plain_text",
    text: "https://centavo.centavo-01234567.workers.dev",
  });
  expect(printed.join("\n")).toContain("Smoke test: charge tx was paid");
});

it("a deploy asks where alarms go, makes that a secret, and tries it out; the next one asks no more", async () => {
  const { run, printed } = await givenAccount();
  await expect(run({ noAlarms: false })).rejects.toThrow("Nobody would hear of an alarm");
  expect(world.platform.workers.size).toBe(0);
  const ALARM_SLACK_URL = "https://slack.example/hook";
  await run({ noAlarms: false }, { ALARM_SLACK_URL });
  expect(world.platform.workers.get("centavo")!.secrets.get("ALARM_SLACK_URL")).toBe(
    ALARM_SLACK_URL,
  );
  expect(printed.join("\n")).toContain("Test alarm: sent by slack.");
  expect(printed.join("\n")).not.toContain(ALARM_SLACK_URL);
  await run({ noAlarms: false });
});

it("a second deploy makes and shows nothing new", async () => {
  const { run, printed } = await givenAccount();
  await run();
  const first = printed.length;
  await run();
  expectWhole(printed);
  expect(printed.slice(first).join("\n")).not.toMatch(/SECRETS_KEY {3}|X-API-Key/);
  expect(world.platform.calls).not.toContain(
    "POST centavo.centavo-01234567.workers.dev/api/v1/operator/companies",
  );
});

it("the address is the domain that was asked for, until another is", async () => {
  const { run, base } = await givenAccount();
  vi.unstubAllGlobals();
  vi.stubGlobal("fetch", fetchThrough(base, "pay.example.com"));
  await run({ domain: "pay.example.com" });
  expect(world.platform.subdomain).toBeNull();
  await run();
  expect(world.platform.workers.get("centavo")!.bindings).toContainEqual({
    name: "PUBLIC_URL",
    type: "plain_text",
    text: "https://pay.example.com",
  });
});

it("the sandbox is another Worker, with a database and queues of its own", async () => {
  const { run } = await givenAccount();
  await run();
  await run({ environment: "sandbox" });
  expect([...world.platform.databases.keys()]).toEqual([
    "centavo",
    "centavo-test-companies",
    "centavo-sandbox",
  ]);
  expect([...world.platform.workers.keys()]).toEqual(["centavo", "centavo-sandbox"]);
  expect(world.platform.queues).toContain("centavo-sandbox-tasks-dead");
  const secrets = [...world.platform.workers.values()].map((one) => one.secrets.get("SECRETS_KEY"));
  expect(new Set(secrets).size).toBe(2);
});

it("no new key is made for companies whose key is gone, and the known one is taken", async () => {
  const { run } = await givenAccount();
  await run();
  const known = world.platform.workers.get("centavo")!.secrets.get("SECRETS_KEY")!;
  world.platform.workers.clear();
  world.platform.databases.get("centavo")!.sqlite.exec(
    `INSERT INTO companies (id, name, provider_company_id, mode, bank_document, webhook_secret_sealed, created_at)
     VALUES (1, 'Loja', 'p', 'live', '', '', 0)`,
  );
  await expect(run()).rejects.toThrow("has companies, sealed under the key that it had");
  await run({}, { SECRETS_KEY: known });
  expect(world.platform.workers.get("centavo")!.secrets.get("SECRETS_KEY")).toBe(known);
});

it("a build without a person makes no key that nobody would see", async () => {
  const { run, printed } = await givenAccount();
  await expect(run({}, { CI: "true" })).rejects.toThrow("Centavo refuses to start");
  expect(world.platform.workers.size).toBe(0);
  await run({}, { CI: "true", SECRETS_KEY: "given" });
  expect(printed.join("\n")).not.toContain("X-API-Key");
});

it.each([
  [[{ rate_plan: { id: "free" } }], "seems not to have Workers Paid"],
  [null, "may not read the account's plan"],
])("says so when the plan is not known to be paid: %j", async (plans, words) => {
  const { run, printed } = await givenAccount();
  world.platform.plans = plans;
  await run();
  expect(printed.join("\n")).toContain(words);
});

it("asks which of several accounts is meant", async () => {
  const { run } = await givenAccount();
  world.platform.accounts.push({ id: "other", name: "Other" });
  await expect(run()).rejects.toThrow(
    /Set CLOUDFLARE_ACCOUNT_ID to one of your accounts:\n.*Test\n.*other {2}Other/,
  );
  expect(world.platform.calls).toHaveLength(2);
});

describe("by percent", () => {
  it("gives the new code a share beside the version before, which rollback takes back", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run({ percent: 10 }, { WORKERS_CI_COMMIT_SHA: "ba9876543210" });
    const [first, second] = world.platform.versions.map(({ id }) => id);
    const split = [
      { version_id: first, percentage: 90 },
      { version_id: second, percentage: 10 },
    ];
    expect(world.platform.deployments.at(0)!.versions).toEqual(split);
    await run({ percent: 60 }, { WORKERS_CI_COMMIT_SHA: "ba9876543210" });
    expect(world.platform.versions).toHaveLength(2);
    expect(world.platform.deployments.at(0)!.versions).toEqual([
      { version_id: first, percentage: 40 },
      { version_id: second, percentage: 60 },
    ]);
    await back();
    expect(world.platform.deployments.at(0)!.versions).toEqual([
      { version_id: first, percentage: 100 },
    ]);
  });

  it("refuses a share for the first deploy", async () => {
    const { run } = await givenAccount();
    await expect(run({ percent: 10 })).rejects.toThrow("leave --percent out");
    expect(world.platform.databases.size).toBe(0);
  });
});

describe("rollback", () => {
  it("gives all requests back to the version before, and then to none", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run();
    await back();
    const first = world.platform.versions.at(0)!;
    expect(world.platform.deployments.at(0)!.versions).toEqual([
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
      const version = world.platform.versions.at(at)!;
      version.bindings = [{ name: "SCHEMA", type: "plain_text", text }];
    });
    const deployments = world.platform.deployments.length;
    await expect(back()).rejects.toThrow(words);
    expect(world.platform.deployments).toHaveLength(deployments);
  });

  it("is taken when the newer code has only added columns", async () => {
    const { run, back } = await givenAccount();
    await run();
    await run();
    world.platform.versions.at(0)!.bindings = [
      { name: "SCHEMA", type: "plain_text", text: "6.0.6" },
    ];
    world.platform.versions.at(1)!.bindings = [
      { name: "SCHEMA", type: "plain_text", text: "7.0.6" },
    ];
    await back();
    expect(world.platform.deployments.at(0)!.versions.at(0)!.version_id).toBe(
      world.platform.versions.at(0)!.id,
    );
  });
});

/** Runs the step of a migration that contracts, which wrangler finds left in these databases. */
async function contractions(left: readonly string[]): Promise<string[]> {
  world.platform = new FakePlatform();
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
    const names = [...world.platform.calls];
    world.platform.stop();
    expect(names.length).toBeGreaterThan(25);
    for (let call = 1; call <= names.length; call++) {
      const { run, printed } = await givenAccount();
      world.platform.failure = { call, when } satisfies Failure;
      const isRefused = await run().then(
        () => false,
        () => true,
      );
      // Waiting for the first answer is what a missing answer is for.
      expect(isRefused, names[call - 1]).toBe(!names.at(call - 1)!.endsWith("/health"));
      world.platform.failure = null;
      await run();
      expect(() => expectWhole(printed), `${when} ${names[call - 1]}`).not.toThrow();
      if (call < names.length) world.platform.stop();
    }
  });
});
