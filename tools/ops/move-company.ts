/**
 * `npm run move-company -- <id> --to DB_2 [--env production | --url https://...]`: brings a company to
 * another database while it is in use, step by step (docs/storage.md). May be stopped and run again at
 * any time; `--abort` instead of `--to` undoes a move, until the company has moved. OPERATOR_KEY holds
 * the environment's operator key; without it the local one is used.
 */
import { parseArgs } from "node:util";
import { LOCAL_OPERATOR_KEY } from "../../src/lib/local-key.ts";
import { publicUrl } from "../lib/wrangler-config.ts";

interface Report {
  database: string;
  target: string | null;
  stage: string | null;
  atTable: string;
  busy: boolean;
}

/** Steps of one move: 200 rows each, so a billion of them. */
const STEPS_MAX = 5_000_000;
/** Steps that may fail one after the other; each may be run again. */
const FAILURES_MAX = 10;
const PAUSE_MS = 1_000;

/** The service has understood and will not: asking again is no use. */
class RequestRejected extends Error {}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: "string" },
    abort: { type: "boolean", default: false },
    env: { type: "string" },
    url: { type: "string" },
  },
});

const [companyId] = positionals;
if (companyId === undefined || !/^[1-9]\d{0,7}$/.test(companyId))
  fail("Give the number of the company to migrate.");
if ((options.to === undefined) === !options.abort) fail("Give either --to DB_2 or --abort.");
const base = serviceUrl();
const migrationRequest = options.abort ? { abort: true } : { to: options.to };

const report = await migrate();
console.log(`Company ${companyId} is in database ${report.database}.`);

async function migrate(): Promise<Report> {
  let [failures, shown] = [0, ""];
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const answer = await requestStep().catch((error: Error) => error);
    if (answer instanceof Error) {
      failures += 1;
      if (answer instanceof RequestRejected || failures > FAILURES_MAX) fail(answer.message);
      await new Promise((wake) => setTimeout(wake, PAUSE_MS));
      continue;
    }
    failures = 0;
    const isOver = answer.target === null && (options.abort || answer.database === options.to);
    if (isOver) return answer;
    const now = `${answer.stage ?? "begun"} ${answer.atTable}`.trim();
    if (now !== shown) console.log(now);
    shown = now;
    if (answer.busy) await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
  return fail("The tenant migration did not finish; run the command again.");
}

async function requestStep(): Promise<Report> {
  const answer = await fetch(`${base}/api/v1/operator/companies/${companyId}/move`, {
    method: "POST",
    headers: {
      "X-Client-Id": "operator",
      "X-API-Key": process.env["OPERATOR_KEY"] ?? LOCAL_OPERATOR_KEY,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(migrationRequest),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as Report;
  const message = `The service answered ${answer.status}: ${text}`;
  throw answer.status < 500 ? new RequestRejected(message) : new Error(message);
}

function serviceUrl(): string {
  if (options.url !== undefined) return options.url;
  if (options.env === undefined) return `http://localhost:${process.env["PORT"] ?? "8787"}`;
  const url = publicUrl(options.env);
  return url ?? fail(`${options.env} has no PUBLIC_URL in wrangler.toml: give --url https://...`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
