/**
 * `npm run reconcile -- [--url https://...] [--repair] [--archived]`: verifies the ledger of every company
 * from the first movement, and compares each charge, withdraw and day with its projection in D1. `--repair`
 * rewrites projections that differ. `--archived` accepts that D1 lacks events before its first one.
 * docs/deploy.md says how an operator signs in. Exits with 1 after a violation.
 */
import { parseArgs } from "node:util";
import { operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";

interface Step {
  movement: number;
  ledgerDone: boolean;
  afterTransaction: string;
  afterWithdraw: number;
  afterDay: string;
  afterSeq: number;
  afterEvent: number;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

interface Page {
  items: { id: number; name: string }[];
  after: string | null;
}

/** The most steps of one company. A step checks 500 movements and 100 projections. */
const STEPS_MAX = 100_000;

const { values: options } = parseArgs({
  options: {
    ...SERVICE_OPTIONS,
    repair: { type: "boolean", default: false },
    archived: { type: "boolean", default: false },
  },
});

const api = operatorApi(options);
let violations = 0;
for (let after: string | null = "0"; after !== null;) {
  const page: Page = await requestJson("GET", `/companies?limit=100&after=${after}`);
  for (const company of page.items) {
    // A failure of one company must not stop the others.
    violations += await reconcile(company.id, company.name).catch((error: Error) => {
      console.error(`${company.id} ${company.name}: ${error.message}`);
      return 1;
    });
  }
  after = page.after;
}
if (violations > 0) {
  console.error(
    `${violations} violations. Centavo froze the withdraws of every company with an invalid ledger.`,
  );
  process.exit(1);
}
console.log("OK: every ledger is valid and D1 matches it.");

/** Reconciles one company and returns the number of violations that remain. */
async function reconcile(companyId: number, name: string): Promise<number> {
  const found = new Set<string>();
  let [compared, repaired, movement] = [0, 0, 0];
  const start = {
    fromStart: true,
    afterTransaction: "",
    afterWithdraw: 0,
    afterDay: "",
    afterSeq: 0,
    afterEvent: 0,
  };
  const step = { ...start, repair: options.repair, archived: options.archived };
  for (let count = 0; count < STEPS_MAX; count++) {
    const result: Step = await requestJson("POST", `/companies/${companyId}/reconcile`, step);
    for (const violation of result.violations) found.add(violation);
    compared += result.compared;
    repaired += result.repaired;
    movement = result.movement;
    if (result.ledgerDone && result.copiesDone) break;
    step.fromStart = false;
    step.afterTransaction = result.afterTransaction;
    step.afterWithdraw = result.afterWithdraw;
    step.afterDay = result.afterDay;
    step.afterSeq = result.afterSeq;
    step.afterEvent = result.afterEvent;
  }
  const rewritten = repaired === 0 ? "" : `, ${repaired} rewritten`;
  console.log(
    `${companyId} ${name}: ${movement} movements, ${compared} projections compared${rewritten}`,
  );
  for (const violation of found) console.log(`    ${violation}`);
  return options.repair
    ? [...found].filter((violation) => !violation.startsWith("I9 D1 differs")).length
    : found.size;
}

async function requestJson<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await api.call(method, `/api/v1/operator${path}`, body);
  if (answer.status < 300) return answer.body as Answer;
  throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
}
