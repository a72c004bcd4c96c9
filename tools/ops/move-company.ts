/**
 * `npm run move-company -- <id> --to DB_2 [--env production | --url https://...]`: migrates a company to
 * another database while it is in use, step by step (docs/storage.md). Can be stopped and resumed at any
 * time; `--abort` instead of `--to` rolls back a move that is not complete. OPERATOR_KEY is the
 * environment's operator key (default: the local one). Exits with 2 when the move fails.
 */
import { parseArgs } from "node:util";
import { LOCAL_OPERATOR_KEY } from "../lib/local-operators.ts";
import { publicUrl } from "../lib/wrangler-config.ts";

interface Report {
  database: string;
  target: string | null;
  stage: string | null;
  atTable: string;
  busy: boolean;
}

/** The most steps of one move. A step copies 200 rows, so this allows a billion rows. */
const STEPS_MAX = 5_000_000;
/** The most consecutive failures. Every step is safe to repeat. */
const FAILURES_MAX = 10;
const PAUSE_MS = 1_000;

/** The service refused the request: a retry would fail again. */
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
  fail("Give the number of the company to move.");
if ((options.to === undefined) === !options.abort) fail("Give either --to DB_2 or --abort.");
const base = serviceUrl();
const migrationRequest = options.abort ? { abort: true } : { to: options.to };

const report = await migrate();
console.log(`Company ${companyId} is in database ${report.database}.`);

async function migrate(): Promise<Report> {
  let [failures, printed] = [0, ""];
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const answer = await requestStep().catch((error: Error) => error);
    if (answer instanceof Error) {
      failures += 1;
      if (answer instanceof RequestRejected || failures > FAILURES_MAX) fail(answer.message);
      await new Promise((wake) => setTimeout(wake, PAUSE_MS));
      continue;
    }
    failures = 0;
    const isDone = answer.target === null && (options.abort || answer.database === options.to);
    if (isDone) return answer;
    const progress = `${answer.stage ?? "started"} ${answer.atTable}`.trim();
    if (progress !== printed) console.log(progress);
    printed = progress;
    if (answer.busy) await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
  return fail("The move did not finish. Run the command again to resume it.");
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
  const message = `The service returned ${answer.status}: ${text}`;
  throw answer.status < 500 ? new RequestRejected(message) : new Error(message);
}

function serviceUrl(): string {
  if (options.url !== undefined) return options.url;
  if (options.env === undefined) return `http://localhost:${process.env["PORT"] ?? "8787"}`;
  const url = publicUrl(options.env);
  return url ?? fail(`${options.env} has no PUBLIC_URL in wrangler.toml. Give --url https://...`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
