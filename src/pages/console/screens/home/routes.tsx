import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { callApi, type ApiAnswer } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { BalanceCards, Waiting, type Balance } from "./parts.tsx";
import { PeriodReport } from "./period.tsx";
import { firstDayOf, periodOf, type Booking, type Created } from "./report.ts";
import { waitingOf } from "./waiting.ts";

/** The first page: what came, what there is, what needs a person. */
export function homeScreen(app: ConsoleApp): void {
  app.get("/", requirePerson, (c) => showHome(c));
}

async function showHome(c: ConsoleContext) {
  const texts = textsOf(c);
  const language = languageOf(c);
  const period = periodOf(c.req.query("period"));
  const today = saoPauloDay(c.env.outer.get("deps").clock.now());
  const days = `from=${firstDayOf(period, today)}&to=${today}`;
  const [bookings, created, balance, waiting] = await Promise.all([
    itemsOf<Booking>(c, `/api/v1/reports/daily?${days}`),
    itemsOf<Created>(c, `/api/v1/reports/conversion?${days}`),
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
      {bookings === null || created === null ? null : (
        <PeriodReport
          period={period}
          bookings={bookings}
          created={created}
          today={today}
          texts={texts}
          language={language}
        />
      )}
    </>,
  );
}

/** A report's items; null if the role may not read it. */
async function itemsOf<Item>(c: ConsoleContext, path: string): Promise<Item[] | null> {
  const answer = await callApi<{ items: Item[] }>(c, "GET", path);
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
