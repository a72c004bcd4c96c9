/**
 * `npm run deploy -- [--env sandbox|production] [--dry-run]`: applies the migrations to each of the
 * environment's databases, then deploys the Worker. A dry run builds and checks without an account.
 */
import { parseArgs } from "node:util";
import { runWrangler } from "../lib/wrangler.ts";
import { boundDatabases } from "../lib/wrangler-config.ts";

const { values: options } = parseArgs({
  options: {
    env: { type: "string", default: "production" },
    "dry-run": { type: "boolean", default: false },
  },
});
const environment = ["--env", options.env];

if (options["dry-run"]) {
  console.log(runWrangler(["deploy", ...environment, "--dry-run"]));
} else {
  for (const database of boundDatabases(options.env)) {
    console.log(runWrangler(["d1", "migrations", "apply", database, ...environment, "--remote"]));
  }
  console.log(runWrangler(["deploy", ...environment]));
}
