/**
 * Serves a bundled Worker on wrangler.toml's bindings, as `wrangler dev` does with `--no-bundle`, but without the proxy,
 * the bundler and the watcher of one who edits it, which are most of a start's cost. One argument: a `Serving` as JSON.
 */
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import { unstable_getMiniflareWorkerOptions as optionsOf } from "wrangler";
import { bundleModules } from "../lib/bundle-modules.ts";
import { configFile, localStorage } from "../lib/wrangler-config.ts";

export interface Serving {
  /** The path of the bundle's code. */
  bundle: string;
  port: number;
  stateDir: string;
  /** Variables beside those of the configuration. */
  vars: Record<string, string>;
}

const { bundle, port, stateDir, vars } = JSON.parse(process.argv[2] ?? "") as Serving;
const { modulesRules: _, ...options } = optionsOf(configFile()).workerOptions;
/** Of `[vars]`: the options' type has lost what they are. */
const configured = options.bindings as Record<string, string>;

const worker = new Miniflare({
  ...convertV4MiniflareOptions({
    ...options,
    name: localStorage().worker,
    ...bundleModules(dirname(bundle)),
    bindings: { ...configured, ...vars },
    cf: false,
    // Tests ask D1 by the explorer, and the cron is triggered from outside.
    unsafeLocalExplorer: true,
    unsafeTriggerHandlers: true,
    host: "localhost",
    port,
    log: new NoOpLog(),
    handleStructuredLogs: ({ message }) => console.log(message),
  }),
  resourcePersistencePath: join(stateDir, "v3"),
});
process.once("SIGTERM", () => void worker.dispose().then(() => process.exit(0)));
await worker.ready;
