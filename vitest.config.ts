import { existsSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { dirname, join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ensureSite } from "./tools/lib/site.ts";

/** A test that takes this long hangs: the slowest takes a fifth of it beside a dozen busy processes. */
const TEST_TIMEOUT_MS = 300_000;
/** Starting and killing the real service takes seconds, and a browser's walk over all screens a minute; ten times as long beside other work. */
const E2E_TIMEOUT_MS = 600_000;
/** Much more than one run of the model tests takes. */
const MODEL_RUN_MS = 15_000;
const MODEL_SUITE_RUNS = 40;
/** A life with banks simulates a month of cron, one by the clock is lived twice: they take ten times as long as another. */
const RUNS_FOR_ONE_WITH_BANKS = 8;
const MODEL_RUNS = Number(process.env["MODEL_RUNS"] ?? MODEL_SUITE_RUNS);
const BANKS_RUNS = Math.ceil(MODEL_RUNS / RUNS_FOR_ONE_WITH_BANKS);
/** Lives of a company with two houses: each takes a second and more. */
const HOUSE_RUNS = Number(process.env["HOUSE_RUNS"] ?? 2);
/** Lives of a company with subscriptions: each takes a second and more. */
const SUBSCRIPTION_RUNS = Number(process.env["SUBSCRIPTION_RUNS"] ?? 3);
/** Subscriptions that live a year by the clock: each takes seconds. */
const YEAR_SUBSCRIPTIONS = Number(process.env["YEAR_SUBSCRIPTIONS"] ?? 3);
/** Charges a month of the year that a shop lives by the clock: one of each method, turn by turn something else. */
const YEAR_CHARGES = Number(process.env["YEAR_CHARGES"] ?? 3);
/** Much more than one event takes, its retries and checks included, on a machine with ten times its load. */
const CHAOS_EVENT_MS = 2_000;
const CHAOS_SUITE_EVENTS = 300;
const FUZZ_SUITE_REQUESTS = 2_000;
const FUZZ_REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? FUZZ_SUITE_REQUESTS);
/** Much more than one request takes, its checks included, also beside other work; each has its own limit. */
const FUZZ_REQUEST_MS = 300;
const CHAOS_EVENTS = Number(process.env["CHAOS_EVENTS"] ?? CHAOS_SUITE_EVENTS);
/** Charges while a bank is dead. */
const BANK_CHARGES = Number(process.env["BANK_CHARGES"] ?? 20);

/** Whether the Worker's log is shown. */
const SHOWS_LOG = process.argv.includes("--silent=false");

/** How much the bench counts; only it sets this. */
const BENCH_SIZE = process.env["BENCH_SIZE"];
/** Writing a million rows takes minutes. */
const BENCH_TIMEOUT_MS = 900_000;

/** Test files at once: one for each core of a small machine, and one that waits. */
const FILES_AT_ONCE = 3;
/** Files with the real service at once: those that wait for leases, and two that work. */
const SERVICES_AT_ONCE = 5;
const KILLS = "test/kill/suite/kill{,-delivery,-psp,-houses}.test.ts";
/** They mostly wait, for leases or queues, and for a minute and more. */
const WAITING =
  /\/test\/(?:kill\/suite\/kill(?:-delivery|-psp|-houses)?|drill\/suite\/drill)\.test\.ts$/;

const LARGE_PACKAGES = [
  "@better-auth/passkey",
  "@cantoo/pdf-lib",
  "better-auth",
  "better-auth/adapters/drizzle",
  "better-auth/api",
  "better-auth/crypto",
  "better-auth/plugins/two-factor",
];

const MEMORY_DISK = "/dev/shm";
/** The suite's stored state takes one; what runs takes six. */
const MEMORY_MIN_BYTES = 8e9;
// Where memory has room the stored state lies there: each commit of an object waits for the disk otherwise.
if (hasMemoryDisk()) process.env["TMPDIR"] ??= MEMORY_DISK;

// The suite starts wrangler, the service and the tools a hundred times: their code is compiled once.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");

/** Bundles the Worker once for all files that start the service. */
const BUNDLED_ONCE = "test/e2e/bundled-worker.ts";

/** A style sheet is its text, as in the Worker by a rule of wrangler.toml. */
const cssAsText: Plugin = {
  name: "css-as-text",
  enforce: "pre",
  resolveId: (source, importer = "") =>
    source.endsWith(".css") ? `${join(dirname(importer), source)}?raw` : null,
};

type Json = string | number | { [name: string]: Json };

const isWaiting = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);

