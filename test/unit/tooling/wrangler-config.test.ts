import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { environmentConfig, ENVIRONMENTS } from "../../../tools/lib/deploy/environment.ts";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { boundDatabases, publicUrl } from "../../../tools/lib/wrangler-config.ts";

const FILE = join(ROOT, "wrangler.toml");
const CONFIG = `
[[d1_databases]] # here
database_name = "centavo"
binding = "DB"

[env.sandbox.vars]
PUBLIC_URL = "https://pay.example.com"

[[d1_databases]]
binding = "DB_2"

[[env.sandbox.d1_databases]]
binding = "DB_3"
`;
const QUEUES = ["webhooks", "payouts", "tasks"].flatMap((name) => [name, `${name}-dead`]);

it("migrations on this machine run for exactly the databases of the top level", () => {
  expect(boundDatabases(CONFIG)).toEqual(["DB", "DB_2"]);
  expect(boundDatabases()).toEqual(["DB"]);
});

it("reads the address of an environment from its PUBLIC_URL, else from its last deploy", () => {
  const deployed = '{\n  "vars": {\n    "PUBLIC_URL": "https://centavo.own.workers.dev"\n  }\n}';
  expect(publicUrl("sandbox", CONFIG, deployed)).toBe("https://pay.example.com");
  expect(publicUrl("production", CONFIG, deployed)).toBe("https://centavo.own.workers.dev");
  expect(publicUrl("production", CONFIG, "")).toBeNull();
});

it("no file holds an id, and nothing is said twice: the top level is production", () => {
  const text = readFileSync(FILE, "utf8");
  expect(text).not.toMatch(/database_id|account_id|zone_id/);
  const own = [...text.matchAll(/^\[+(env\..*?)\]+$/gm)].map(([, name]) => name);
  expect(own).toEqual(["env.production.vars", "env.production.d1_databases"]);
  expect(environmentConfig("production")).toMatchObject({
    name: "centavo",
    vars: { ENVIRONMENT: "production", SANDBOX_DATABASE: "DB_2" },
    d1_databases: [{ binding: "DB" }, { binding: "DB_2" }],
  });
});

it.each(ENVIRONMENTS)("%s is never local, and its dead letters can be sent again", (name) => {
  const { vars, queues, workers_dev: isOnWorkersDev } = environmentConfig(name);
  expect(vars["ENVIRONMENT"]).toBe(name);
  expect(isOnWorkersDev).toBe(false);
  const prefix = name === "production" ? "centavo-" : "centavo-sandbox-";
  const all = QUEUES.map((queue) => `${prefix}${queue}`).toSorted();
  expect(queues.producers.map(({ queue }) => queue).toSorted()).toEqual(all);
  expect(queues.consumers.map(({ queue }) => queue).toSorted()).toEqual(all);
  const dead = queues.consumers.flatMap((one) => one.dead_letter_queue ?? []);
  expect(dead.toSorted()).toEqual(all.filter((queue) => queue.endsWith("-dead")));
});

it("the platform's log keeps no URL: neither the line of a request nor a query", () => {
  const { observability, preview_urls: previews } = unstable_readConfig({ config: FILE });
  expect(observability).toMatchObject({
    redact_query_string: true,
    logs: { invocation_logs: false },
  });
  expect(previews).toBe(false);
});

it.each(ENVIRONMENTS)("%s counts exactly the limits that the code names", (name) => {
  const bound = environmentConfig(name).ratelimits.map(({ name: binding, simple }) => ({
    binding,
    quota: simple.limit,
    windowSeconds: simple.period,
  }));
  expect(bound).toEqual(
    Object.values(RATE_LIMITS).map(({ binding, quota, windowSeconds }) => ({
      binding,
      quota,
      windowSeconds,
    })),
  );
});

it("each limit of each environment has a counter of its own", () => {
  const counters = ENVIRONMENTS.flatMap((name) =>
    environmentConfig(name).ratelimits.map((one) => one.namespace_id),
  );
  expect(counters.length).toBe(2 * Object.keys(RATE_LIMITS).length);
  expect(new Set(counters).size).toBe(counters.length);
});
