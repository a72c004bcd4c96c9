import type { getRehearsal } from "../../../../api/reports/rehearsal/routes.ts";
import { ENOUGH_ENDED } from "../../../../domain/rehearsal/payment-odds.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { CashChart } from "../../ui/charts/cash-chart.tsx";
import { List, Section, type Column } from "../../ui/parts.tsx";
import { Card } from "../home/parts.tsx";

type Rehearsal = RouteBody<typeof getRehearsal>;
type Day = Rehearsal["items"][number];

export const PATH = "/console/rehearsal";
const PERIODS = [7, 30, 60, 90];
/** What happens on a day. */
const FIGURES = [
  "releases",
  "expiredApprovals",
  "due",
  "expiring",
  "expectedPayments",
  "disputed",
  "debtRepaid",
] as const;
const BALANCES = ["certain", "expected", "worst", "best"] as const;

/** A rehearsal as figures of its last day, a chart, and tables. */
export function RehearsedDays({ rehearsal }: { rehearsal: Rehearsal }) {
  const { date, money } = useLocale();
  const labels = useTexts().rehearsal;
  const { items, assumptions, payout } = rehearsal;
  const last = items.at(-1);
  if (last === undefined) return null;
  const said = {
    day: date(last.day),
    certain: money(last.certain),
    expected: money(last.expected),
    worst: money(last.worst),
    best: money(last.best),
  };
  return (
    <>
      <p class="hint">{fill(labels.about, { days: assumptions.days })}</p>
      <Periods days={items.length} />
      <div class="cards">
        <Card name={labels.now} path="/console/statement">
          {money(items[0]?.opening ?? 0)}
        </Card>
        <Card name={fill(labels.certainOn, said)}>{said.certain}</Card>
        <Card name={fill(labels.expectedOn, said)} note={fill(labels.between, said)}>
          {said.expected}
        </Card>
      </div>
      <CashChart days={items} label={fill(labels.chart, said)} />
      <p class="hint chart-legend">{labels.legend}</p>
      {payout === 0 ? null : <p class="hint">{fill(labels.payout, { amount: money(payout) })}</p>}
      <DayTable days={items} />
      <Past assumptions={assumptions} />
    </>
  );
}

function Periods({ days }: { days: number }) {
  const labels = useTexts().rehearsal;
  return (
    <p class="actions">
      {PERIODS.map((each) => (
        <a
          class="button"
          href={`${PATH}?days=${each}`}
          {...(each === days ? { "aria-current": "page" as const } : {})}
        >
          {fill(labels.days, { days: each })}
        </a>
      ))}
    </p>
  );
}

/** Each day on which something changes, and the last one. */
function DayTable({ days }: { days: Day[] }) {
  const { date, money } = useLocale();
  const labels = useTexts().rehearsal;
  const rows = days.filter((day, index) => index === days.length - 1 || happens(day).length > 0);
  return (
    <Section title={labels.byDay}>
      <p class="hint">
        {labels.changesOnly}
        {rows.some(({ expiredApprovals }) => expiredApprovals > 0) ? ` ${labels.approvals}` : ""}
      </p>
      <div class="rehearsed">
        <List
          caption={labels.byDay}
          rows={rows}
          empty=""
          columns={[
            { heading: labels.day, cell: ({ day }) => date(day) },
            {
              heading: labels.happens,
              cell: (day) =>
                happens(day)
                  .map((name) => `${labels.columns[name]} ${money(day[name])}`)
                  .join(" · ") || labels.nothing,
            },
            ...BALANCES.map((name): Column<Day> => ({
              heading: labels.columns[name],
              isNumber: true,
              cell: (day) => money(day[name]),
            })),
          ]}
        />
      </div>
    </Section>
  );
}

/** The figures of a day that are not 0. */
function happens(day: Day) {
  return FIGURES.filter((name) => day[name] !== 0);
}

/** What the company's own past says of its open charges. */
function Past({ assumptions }: { assumptions: Rehearsal["assumptions"] }) {
  const { percent } = useLocale();
  const texts = useTexts();
  const labels = texts.rehearsal;
  const { days, methods, returnedShare } = assumptions;
  return (
    <Section title={labels.past}>
      <List
        caption={labels.past}
        rows={methods}
        empty=""
        columns={[
          {
            heading: labels.method,
            cell: ({ paymentMethod }) => texts.payments.methods[paymentMethod],
          },
          { heading: labels.ended, isNumber: true, cell: ({ ended }) => ended },
          { heading: labels.paid, isNumber: true, cell: ({ paid }) => paid },
          {
            heading: labels.share,
            isNumber: true,
            cell: ({ isEnough, expected }) => percent(isEnough ? expected.share : null),
          },
          {
            heading: labels.range,
            isNumber: true,
            cell: ({ worst, best }) =>
              fill(labels.shareRange, { worst: percent(worst.share), best: percent(best.share) }),
          },
        ]}
      />
      {methods.every(({ isEnough }) => isEnough) ? null : (
        <p class="hint">{fill(labels.tooFew, { enough: ENOUGH_ENDED })}</p>
      )}
      <p class="hint">{fill(labels.returned, { share: percent(returnedShare), days })}</p>
    </Section>
  );
}
