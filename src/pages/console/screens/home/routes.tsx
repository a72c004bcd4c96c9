import { getBalance, getForecast } from "../../../../api/balance/routes.ts";
import { getConversionReport, getDailyReport } from "../../../../api/reports/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { addDays } from "../../../../domain/shared/calendar-day.ts";
import { CURRENCY, reaisToCents } from "../../../../domain/shared/money.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import type { RouteBody, RouteRefusal } from "../../../../http/openapi/route-types.ts";
import { textsOf, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { Section } from "../../ui/parts.tsx";
import { HourTable, type HourlyDay } from "../../ui/charts/hour-table.tsx";
import { ReleaseCalendar } from "../../ui/charts/release-calendar.tsx";
import { may } from "../answers.tsx";
import { FirstSteps, firstStepsOf } from "./first-steps.tsx";
import { Headline } from "./headline.tsx";
import { Needs } from "./need-rows.tsx";
import { needsOf } from "./needs.ts";
import { entriesPath } from "./opened.ts";
import { PeriodReport } from "./period.tsx";
import { refusalsOf } from "./refusals.ts";
import { BOOKED_DAYS, firstDayOf, grossPerHour, hoursOf, periodOf, volumesOf } from "./report.ts";
import { companyNow } from "../../people/company-head.ts";

/** The first page: what there is, what needs a person, what came in and when the rest comes. */
export function homeScreen(app: ConsoleApp): void {
  app.get("/", requireMember, (c) => showHome(c));
}

async function showHome(c: ConsoleContext) {
  if (!may(c, "transactions:read")) return c.redirect("/console/cashier", 303);
  const texts = textsOf(c);
  const nowMs = companyNow(c);
  const today = saoPauloDay(nowMs);
  const figures = await figuresOf(c, today);
  const { bookings, created, balance, forecast, refusals } = figures;
  const [needs, steps] = await Promise.all([
    needsOf(c, { grossPerHour: grossPerHour(bookings, today) }),
    firstStepsOf(c, { hasCharge: created.length > 0, hasPayment: bookings.length > 0 }),
  ]);
  return page(
    c,
    { title: texts.home.title, active: "/console", actions: <Acts c={c} /> },
    <>
      {balance === null || forecast === null ? null : (
        <Headline
          balance={balance}
          forecast={forecast}
          received={volumesOf(bookings, "month", today)}
          tomorrow={addDays(today, 1)}
        />
      )}
      {steps === null ? null : <FirstSteps steps={steps} />}
      <Needs
        needs={needs}
        areAllShown={c.req.query("needs") === "all"}
        available={balance === null ? null : reaisToCents(balance.accBalance)}
        nowMs={nowMs}
      />
      {balance === null ? null : (
        <PeriodReport
          period={periodOf(c.req.query("period"))}
          {...{ bookings, created, refusals, today }}
        />
      )}
      <Hours days={hoursOf(bookings, today)} />
      {forecast === null ? null : <Releases forecast={forecast} today={today} />}
    </>,
  );
}

/** The figures of the page, as far as the role may read them. */
async function figuresOf(c: ConsoleContext, today: string) {
  const { companyId } = c.get("person");
  const ofPeriod = { from: firstDayOf(periodOf(c.req.query("period")), today), to: today };
  const booked = { from: addDays(today, 1 - BOOKED_DAYS), to: today };
  const ofCompany = { params: { companyId }, query: { currency: CURRENCY } };
  const [bookings, created, balance, forecast, refusals] = await Promise.all([
    readable(callRoute(c, getDailyReport, { query: booked })),
    readable(callRoute(c, getConversionReport, { query: ofPeriod })),
    readable(callRoute(c, getBalance, ofCompany)),
    readable(callRoute(c, getForecast, ofCompany)),
    may(c, "transactions:read") ? refusalsOf(c, ofPeriod) : {},
  ]);
  return {
    bookings: bookings?.items ?? [],
    created: created?.items ?? [],
    balance,
    forecast,
    refusals,
  };
}

/** What a shop does most; to charge comes first. */
function Acts({ c }: { c: ConsoleContext }) {
  const labels = useTexts().home;
  return (
    <>
      {may(c, "transactions:write") ? (
        <a class="button primary" href="/console/charges/new">
          {labels.charge}
        </a>
      ) : null}
      {may(c, "withdraws:write") ? (
        <a class="button" href="/console/withdraws/new">
          {labels.withdraw}
        </a>
      ) : null}
    </>
  );
}

/** When payments come in; nothing where none came within a week. */
function Hours({ days }: { days: HourlyDay[] }) {
  const labels = useTexts().home;
  if (days.every(({ hours }) => Object.keys(hours).length === 0)) return null;
  return (
    <Section title={labels.hours}>
      <HourTable
        days={days}
        label={labels.hours}
        pathOf={(day, hour) => entriesPath({ to: day, hour: String(hour), only: "in" })}
      />
      <p class="hint">{labels.hoursHint}</p>
    </Section>
  );
}

function Releases(props: { forecast: RouteBody<typeof getForecast>; today: string }) {
  const labels = useTexts().forecast;
  const { forecast, today } = props;
  return (
    <Section title={labels.calendar}>
      <ReleaseCalendar
        releases={forecast.items.map(({ date, amount }) => ({ day: date, amount }))}
        today={today}
      />
      <p>
        <a href="/console/calendar">{labels.all}</a>
      </p>
    </Section>
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
