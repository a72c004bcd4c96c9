/**
 * `npm run deploy -- [--env sandbox|production] [--dry-run]`: applies the migrations to the
 * environment's database, then puts the Worker up. A dry run builds and checks without an account.
 */
import { parseArgs } from "node:util";
import { runWrangler } from "./lib/wrangler.ts";

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
  console.log(runWrangler(["d1", "migrations", "apply", "DB", ...environment, "--remote"]));
  console.log(runWrangler(["deploy", ...environment]));
}
