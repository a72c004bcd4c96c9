import type { PaymentMethod } from "../../../../domain/charges/charge-status.ts";
import { addDays } from "../../../../domain/shared/calendar-day.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import type { Filters } from "../payments/filters.ts";
import { entriesPath, paymentsPath } from "./opened.ts";
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
      <MethodTable
        methods={methodSumsOf(bookings, created)}
        refusals={refusals}
        days={{ from: firstDayOf(period, today), to: today }}
      />
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
  const from = firstDayOf(period, today);
  const paid = paymentsPath({ paidFrom: from, paidTo: today });
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
        path={entriesPath({ from, to: today, only: "fees" })}
        note={
          now.gross === 0
            ? labels.feesNone
            : fill(labels.feesShare, { share: percent(now.fees / now.gross, 2) })
        }
      >
        {money(now.fees)}
      </Card>
      <Card name={labels.conversion} path={paymentsPath({ from, to: today })}>
        {percent(conversion)}
      </Card>
    </div>
  );
}

/** What each method brought; each figure opens its payments, or the charges that were created or failed. */
function MethodTable(props: {
  methods: MethodSums[];
  refusals: Refusals;
  days: { from: string; to: string };
}) {
  const { money, percent } = useLocale();
  const texts = useTexts();
  const { methods, refusals, days } = props;
  const labels = texts.home;
  const paid = (method: PaymentMethod | null) =>
    paymentsPath({ ...filterOf(method), paidFrom: days.from, paidTo: days.to });
  const created = (method: PaymentMethod | null) => paymentsPath({ ...filterOf(method), ...days });
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
          {
            heading: labels.volume,
            isNumber: true,
            cell: ({ paymentMethod, gross }) => <a href={paid(paymentMethod)}>{money(gross)}</a>,
          },
          {
            heading: labels.count,
            isNumber: true,
            cell: ({ paymentMethod, count }) => <a href={paid(paymentMethod)}>{count}</a>,
          },
          {
            heading: labels.created,
            isNumber: true,
            cell: ({ paymentMethod, created: count }) => (
              <a href={created(paymentMethod)}>{count}</a>
            ),
          },
          {
            heading: labels.conversion,
            isNumber: true,
            cell: ({ conversion }) => percent(conversion),
          },
          {
            heading: labels.refusedWhy,
            cell: ({ paymentMethod: method }) => (
              <RefusalLinks
                reasons={method === null ? [] : (refusals[method] ?? [])}
                filters={{ ...filterOf(method), ...days }}
              />
            ),
          },
        ]}
      />
      <p class="hint">{labels.conversionHint}</p>
    </>
  );
}

/** The filter of a method; none for all. */
function filterOf(method: PaymentMethod | null): Pick<Filters, "paymentMethod"> {
  return method === null ? {} : { paymentMethod: method };
}

/** The commonest reasons, each of which opens the charges that failed for it. */
function RefusalLinks(props: { reasons: NonNullable<Refusals[PaymentMethod]>; filters: Filters }) {
  const { reasons, filters } = props;
  const labels = useTexts().home;
  if (reasons.length === 0) return <>–</>;
  return (
    <>
      {reasons.map(({ code, count }, index) => (
        <>
          {index === 0 ? "" : ", "}
          <a href={paymentsPath({ status: "FAILED", failureCode: code, ...filters })}>
            {labels.failures[code]} ({count})
          </a>
        </>
      ))}
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
        {
          heading: labels.volume,
          isNumber: true,
          cell: ({ day, sums }) => (
            <a href={entriesPath({ from: day, to: day, only: "in" })}>{money(sums.gross)}</a>
          ),
        },
        {
          heading: labels.refunds,
          isNumber: true,
          cell: ({ day, sums }) => (
            <a href={entriesPath({ from: day, to: day, only: "out" })}>{money(sums.refunds)}</a>
          ),
        },
        {
          heading: labels.net,
          isNumber: true,
          cell: ({ day, sums }) => (
            <a href={entriesPath({ from: day, to: day })}>{money(sums.net)}</a>
          ),
        },
      ]}
    />
  );
}
