/**
 * `npm run rollback -- [--env production|sandbox] [--to <version id>]`: gives all requests back to the version before, or
 * to the one that is named, if its code fits the schemas (docs/deploy.md). Exits with 1, changing nothing, if not.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ENVIRONMENTS } from "../lib/deploy/environment.ts";
import { rollback } from "../lib/deploy/rollback.ts";
import { wranglerOutput } from "../lib/wrangler.ts";

const { values: options } = parseArgs({
  options: { env: { type: "string", default: "production" }, to: { type: "string" } },
});
const environment = ENVIRONMENTS.find((name) => name === options.env);

try {
  if (environment === undefined) throw new Error(`--env must be ${ENVIRONMENTS.join(" or ")}.`);
  await rollback(
    { environment, to: options.to },
    {
      wrangler: wranglerOutput,
      print: (text) => console.log(text),
      wait: (ms) => wait(ms),
      env: process.env,
    },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
