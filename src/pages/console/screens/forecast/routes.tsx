import { getBalance, getForecast } from "../../../../api/balance/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { CURRENCY, reaisToCents } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { localeOf, textsOf } from "../../texts.ts";
import { BarChart, type DayAmount } from "../../ui/charts/bar-chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { page } from "../../ui/layout.tsx";
import { List, Section } from "../../ui/parts.tsx";
import { ReleaseCalendar, releasesPath } from "../../ui/charts/release-calendar.tsx";
import { refusalPage } from "../answers.tsx";
import { Card } from "../home/parts.tsx";
import { showDay } from "./day.tsx";
import { companyNow } from "../../people/company-head.ts";

/** What becomes available on which day. Its address of before leads to it. */
export function forecastScreen(app: ConsoleApp): void {
  app.get("/calendar", requireMember, requirePermission("balance:read"), (c) => showForecast(c));
  app.get("/calendar/:day", requireMember, requirePermission("balance:read"), (c) =>
    showDay(c, c.req.param("day")),
  );
  app.get("/forecast", requireMember, requirePermission("balance:read"), (c) =>
    c.redirect("/console/calendar", 301),
  );
}

async function showForecast(c: ConsoleContext) {
  const texts = textsOf(c);
  const { money, date } = localeOf(c);
  const labels = texts.forecast;
  const head = { title: labels.title, active: "/console/calendar" };
  const { companyId } = c.get("person");
  const asked = { params: { companyId }, query: { currency: CURRENCY } };
  const [balance, forecast] = await Promise.all([
    callRoute(c, getBalance, asked),
    callRoute(c, getForecast, asked),
  ]);
  if (!balance.ok) return refusalPage(c, head, balance);
  if (!forecast.ok) return refusalPage(c, head, forecast);
  const today = saoPauloDay(companyNow(c));
  const { accBalance, accBalanceBlocked } = balance.body;
  const { items, total } = forecast.body;
  const days: DayAmount[] = items.map((item) => ({ day: item.date, amount: item.amount }));
  return page(
    c,
    head,
    <>
      <div class="cards">
        <Card name={labels.now} path="/console/statement">
          {money(reaisToCents(accBalance))}
        </Card>
        <Card name={labels.total}>{money(total)}</Card>
        <Card name={labels.blocked} path="/console/disputes">
          {money(reaisToCents(accBalanceBlocked))}
        </Card>
      </div>
      <p class="hint">{labels.blockedWhy}</p>
      <Section title={labels.byDay}>
        <ReleaseCalendar releases={days} today={today} />
        {days.length === 0 ? null : <BarChart days={days} label={labels.byDay} />}
        <List
          caption={labels.byDay}
          rows={days}
          empty={<Empty icon="calendar">{labels.none}</Empty>}
          columns={[
            { heading: labels.day, cell: ({ day }) => <a href={releasesPath(day)}>{date(day)}</a> },
            {
              heading: labels.amount,
              isNumber: true,
              cell: ({ amount }) => money(amount),
            },
          ]}
        />
      </Section>
    </>,
  );
}
