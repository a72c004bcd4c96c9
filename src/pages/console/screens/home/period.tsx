import { addDays } from "../../../../domain/shared/calendar-day.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { Card } from "./parts.tsx";
import type { Refusals } from "./refusals.ts";
import {
  bookingsOf,
  firstDayOf,
  methodSumsOf,
  PERIODS,
  sumOf,
  volumesOf,
  type Booking,
  type Created,
  type MethodSums,
  type Period,
} from "./report.ts";

/** `YYYY-MM`. */
const MONTH_LENGTH = 7;

/** What a period received against the one before: sums, a chart, and the same as tables. */
export function PeriodReport(props: {
  period: Period;
  /** Of this period and the one before. */
  bookings: Booking[];
  created: Created[];
  refusals: Refusals;
  today: string;
}) {
  const { period, created, refusals, today } = props;
  const labels = useTexts().home;
  const bookings = bookingsOf(props.bookings, period, today);
  const before = bookingsOf(props.bookings, period, addDays(today, -PERIODS[period]));
  const beforeEnds = addDays(today, -PERIODS[period]);
  const volumes = volumesOf(bookings, period, today);
  return (
    <Section title={labels.report}>
      <p class="actions">
        {(Object.keys(PERIODS) as Period[]).map((name) => (
          <a
            class="button"
            href={`/console?period=${name}`}
            {...(name === period ? { "aria-current": "page" } : {})}
          >
            {labels[name]}
          </a>
        ))}
      </p>
      <PeriodCards {...{ period, bookings, before, created, today }} />
      {period === "today" || sumOf(props.bookings).gross === 0 ? null : (
        <>
          <BarChart
            days={volumes}
            before={volumesOf(before, period, beforeEnds).map(({ amount }) => amount)}
            label={labels.chart}
          />
          <p class="hint chart-legend">{labels.chartLegend}</p>
        </>
      )}
      <MethodTable methods={methodSumsOf(bookings, created)} refusals={refusals} />
      <details>
        <summary>{labels.asTable}</summary>
        <DayTable bookings={bookings} />
      </details>
    </Section>
  );
}

/** The sums of a period; each opens the payments or the statement that it is made of. */
function PeriodCards(props: {
  period: Period;
  bookings: Booking[];
  before: Booking[];
  created: Created[];
  today: string;
}) {
  const { money, percent } = useLocale();
  const labels = useTexts().home;
  const { period, bookings, before, created, today } = props;
  const now = sumOf(bookings);
  const earlier = sumOf(before);
  const conversion = methodSumsOf(bookings, created).at(-1)?.conversion ?? null;
  const paid = paymentsPath({ paidFrom: firstDayOf(period, today), paidTo: today });
  return (
    <div class="cards">
      <Card
        name={labels.volume}
        path={paid}
        note={fill(labels.before, { amount: money(earlier.gross) })}
      >
        {money(now.gross)}
      </Card>
      <Card name={labels.count} path={paid} note={fill(labels.before, { amount: earlier.count })}>
        {now.count}
      </Card>
      <Card
        name={labels.fees}
        path={`/console/statement?month=${today.slice(0, MONTH_LENGTH)}`}
        note={
          now.gross === 0
            ? labels.feesNone
            : fill(labels.feesShare, { share: percent(now.fees / now.gross, 2) })
        }
      >
        {money(now.fees)}
      </Card>
      <Card
        name={labels.conversion}
        path={paymentsPath({ from: firstDayOf(period, today), to: today })}
      >
        {percent(conversion)}
      </Card>
    </div>
  );
}

/** The list of payments with filters. */
function paymentsPath(filters: Record<string, string>): string {
  return `/console/payments?${new URLSearchParams(filters).toString()}`;
}

function MethodTable({ methods, refusals }: { methods: MethodSums[]; refusals: Refusals }) {
  const { money, percent } = useLocale();
  const texts = useTexts();
  const labels = texts.home;
  return (
    <>
      <List
        caption={labels.byMethod}
        rows={methods.length === 1 ? [] : methods}
        empty={<p>{labels.noBookings}</p>}
        columns={[
          {
            heading: labels.method,
            cell: ({ paymentMethod: method }) =>
              method === null ? (
                <strong>{labels.allMethods}</strong>
              ) : (
                texts.payments.methods[method]
              ),
          },
          { heading: labels.volume, isNumber: true, cell: ({ gross }) => money(gross) },
          { heading: labels.count, isNumber: true, cell: ({ count }) => count },
          { heading: labels.created, isNumber: true, cell: ({ created }) => created },
          {
            heading: labels.conversion,
            isNumber: true,
            cell: ({ conversion }) => percent(conversion),
          },
          {
            heading: labels.refusedWhy,
            cell: ({ paymentMethod: method }) =>
              (method === null ? [] : (refusals[method] ?? []))
                .map(({ code, count }) => `${labels.failures[code]} (${count})`)
                .join(", ") || "–",
          },
        ]}
      />
      <p class="hint">{labels.conversionHint}</p>
    </>
  );
}

/** The chart as a table. */
function DayTable({ bookings }: { bookings: Booking[] }) {
  const { date, money } = useLocale();
  const labels = useTexts().home;
  const days = [...new Set(bookings.map(({ day }) => day))].toReversed();
  return (
    <List
      caption={labels.chart}
      rows={days.map((day) => ({ day, sums: sumOf(bookings.filter((each) => each.day === day)) }))}
      empty={<p>{labels.noBookings}</p>}
      columns={[
        {
          heading: labels.day,
          cell: ({ day }) => <a href={paymentsPath({ paidFrom: day, paidTo: day })}>{date(day)}</a>,
        },
        { heading: labels.count, isNumber: true, cell: ({ sums }) => sums.count },
        { heading: labels.volume, isNumber: true, cell: ({ sums }) => money(sums.gross) },
        {
          heading: labels.refunds,
          isNumber: true,
          cell: ({ sums }) => money(sums.refunds),
        },
        { heading: labels.net, isNumber: true, cell: ({ sums }) => money(sums.net) },
      ]}
    />
  );
}
