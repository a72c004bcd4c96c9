import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** No test waits on purpose; one that takes this long hangs, on a slow and busy machine too. */
const TEST_TIMEOUT_MS = 60_000;
/** Starting the real service, and killing it, takes seconds each. */
const E2E_TIMEOUT_MS = 120_000;
/** A life of the model tests takes a fraction of this; a slow machine needs more. */
const MODEL_RUN_MS = 6_000;
const MODEL_SUITE_RUNS = 200;
/** Its month of cron makes a life with banks take over two seconds of a core: all of them about a minute. */
const BANKS_SUITE_RUNS = 25;
const MODEL_RUNS = Number(process.env["MODEL_RUNS"] ?? MODEL_SUITE_RUNS);
const BANKS_RUNS = Number(process.env["MODEL_RUNS"] ?? BANKS_SUITE_RUNS);
/** Delivering an event, its retries and their judgement included, takes a fraction of this. */
const CHAOS_EVENT_MS = 500;
const CHAOS_SUITE_EVENTS = 300;
const CHAOS_EVENTS = Number(process.env["CHAOS_EVENTS"] ?? CHAOS_SUITE_EVENTS);

/** How much history the bench measures with; set by it alone. */
const BENCH_ROWS = process.env["BENCH_ROWS"];
/** Writing a million rows takes minutes. */
const BENCH_TIMEOUT_MS = 900_000;

/** Files at once: one for each core of a small machine, and one that waits. */
const SIDE_BY_SIDE = 3;
/** They sit leases out for most of their time, so they do it while others work. */
const KILLS = "test/kill/suite/kill{,-delivery,-psp}.test.ts";

type Json = string | number | { [name: string]: Json };

export default defineConfig({
  test: {
    // The service logs every request, beside which a failure's own words get lost; `--silent=false` shows them.
    silent: true,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["test/unit/**/*.test.ts"],
          // Pure functions share nothing; a worker for each file would cost more than the tests.
          isolate: false,
          pool: "threads",
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
      // Every test makes companies of its own, so nothing is shared but the database's schema.
      inWorkerd({
        name: "worker",
        include: ["test/worker/**/*.test.ts"],
        bindings: { ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" },
        testTimeout: TEST_TIMEOUT_MS,
      }),
      // Its hundreds of companies stay out of the other tests' database.
      inWorkerd({
        name: "model",
        include: ["test/model/**/*.test.ts"],
        bindings: {
          // Replaying a failure takes the seed; the paths, where it names them, save time.
          MODEL: {
            runs: MODEL_RUNS,
            banksRuns: BANKS_RUNS,
            seed: Number(process.env["MODEL_SEED"] ?? Date.now() % 2 ** 31),
            path: process.env["MODEL_PATH"] ?? "",
            replayPath: process.env["MODEL_REPLAY_PATH"] ?? "",
          },
        },
        testTimeout: Math.max(MODEL_RUNS, MODEL_SUITE_RUNS) * MODEL_RUN_MS,
      }),
      // Its days pass for every row of the database, and it fills that with history.
      inWorkerd({
        name: "chaos",
        include: ["test/chaos/**/*.test.ts"],
        bindings: {
          CHAOS: {
            events: CHAOS_EVENTS,
            seed: Number(process.env["CHAOS_SEED"] ?? Date.now() % 2 ** 31),
          },
        },
        testTimeout: Math.max(CHAOS_EVENTS, CHAOS_SUITE_EVENTS) * CHAOS_EVENT_MS,
      }),
      // Not of the suite: `npm run bench` counts rows and trips in it, over more history.
      ...(BENCH_ROWS === undefined
        ? []
        : [
            inWorkerd({
              name: "bench",
              include: ["bench/workerd/counters/*.test.ts"],
              bindings: { BENCH_ROWS: Number(BENCH_ROWS), ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" },
              testTimeout: BENCH_TIMEOUT_MS,
            }),
          ]),
      {
        test: {
          name: "kill",
          environment: "node",
          include: [KILLS],
          maxWorkers: SIDE_BY_SIDE,
          testTimeout: E2E_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: "e2e",
          environment: "node",
          include: ["test/e2e/**/*.test.ts", "test/kill/suite/*.test.ts"],
          exclude: [KILLS],
          // They wait more than they work; each service has a port and a folder of its own.
          maxWorkers: 2,
          // After all others: they need the machine for themselves.
          sequence: { groupOrder: 1 },
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
        },
      },
    ],
  },
});

/** A project in one workerd for each worker: starting one for each file takes longer than the tests. */
function inWorkerd(project: {
  name: string;
  include: string[];
  bindings: Record<string, Json>;
  testTimeout: number;
}) {
  const { bindings, ...test } = project;
  return {
    plugins: [
      cloudflareTest(async () => ({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          // Not bound as the service looks for it: only tests of several databases pay for them.
          d1Databases: { SPARE_DB: "spare" },
          bindings: { TEST_MIGRATIONS: await readD1Migrations("migrations"), ...bindings },
        },
      })),
    ],
    test: {
      ...test,
      setupFiles: ["test/support/setup.ts"],
      isolate: false,
      // Its two hundred files, one by one, take seconds to load.
      deps: { optimizer: { ssr: { enabled: true, include: ["@cantoo/pdf-lib"] } } },
      maxWorkers: SIDE_BY_SIDE,
    },
  };
}
