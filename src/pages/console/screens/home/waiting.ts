import { listDisputes } from "../../../../api/disputes/routes.ts";
import { listUnexpectedPayments } from "../../../../api/payments/routes.ts";
import { listWaitingRefunds } from "../../../../api/refunds/routes.ts";
import { getWebhookEndpoint } from "../../../../api/webhooks/endpoint/routes.ts";
import { searchWithdraws } from "../../../../api/withdraws/search/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteRefusal } from "../../route-types.ts";
import { fill, localeOf, textsOf } from "../../texts.ts";
import { may } from "../answers.tsx";
import { timeLeft } from "../disputes/deadline.ts";
import { DISPUTES_PATH } from "../disputes/dispute.ts";
import { WEBHOOKS_PATH } from "../webhooks/webhook.ts";

/** How many waiting things a page counts: more than these are "100+". */
const WAITING_SHOWN_MAX = 100;

/** Something that needs a person; `count` is a text where a page does not hold them all. */
export interface WaitingThing {
  name: "approvals" | "refunds" | "disputes" | "unexpected" | "webhooks";
  path: string;
  count: number | string;
  /** What to know before it is opened. */
  hint?: string;
}

/** What waits for a person, as far as the role may see it. */
export async function waitingOf(c: ConsoleContext): Promise<WaitingThing[]> {
  const approvals = { name: "approvals", path: "/console/withdraws?approval=pending" } as const;
  const refunds = { name: "refunds", path: "/console/refunds" } as const;
  const unexpected = { name: "unexpected", path: "/console/unexpected-payments" } as const;
  const things = await Promise.all([
    may(c, "withdraws:read")
      ? counted(
          approvals,
          callRoute(c, searchWithdraws, {
            query: { status: "Awaiting", approval: "pending", limit: WAITING_SHOWN_MAX },
          }),
        )
      : [],
    may(c, "transactions:read")
      ? counted(
          refunds,
          callRoute(c, listWaitingRefunds, {
            query: { approval: "pending", limit: WAITING_SHOWN_MAX },
          }),
        )
      : [],
    may(c, "transactions:read") ? openDisputes(c) : [],
    may(c, "transactions:read")
      ? counted(
          unexpected,
          callRoute(c, listUnexpectedPayments, {
            query: { status: "kept", limit: WAITING_SHOWN_MAX },
          }),
        )
      : [],
    may(c, "webhooks:read") ? failingHosts(c) : [],
  ]);
  return things.flat();
}

async function counted(
  thing: Pick<WaitingThing, "name" | "path">,
  listing: Promise<{ ok: true; body: { items: unknown[]; hasMore: boolean } } | RouteRefusal>,
): Promise<WaitingThing[]> {
  const { items, hasMore } = await bodyOf(listing);
  return items.length === 0 ? [] : [{ ...thing, count: countOf(items, hasMore) }];
}

/** Open disputes, with the next end of a time for evidence; it is not known where there are too many to see. */
async function openDisputes(c: ConsoleContext): Promise<WaitingThing[]> {
  const { dateTime } = localeOf(c);
  const { items, hasMore } = await bodyOf(
    callRoute(c, listDisputes, { query: { status: "open", limit: WAITING_SHOWN_MAX } }),
  );
  if (items.length === 0) return [];
  const nowMs = c.env.outer.get("deps").clock.now();
  const [nearest] = items
    .flatMap(({ deadline }) => (deadline === null ? [] : [deadline]))
    .filter((deadline) => Date.parse(deadline) > nowMs)
    .toSorted();
  const texts = textsOf(c);
  const thing = { name: "disputes" as const, path: DISPUTES_PATH, count: countOf(items, hasMore) };
  if (nearest === undefined || hasMore) return [thing];
  const hint = fill(texts.home.nearestDeadline, {
    at: dateTime(nearest),
    left: timeLeft(nearest, nowMs, texts),
  });
  return [{ ...thing, hint }];
}

async function failingHosts(c: ConsoleContext): Promise<WaitingThing[]> {
  const { failingHosts: hosts = [] } = await bodyOf(callRoute(c, getWebhookEndpoint));
  if (hosts.length === 0) return [];
  const hint = hosts.map(({ host }) => host).join(", ");
  return [{ name: "webhooks", path: WEBHOOKS_PATH, count: hosts.length, hint }];
}

/** An answer's body. Throws for a refusal: the role may read all that is asked for. */
async function bodyOf<Body>(
  answering: Promise<{ ok: true; body: Body } | RouteRefusal>,
): Promise<Body> {
  const answer = await answering;
  if (!answer.ok) throw new Error(`the API answers ${answer.status}: ${answer.body.detail}`);
  return answer.body;
}

/** A count as a text such as `100+` if the list goes on. */
function countOf({ length }: readonly unknown[], hasMore: boolean): number | string {
  return hasMore ? `${length}+` : length;
}
