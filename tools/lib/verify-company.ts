import {
  cursorOf,
  FIRST_COPY,
  type CopyCursor,
} from "../../src/domain/reconciliation/comparison-round.ts";
import type { ApiClient } from "./merchant.ts";
import { requestOrThrow } from "./operator-client.ts";

interface Step extends CopyCursor {
  movement: number;
  ledgerDone: boolean;
  copiesDone: boolean;
  compared: number;
  repaired: number;
  violations: string[];
}

/** What a check of one company found. */
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
export async function verifyCompany(
  api: ApiClient,
  companyId: number,
  { repair, archived }: { repair: boolean; archived: boolean },
): Promise<Reconciled> {
  const found = new Set<string>();
  let [compared, repaired, movement] = [0, 0, 0];
  let step = { fromStart: true, ...FIRST_COPY, repair, archived };
  for (let count = 0; count < STEPS_MAX; count++) {
    const path = `/companies/${companyId}/reconcile`;
    const result: Step = await operatorJson(api, "POST", path, step);
    for (const violation of result.violations) found.add(violation);
    compared += result.compared;
    repaired += result.repaired;
    movement = result.movement;
    if (result.ledgerDone && result.copiesDone) break;
    step = { fromStart: false, ...cursorOf(result), repair, archived };
  }
  return { violations: [...found], movement, compared, repaired };
}

/** The answer to a request to the operators' API. Throws as `requestOrThrow`. */
export async function operatorJson<Answer>(
  api: ApiClient,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return (await requestOrThrow(api, method, path, body)).body as Answer;
}
