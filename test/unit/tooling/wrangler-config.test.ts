import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { RATE_LIMITS } from "../../../src/http/rate-limits/policies.ts";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { boundDatabases, publicUrl } from "../../../tools/lib/wrangler-config.ts";

const CONFIG = `
[[d1_databases]] # here
binding = "DB"
database_name = "centavo"

[[env.sandbox.d1_databases]]
database_name = "first"
binding = "DB"

[env.sandbox.vars]
PUBLIC_URL = "https://pay.example.com"

[[env.sandbox.d1_databases]]
binding = "DB_2"

[[env.sandbox.queues.producers]]
binding = "WEBHOOKS"
`;

it("migrations run for exactly the databases that an environment binds", () => {
  expect(boundDatabases(null, CONFIG)).toEqual(["DB"]);
  expect(boundDatabases("sandbox", CONFIG)).toEqual(["DB", "DB_2"]);
  expect(boundDatabases("production", CONFIG)).toEqual([]);
  for (const environment of [null, "sandbox", "production"]) {
    expect(boundDatabases(environment)).toEqual(["DB"]);
  }
});

it("reads the address of an environment from its PUBLIC_URL", () => {
  expect(publicUrl("sandbox", CONFIG)).toBe("https://pay.example.com");
  expect(publicUrl("production", CONFIG)).toBeNull();
});

it.each([
  ["local development", "queues", ""],
  ["sandbox", "env.sandbox.queues", "sandbox-"],
  ["production", "env.production.queues", "production-"],
])(
  "%s has each queue with its consumer and its dead letter queue, as deploy.md creates them",
  (_name, at, prefix) => {
    const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
    const doc = readFileSync(join(ROOT, "docs/deploy.md"), "utf8");
    const [, made = ""] = /for q in ([^;]*);/.exec(doc) ?? [];
    const blocks = config.split(/^(?=\[)/m);
    const queuesOf = (kind: string) =>
      blocks
        .filter((block) => block.startsWith(`[[${at}.${kind}]]`))
        .map((block) => /^queue = "(.*)"$/m.exec(block)?.[1]?.slice(prefix.length) ?? "");
    const producers = queuesOf("producers");
    expect(producers).toEqual(["webhooks", "payouts", "tasks"]);
    const all = [...producers, ...producers.map((queue) => `${queue}-dead`)];
    expect(queuesOf("consumers").toSorted()).toEqual(all.toSorted());
    expect(made.split(" ").toSorted()).toEqual(all.toSorted());
    for (const queue of producers) {
      expect(config).toContain(`dead_letter_queue = "${prefix}${queue}-dead"`);
    }
  },
);

it.each(["", "env.sandbox.", "env.production."])(
  "[%sobservability] keeps no URL: neither the platform's line of a request nor a query",
  (at) => {
    const blocks = readFileSync(join(ROOT, "wrangler.toml"), "utf8").split(/^(?=\[)/m);
    const blockOf = (name: string) => blocks.find((block) => block.startsWith(`[${name}]`));
    expect(blockOf(`${at}observability`)).toContain("redact_query_string = true");
    expect(blockOf(`${at}observability.logs`)).toContain("invocation_logs = false");
  },
);

it.each(["sandbox", "production"])("%s counts exactly the limits that the code names", (name) => {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const bound = config
    .split(/^(?=\[)/m)
    .filter((block) => block.startsWith(`[[env.${name}.ratelimits]]`))
    .map((block) => ({
      binding: /^name = "(.*)"$/m.exec(block)?.[1],
      quota: Number(/limit = (\d+)/.exec(block)?.[1]),
      windowSeconds: Number(/period = (\d+)/.exec(block)?.[1]),
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
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const counters = [...config.matchAll(/^namespace_id = "(\d+)"$/gm)].map(([, id]) => id);
  expect(counters.length).toBe(2 * Object.keys(RATE_LIMITS).length);
  expect(new Set(counters).size).toBe(counters.length);
});

it("a deployed Worker is reached by its routes only, and no file says that it is local", () => {
  for (const name of ["sandbox", "production"]) {
    const config = unstable_readConfig({ config: join(ROOT, "wrangler.toml"), env: name });
    expect(config.workers_dev).toBe(false);
    expect(config.preview_urls).toBe(false);
    expect(config.vars).toEqual({ ENVIRONMENT: name });
  }
  const { vars } = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  expect(vars).toEqual({});
});