/** Begins with the files that wait, so that the others work meanwhile: a fresh clone knows no durations to sort by. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Vitest runs the groups one after the other, whatever stands between their files.
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    // The service logs every request, which would bury a failure. `--silent=false` shows the log.
    silent: true,
    projects: [
      {
        plugins: [cssAsText],
        test: {
          name: "unit",
          environment: "node",
          // Vitest leaves style sheets out otherwise.
          css: true,
          include: ["test/unit/**/*.test.ts"],
          // Pure functions share no state; a worker per file would cost more than the tests.
          isolate: false,
          pool: "threads",
          maxWorkers: FILES_AT_ONCE,
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
      // Every test creates its own companies and shares only the database's schema.
      inWorkerd({
        name: "worker",
        include: ["test/worker/**/*.test.ts", "test/security/*.test.ts"],
        bindings: { ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" },
        testTimeout: TEST_TIMEOUT_MS,
      }),
      // A separate database for its hundreds of companies.
      inWorkerd({
        name: "model",
        include: ["test/model/**/*.test.ts"],
        bindings: {
          // The seed replays a failure; the printed paths save time.
          MODEL: {
            runs: MODEL_RUNS,
            banksRuns: BANKS_RUNS,
            houseRuns: HOUSE_RUNS,
            subscriptionRuns: SUBSCRIPTION_RUNS,
            yearCharges: YEAR_CHARGES,
            yearSubscriptions: YEAR_SUBSCRIPTIONS,
            // Otherwise the processes of a subscription die at its calls to its PSP alone.
            subscriptionKills: process.env["SUBSCRIPTION_KILLS"] ?? "orders",
            seed: Number(process.env["MODEL_SEED"] ?? Date.now() % 2 ** 31),
            path: process.env["MODEL_PATH"] ?? "",
            replayPath: process.env["MODEL_REPLAY_PATH"] ?? "",
          },
        },
        testTimeout:
          Math.max(
            MODEL_RUNS,
            MODEL_SUITE_RUNS,
            HOUSE_RUNS,
            SUBSCRIPTION_RUNS,
            YEAR_SUBSCRIPTIONS,
          ) * MODEL_RUN_MS,
      }),
      // A separate database, because it advances days for every row and fills it with history. Its objects stay in
      // memory: days of deliveries pass in seconds, and an eviction, which a busy machine brings about, frees their leases.
      inWorkerd({
        name: "chaos",
        include: ["test/chaos/**/*.test.ts"],
        staysInMemory: true,
        bindings: {
          CHAOS: {
            events: CHAOS_EVENTS,
            bankCharges: BANK_CHARGES,
            seed: Number(process.env["CHAOS_SEED"] ?? Date.now() % 2 ** 31),
          },
        },
        testTimeout: Math.max(CHAOS_EVENTS, CHAOS_SUITE_EVENTS, BANK_CHARGES) * CHAOS_EVENT_MS,
      }),
      // A separate database for the two local companies.
      inWorkerd({
        name: "fuzz",
        include: ["test/fuzz/*.test.ts"],
        bindings: {
          FUZZ: {
            requests: FUZZ_REQUESTS,
            seed: Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31),
          },
        },
        testTimeout: Math.max(FUZZ_REQUESTS, FUZZ_SUITE_REQUESTS) * FUZZ_REQUEST_MS,
      }),
      // Not in the suite: `npm run bench` counts rows and trips with it.
      ...(BENCH_SIZE === undefined
        ? []
        : [
            inWorkerd({
              name: "bench",
              include: ["bench/workerd/counters/*.test.ts"],
              bindings: { BENCH_SIZE, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" },
              testTimeout: BENCH_TIMEOUT_MS,
            }),
          ]),
      {
        test: {
          name: "kill",
          environment: "node",
          include: [KILLS],
          globalSetup: BUNDLED_ONCE,
          maxWorkers: SERVICES_AT_ONCE,
          sequence: { groupOrder: 1 },
          testTimeout: E2E_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: "e2e",
          environment: "node",
          include: ["test/e2e/**/*.test.ts", "test/{kill,drill}/suite/*.test.ts"],
          exclude: [KILLS],
          globalSetup: BUNDLED_ONCE,
          // Each service has its own port and folder.
          maxWorkers: SERVICES_AT_ONCE,
          // Last, because they need the whole machine.
          sequence: { groupOrder: 1 },
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
        },
      },
    ],
  },
});

function hasMemoryDisk(): boolean {
  if (!existsSync(MEMORY_DISK)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return Math.min(bavail * bsize, freemem()) > MEMORY_MIN_BYTES;
}

/** The Worker's configuration, once the files that it serves are there. */
function configWithFiles(): { configPath: string } {
  ensureSite();
  return { configPath: "./wrangler.toml" };
}

/** A project with one workerd per vitest worker: one per file would take longer than the tests. */
function inWorkerd(project: {
  name: string;
  include: string[];
  bindings: Record<string, Json>;
  testTimeout: number;
  /** Whether no object is evicted, however long it is idle. `evictDurableObject` is then refused. */
  staysInMemory?: boolean;
}) {
  const { bindings, staysInMemory = false, ...test } = project;
  return {
    plugins: [
      cloudflareTest(async () => ({
        wrangler: configWithFiles(),
        miniflare: {
          // The service does not use this binding; only tests of several databases do.
          d1Databases: { SPARE_DB: "spare" },
          durableObjects: {
            COMPANY_ACCOUNT: {
              className: "CompanyAccount",
              useSQLite: true,
              unsafePreventEviction: staysInMemory,
            },
            SERVICE_STATE: { className: "ServiceState", useSQLite: true },
          },
          bindings: {
            ENVIRONMENT: "local",
            TEST_MIGRATIONS: await readD1Migrations("migrations"),
            SHOWS_LOG,
            ...bindings,
          },
        },
      })),
    ],
    test: {
      ...test,
      // A hook may run a whole scenario, so it may take as long as a test.
      hookTimeout: test.testTimeout,
      setupFiles: ["test/support/setup.ts"],
      isolate: false,
      // Loading their hundreds of files separately takes seconds.
      deps: {
        optimizer: {
          ssr: {
            enabled: true,
            include: LARGE_PACKAGES,
            rolldownOptions: { external: [/^node:/] },
          },
        },
      },
      maxWorkers: FILES_AT_ONCE,
    },
  };
}
