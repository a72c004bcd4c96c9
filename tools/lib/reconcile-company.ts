import type { ApiClient } from "./merchant.ts";

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

/** What a reconciliation of one company found. */
export interface Reconciled {
  violations: string[];
  movement: number;
  compared: number;
  repaired: number;
}

interface Page {
  items: { id: number; name: string }[];
  after: string | null;
}

/** The most steps of one company. A step checks 500 movements and 100 projections. */
const STEPS_MAX = 100_000;

/** Every company after a number, in pages, by number. */
export async function* allCompanies(
  api: ApiClient,
  first = 0,
): AsyncGenerator<{ id: number; name: string }> {
  for (let after: string | null = String(first); after !== null;) {
    const page: Page = await operatorJson(api, "GET", `/companies?limit=100&after=${after}`);
    yield* page.items;
    after = page.after;
  }
}

/** Verifies a company's ledger from the first movement, and compares D1 with the object. */
export async function reconcileCompany(
  api: ApiClient,
  companyId: number,
  options: { repair: boolean; archived: boolean },
): Promise<Reconciled> {
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
    const path = `/companies/${companyId}/reconcile`;
    const result: Step = await operatorJson(api, "POST", path, step);
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
  return { violations: [...found], movement, compared, repaired };
}

/** A request to the operators' API. Throws with its answer where it is refused. */
export async function operatorJson<Answer>(
  api: ApiClient,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await api.call(method, `/api/v1/operator${path}`, body);
  if (answer.status < 300) return answer.body as Answer;
  throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
}
