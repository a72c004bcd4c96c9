/**
 * `npm run move-company -- <id> --to DB_2 [--env production | --url https://...]`: moves a company to
 * another database while it is in use, step by step (docs/storage.md). Can be stopped and resumed at any
 * time; `--abort` instead of `--to` rolls back a move that is not complete. docs/deploy.md says how an operator
 * signs in. Exits with 2 when the move fails.
 */
import { parseArgs } from "node:util";
import { fail, operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";

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
    ...SERVICE_OPTIONS,
  },
});

const [companyId] = positionals;
if (companyId === undefined || !/^[1-9]\d{0,7}$/.test(companyId))
  fail("Give the number of the company to move.");
if ((options.to === undefined) === !options.abort) fail("Give either --to DB_2 or --abort.");
const api = operatorApi(options);
const moveRequest = options.abort ? { abort: true } : { to: options.to };

const report = await moveStepwise();
console.log(`Company ${companyId} is in database ${report.database}.`);

async function moveStepwise(): Promise<Report> {
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
  const path = `/api/v1/operator/companies/${companyId}/move`;
  const { status, body } = await api.call("POST", path, moveRequest);
  if (status < 300) return body as Report;
  const message = `The service returned ${status}: ${JSON.stringify(body)}`;
  throw status < 500 ? new RequestRejected(message) : new Error(message);
}
