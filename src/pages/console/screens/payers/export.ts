import { callApi, type ApiAnswer, type ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";

const PAGE_SIZE = 20;
/** Each page is some reads and an entry of the audit trail; a request has room for so many. */
const PAGES_MAX = 20;

interface Exported {
  data: { document: string; charges: unknown[]; events: unknown[]; withdraws: unknown[] };
  after: string | null;
  hasMore: boolean;
}

/**
 * The pages of a payer's export as one. `hasMore` of the result says whether it is the whole; the API gives the
 * rest after `after`. The first refusal ends it.
 */
export async function exportWhole(
  c: ConsoleContext,
  document: string,
): Promise<ApiAnswer<ApiProblem> | Exported> {
  const whole: Exported = {
    data: { document, charges: [], events: [], withdraws: [] },
    after: null,
    hasMore: true,
  };
  for (let pages = 0; pages < PAGES_MAX && whole.hasMore; pages += 1) {
    const after = whole.after === null ? {} : { after: whole.after };
    const body = { document, limit: PAGE_SIZE, ...after };
    const answer = await callApi(c, "POST", "/api/v1/payers/export", { body });
    if (!answer.ok) return answer;
    const { data, ...position } = answer.body as Exported;
    whole.data.document = data.document;
    whole.data.charges.push(...data.charges);
    whole.data.events.push(...data.events);
    whole.data.withdraws.push(...data.withdraws);
    Object.assign(whole, position);
  }
  return whole;
}
