import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, NoOpLog, type V4MiniflareOptions } from "miniflare";
import { bundleModules } from "../../tools/lib/bundle-modules.ts";
import { ROOT, runWrangler } from "../../tools/lib/wrangler.ts";
import { preparedState } from "../../test/e2e/state-dir.ts";
import { childPids } from "./process.ts";

/** A Worker in its own workerd process, on loopback, without a proxy. */
export interface RunningWorker {
  port: number;
  /** Process id of its workerd. */
  pid: number;
  /** Address of its inspector; null without one. */
  inspectorUrl: string | null;
  /** The folder of its databases. */
  stateDir: string;
  /** Stops it. `remove` deletes its databases. */
  stop: () => Promise<void>;
  remove: () => void;
}

/** Centavo, as wrangler bundled it. */
export interface RunningCentavo extends RunningWorker {
  /** The file of the bundle's source map. */
  sourceMap: string;
}

const COMPATIBILITY_DATE = "2026-11-01";
/** The id of a database without one, on this machine: its binding. */
const DATABASE_ID = "DB";

interface CentavoOptions {
  /** Parent of the Worker's folder. */
  below?: string;
  /** Runs the queue consumers. Without them nothing runs in the background. */
  queues?: boolean;
  /** Starts an inspector and keeps the names of functions, which a deploy shortens. */
  inspected?: boolean;
  /** V8's command-line flags. */
  v8Flags?: string[];
  /** Receives each line that workerd prints. */
  onLog?: (line: string) => void;
}

/** Starts Centavo as wrangler bundles it for a deploy. */
export async function startCentavo({
  below = tmpdir(),
  queues = false,
  inspected = false,
  v8Flags = [],
  onLog = () => undefined,
}: CentavoOptions = {}): Promise<RunningCentavo> {
  const folder = mkdtempSync(join(below, "centavo-bench-"));
  cpSync(await preparedState(), join(folder, "state"), { recursive: true });
  const bundle = bundleFolder(inspected ? "kept" : "short");
  // Miniflare reads V8's flags only from this variable.
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = v8Flags.join(" ");
  const running = await start(folder, {
    ...(inspected ? { inspectorPort: 0 } : {}),
    handleStructuredLogs: ({ message }) => onLog(message),
    ...workerOf(bundleModules(bundle)),
    d1Databases: { DB: DATABASE_ID },
    r2Buckets: { ARCHIVE: "archive" },
    durableObjects: {
      COMPANY_ACCOUNT: { className: "CompanyAccount", useSQLite: true },
      SERVICE_STATE: { className: "ServiceState", useSQLite: true },
    },
    bindings: {
      ENVIRONMENT: "local",
      ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true",
    },
    queueProducers: { WEBHOOKS: "webhooks", PAYOUTS: "payouts", TASKS: "tasks" },
    ...(queues ? { queueConsumers: QUEUE_CONSUMERS } : {}),
    serviceBindings: { ASSETS: () => new Response(null, { status: 404 }) as never },
  });
  return { ...running, sourceMap: join(bundle, "index.js.map") };
}

/** By the names of functions in it: as long as in the source, or as short as a deploy makes them. */
const bundleFolders = new Map<"kept" | "short", string>();

/** The folder of Centavo's bundle, which a run makes once: the bench itself, or the tests that run it. */
function bundleFolder(names: "kept" | "short"): string {
  const { BUNDLED_WORKER: ofTests } = process.env;
  if (names === "short" && ofTests !== undefined) return dirname(ofTests);
  const made = bundleFolders.get(names);
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), "centavo-bench-bundle-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const unminified = names === "kept" ? ["--minify=false"] : [];
  runWrangler(["deploy", "--dry-run", ...unminified, "--outdir", folder]);
  bundleFolders.set(names, folder);
  return folder;
}

/** As in wrangler.toml, without dead letter queues. */
const QUEUE_CONSUMERS = {
  webhooks: { maxBatchSize: 5, maxBatchTimeout: 0 },
  payouts: { maxBatchSize: 10, maxBatchTimeout: 0 },
  tasks: { maxBatchSize: 1, maxBatchTimeout: 0 },
};

/** Starts a Worker of bench/workerd/baselines on a database with Centavo's tables and local companies. */
export async function startBaseline(
  name: "bare" | "storage",
  below = tmpdir(),
): Promise<RunningWorker> {
  const folder = mkdtempSync(join(below, "centavo-bench-"));
  cpSync(await preparedState(), join(folder, "state"), { recursive: true });
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "bench/workerd/baselines", `${name}.ts`)],
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd"],
    external: ["cloudflare:*"],
    write: false,
  });
  return start(folder, {
    ...workerOf({ modules: true, script: outputFiles[0]?.text ?? "" }),
    d1Databases: { DB: DATABASE_ID },
    ...(name === "storage"
      ? { durableObjects: { ACCOUNT: { className: "BaselineAccount", useSQLite: true } } }
      : {}),
  });
}

type Code = { modules: true; script: string } | ReturnType<typeof bundleModules>;

function workerOf<OneCode extends Code>(code: OneCode) {
  return {
    name: "bench",
    ...code,
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ["nodejs_compat", "queue_consumer_no_wait_for_wait_until"],
  };
}

async function start(folder: string, options: V4MiniflareOptions): Promise<RunningWorker> {
  const others = new Set(childPids("workerd"));
  const stateDir = join(folder, "state");
  const worker = new Miniflare({
    ...convertV4MiniflareOptions({
      // Without a handler the Worker would wait until its log is read.
      handleStructuredLogs: () => undefined,
      ...options,
      host: "127.0.0.1",
      port: 0,
      log: new NoOpLog(),
    }),
    resourcePersistencePath: join(stateDir, "v3"),
  });
  const url = await worker.ready;
  delete process.env["MINIFLARE_WORKERD_V8_FLAGS"];
  const pid = childPids("workerd").find((each) => !others.has(each));
  if (pid === undefined) throw new Error("the process of workerd was not found");
  return {
    port: Number(url.port),
    pid,
    inspectorUrl:
      options.inspectorPort === undefined ? null : (await worker.getInspectorURL()).href,
    stateDir,
    stop: () => worker.dispose(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
