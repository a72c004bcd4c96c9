import { callApi } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { dateTime } from "../../format.ts";
import { fill, languageOf, textsOf } from "../../texts.ts";
import { may } from "../answers.tsx";
import { timeLeft } from "../disputes/deadline.ts";
import { DISPUTES_PATH, type Dispute } from "../disputes/dispute.ts";
import { WEBHOOKS_PATH, type Endpoint } from "../webhooks/webhook.ts";

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
      ? counted(c, approvals, "/api/v1/withdraws?status=Awaiting&approval=pending")
      : [],
    may(c, "transactions:read") ? counted(c, refunds, "/api/v1/refunds?approval=pending") : [],
    may(c, "transactions:read") ? openDisputes(c) : [],
    may(c, "transactions:read")
      ? counted(c, unexpected, "/api/v1/payments/unexpected?status=kept")
      : [],
    may(c, "webhooks:read") ? failingHosts(c) : [],
  ]);
  return things.flat();
}

async function counted(
  c: ConsoleContext,
  thing: Pick<WaitingThing, "name" | "path">,
  list: string,
): Promise<WaitingThing[]> {
  const { items, hasMore } = await listOf<unknown>(c, list);
  return items.length === 0 ? [] : [{ ...thing, count: countOf(items, hasMore) }];
}

/** Open disputes, with the next end of a time for evidence; it is not known where there are too many to see. */
async function openDisputes(c: ConsoleContext): Promise<WaitingThing[]> {
  const { items, hasMore } = await listOf<Dispute>(c, "/api/v1/disputes?status=open");
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
    at: dateTime(nearest, languageOf(c)),
    left: timeLeft(nearest, nowMs, texts),
  });
  return [{ ...thing, hint }];
}

async function failingHosts(c: ConsoleContext): Promise<WaitingThing[]> {
  const answer = await callApi<Endpoint>(c, "GET", "/api/v1/webhooks/endpoint");
  if (!answer.ok) throw new Error(`the endpoint answers ${answer.status}`);
  const hosts = answer.body.failingHosts ?? [];
  if (hosts.length === 0) return [];
  const hint = hosts.map(({ host }) => host).join(", ");
  return [{ name: "webhooks", path: WEBHOOKS_PATH, count: hosts.length, hint }];
}

async function listOf<Item>(c: ConsoleContext, path: string) {
  const answer = await callApi(c, "GET", `${path}&limit=${WAITING_SHOWN_MAX}`);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return answer.body as { items: Item[]; hasMore: boolean };
}

/** A count as a text such as `100+` if the list goes on. */
function countOf({ length }: readonly unknown[], hasMore: boolean): number | string {
  return hasMore ? `${length}+` : length;
}
