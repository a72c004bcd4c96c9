/**
 * `npm run deploy -- [--env sandbox|production] [--dry-run]`: applies the migrations to each of the
 * environment's databases, then deploys the Worker. A dry run builds and checks without an account. With
 * OPERATOR_KEY, the environment's secret, it makes the first admin while none can sign in, named by
 * `--first-operator "Ana Souza"`, and prints key and set-up link.
 */
import { parseArgs } from "node:util";
import { addOperator, setupApi } from "../lib/add-operator.ts";
import { runWrangler } from "../lib/wrangler.ts";
import { boundDatabases, publicUrl } from "../lib/wrangler-config.ts";

const { values: options } = parseArgs({
  options: {
    env: { type: "string", default: "production" },
    "dry-run": { type: "boolean", default: false },
    "first-operator": { type: "string", default: "First operator" },
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
  await makeFirstOperator();
}

/** Makes the first admin, unless one can sign in: then the service refuses the set-up key. */
async function makeFirstOperator(): Promise<void> {
  const operatorKey = process.env["OPERATOR_KEY"];
  const url = publicUrl(options.env);
  if (operatorKey === undefined || url === null) {
    console.log("No operator yet? docs/deploy.md#operators makes the first.");
    return;
  }
  const api = setupApi(url, operatorKey);
  // A body that makes nobody tells whether the key is accepted: 400 if so, 401 if not.
  const probe = await api.call("POST", "/api/v1/operator/people", {}).catch(() => null);
  if (probe?.status === 401) {
    console.log(
      "OPERATOR_KEY is not accepted: an admin can sign in already, or it is another key.",
    );
    return;
  }
  if (probe?.status !== 400) {
    console.log(`${url} does not answer yet. Then: npm run operator -- first --env ${options.env}`);
    return;
  }
  await addOperator(api, { name: options["first-operator"], role: "admin" });
}
