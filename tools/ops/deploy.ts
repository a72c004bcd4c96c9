/**
 * `npm run deploy -- [--env production|sandbox]`: from an empty account to a service that answers, and each release after
 * that. Makes the databases, queues and keys that are missing, migrates, deploys, makes the first operator and tries the
 * service out. Can be repeated after any failure (docs/deploy.md).
 *
 *   --domain pay.example.com        its address, on a zone of the account; without one it stays what it is,
 *                                   at first under workers.dev
 *   --first-operator "Ana Souza"    the name of the first admin
 *   --percent 10                    gives this code a share of the requests beside the version before
 *   --no-alarms                     nobody hears of alarms; else give ALARM_SLACK_URL, ALARM_WEBHOOK_URL with
 *                                   ALARM_WEBHOOK_SECRET, or ALARM_EMAIL in the environment, once
 *   --dry-run                       builds and checks without an account
 *
 * Exits with 1 and says what went wrong.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { deploy } from "../lib/deploy/deploy.ts";
import { ENVIRONMENTS, environmentConfig, writeEnvironment } from "../lib/deploy/environment.ts";
import { runWrangler, wranglerOutput } from "../lib/wrangler.ts";

const { values: options } = parseArgs({
  options: {
    env: { type: "string", default: "production" },
    domain: { type: "string" },
    "first-operator": { type: "string", default: "First operator" },
    percent: { type: "string", default: "100" },
    "no-alarms": { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
  },
});
const environment = ENVIRONMENTS.find((name) => name === options.env);
const percent = Number(options.percent);
if (environment === undefined) fail(`--env must be ${ENVIRONMENTS.join(" or ")}.`);
if (!Number.isInteger(percent) || percent < 1 || percent > 100) fail("--percent must be 1 to 100.");
if (options.domain !== undefined && !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(options.domain)) {
  fail("--domain must be a host name such as pay.example.com.");
}

if (options["dry-run"]) {
  const path = writeEnvironment(`${environment}.dry-run`, environmentConfig(environment));
  console.log(runWrangler(["deploy", "--dry-run", "--config", path]));
} else {
  const { domain, "first-operator": firstOperator, "no-alarms": noAlarms } = options;
  try {
    await deploy(
      { environment, domain, firstOperator, percent, noAlarms },
      {
        wrangler: wranglerOutput,
        print: (text) => console.log(text),
        wait: (ms) => wait(ms),
        env: process.env,
      },
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    fail("\nNothing that was made is lost: run the same command again.");
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
