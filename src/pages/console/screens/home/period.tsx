import { useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { BarChart } from "../../ui/bar-chart.tsx";
import { Card } from "./parts.tsx";
import {
  methodSumsOf,
  PERIODS,
  sumOf,
  volumesOf,
  type Booking,
  type Created,
  type MethodSums,
  type Period,
} from "./report.ts";

/** What a period received: sums, a chart, and the same as tables. */
export function PeriodReport(props: {
  period: Period;
  bookings: Booking[];
  created: Created[];
  today: string;
}) {
  const { money, percent } = useLocale();
  const { period, bookings, created, today } = props;
  const labels = useTexts().home;
  const methods = methodSumsOf(bookings, created);
  const all = methods.at(-1);
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
      <div class="cards">
        <Card name={labels.volume}>{money(all?.gross ?? 0)}</Card>
        <Card name={labels.net}>{money(all?.net ?? 0)}</Card>
        <Card name={labels.count}>{all?.count ?? 0}</Card>
        <Card name={labels.conversion}>{percent(all?.conversion ?? null)}</Card>
      </div>
      <MethodTable methods={methods} />
      {period === "today" ? null : (
        <BarChart days={volumesOf(bookings, period, today)} label={labels.chart} />
      )}
      <details>
        <summary>{labels.asTable}</summary>
        <DayTable bookings={bookings} />
      </details>
    </Section>
  );
}

function MethodTable({ methods }: { methods: MethodSums[] }) {
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
        { heading: labels.day, cell: ({ day }) => date(day) },
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
