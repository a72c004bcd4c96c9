import { getBalance } from "../../../../api/balance/routes.ts";
import { getConversionReport, getDailyReport } from "../../../../api/reports/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { CURRENCY } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import type { RouteRefusal } from "../../route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { BalanceCards, Waiting } from "./parts.tsx";
import { PeriodReport } from "./period.tsx";
import { firstDayOf, periodOf } from "./report.ts";
import { waitingOf } from "./waiting.ts";

/** The first page: what came, what there is, what needs a person. */
export function homeScreen(app: ConsoleApp): void {
  app.get("/", requireMember, (c) => showHome(c));
}

async function showHome(c: ConsoleContext) {
  const texts = textsOf(c);
  const period = periodOf(c.req.query("period"));
  const today = saoPauloDay(c.env.outer.get("deps").clock.now());
  const query = { from: firstDayOf(period, today), to: today };
  const { companyId } = c.get("person");
  const [bookings, created, balance, waiting] = await Promise.all([
    readable(callRoute(c, getDailyReport, { query })),
    readable(callRoute(c, getConversionReport, { query })),
    readable(callRoute(c, getBalance, { params: { companyId }, query: { currency: CURRENCY } })),
    waitingOf(c),
  ]);
  return page(
    c,
    { title: texts.home.title, active: "/console" },
    <>
      {balance === null ? null : <BalanceCards balance={balance} />}
      <Waiting things={waiting} />
      {bookings === null || created === null ? null : (
        <PeriodReport
          period={period}
          bookings={bookings.items}
          created={created.items}
          today={today}
        />
      )}
    </>,
  );
}

/** An answer's body; null if the role may not read it. Throws for any other refusal, which is a fault of ours. */
async function readable<Body>(
  answering: Promise<{ ok: true; body: Body } | RouteRefusal>,
): Promise<Body | null> {
  const answer = await answering;
  if (answer.ok) return answer.body;
  if (answer.status === 403) return null;
  throw new Error(`the API answers ${answer.status}`);
}
