import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { callApi, type ApiAnswer } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { may } from "../answers.tsx";
import { BalanceCards, PeriodReport, Waiting, type Balance, type WaitingThing } from "./parts.tsx";
import { firstDayOf, periodOf } from "./report.ts";

/** How many waiting things a page counts: more than these are "50+". */
const WAITING_SHOWN_MAX = 50;

/** The first page: what came, what there is, what needs a person. */
export function homeScreen(app: ConsoleApp): void {
  app.get("/", requirePerson, (c) => showHome(c));
}

async function showHome(c: ConsoleContext) {
  const texts = textsOf(c);
  const language = languageOf(c);
  const period = periodOf(c.req.query("period"));
  const today = saoPauloDay(c.env.outer.get("deps").clock.now());
  const [bookings, balance, waiting] = await Promise.all([
    bookingsOf(c, firstDayOf(period, today), today),
    balanceOf(c),
    waitingOf(c),
  ]);
  return page(
    c,
    { title: texts.home.title, active: "/console" },
    <>
      {balance === null ? null : (
        <BalanceCards balance={balance} texts={texts} language={language} />
      )}
      <Waiting things={waiting} texts={texts} />
      {bookings === null ? null : (
        <PeriodReport
          period={period}
          bookings={bookings}
          today={today}
          texts={texts}
          language={language}
        />
      )}
    </>,
  );
}

/** Null if the role may not read it. */
async function bookingsOf(c: ConsoleContext, from: string, to: string) {
  const answer = await callApi(c, "GET", `/api/v1/reports/daily?from=${from}&to=${to}`);
  return readable(answer)?.items ?? null;
}

/** Null if the role may not read it. */
async function balanceOf(c: ConsoleContext): Promise<Balance | null> {
  const { companyId } = c.get("person");
  const answer = await callApi(c, "GET", `/api/Balance/balance/${companyId}?currency=BRL`);
  return readable(answer);
}

/** An answer's body; null if the role may not read it. Throws for any other refusal, which is a fault of ours. */
function readable<Body>({ ok, status, body }: ApiAnswer<Body>): Body | null {
  if (ok) return body;
  if (status === 403) return null;
  throw new Error(`the API answers ${status}`);
}

/** What waits for a person, as far as the role may see it. */
async function waitingOf(c: ConsoleContext): Promise<WaitingThing[]> {
  const [withdraws, disputes, payments] = await Promise.all([
    may(c, "withdraws:read") ? countOf(c, "/api/v1/withdraws?status=Awaiting", isToApprove) : 0,
    may(c, "transactions:read") ? countOf(c, "/api/v1/disputes?status=open") : 0,
    may(c, "transactions:read") ? countOf(c, "/api/v1/payments/unexpected?status=kept") : 0,
  ]);
  return [
    { name: "approvals" as const, path: "/console/withdraws?status=Awaiting", count: withdraws },
    { name: "disputes" as const, path: "/console/disputes", count: disputes },
    { name: "unexpected" as const, path: "/console/unexpected-payments", count: payments },
  ].filter(({ count }) => count !== 0);
}

function isToApprove(withdraw: object): boolean {
  return "approval" in withdraw && withdraw.approval === "pending";
}

/** How many of a list's first items count, as a text such as `50+` if the list goes on. */
async function countOf(
  c: ConsoleContext,
  path: string,
  counts: (item: object) => boolean = () => true,
): Promise<number | string> {
  const answer = await callApi(c, "GET", `${path}&limit=${WAITING_SHOWN_MAX}`);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  const { items, hasMore } = answer.body as { items: object[]; hasMore: boolean };
  const count = items.filter(counts).length;
  return hasMore ? `${count}+` : count;
}
