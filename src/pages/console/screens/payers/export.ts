import { exportPayer } from "../../../../api/payers/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteBody, RouteRefusal } from "../../../../http/openapi/route-types.ts";

const PAGE_SIZE = 20;
/** Each page is some reads and an entry of the audit trail; a request has room for so many. */
const PAGES_MAX = 20;

type Exported = RouteBody<typeof exportPayer>;

/**
 * The pages of a payer's export as one. `hasMore` of the result says whether it is the whole; the API gives the
 * rest after `after`. The first refusal ends it.
 */
export async function exportWhole(
  c: ConsoleContext,
  document: string,
): Promise<RouteRefusal | Exported> {
  const whole: Exported = {
    data: { document, charges: [], events: [], subscriptions: [], withdraws: [], savedCards: [] },
    after: null,
    hasMore: true,
  };
  for (let pages = 0; pages < PAGES_MAX && whole.hasMore; pages += 1) {
    const after = whole.after === null ? {} : { after: whole.after };
    const json = { document, limit: PAGE_SIZE, ...after };
    const answer = await callRoute(c, exportPayer, { json });
    if (!answer.ok) return answer;
    const { data, ...position } = answer.body;
    whole.data.document = data.document;
    whole.data.charges.push(...data.charges);
    whole.data.events.push(...data.events);
    whole.data.subscriptions.push(...data.subscriptions);
    whole.data.withdraws.push(...data.withdraws);
    whole.data.savedCards.push(...data.savedCards);
    Object.assign(whole, position);
  }
  return whole;
}
