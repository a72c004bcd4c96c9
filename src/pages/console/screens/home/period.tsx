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
  const words = useTexts().home;
  const methods = methodSumsOf(bookings, created);
  const all = methods.at(-1);
  return (
    <Section title={words.report}>
      <p class="actions">
        {(Object.keys(PERIODS) as Period[]).map((name) => (
          <a
            class="button"
            href={`/console?period=${name}`}
            {...(name === period ? { "aria-current": "page" } : {})}
          >
            {words[name]}
          </a>
        ))}
      </p>
      <div class="cards">
        <Card name={words.volume}>{money(all?.gross ?? 0)}</Card>
        <Card name={words.net}>{money(all?.net ?? 0)}</Card>
        <Card name={words.count}>{all?.count ?? 0}</Card>
        <Card name={words.conversion}>{percent(all?.conversion ?? null)}</Card>
      </div>
      <MethodTable methods={methods} />
      {period === "today" ? null : (
        <BarChart days={volumesOf(bookings, period, today)} label={words.chart} />
      )}
      <details>
        <summary>{words.asTable}</summary>
        <DayTable bookings={bookings} />
      </details>
    </Section>
  );
}

function MethodTable({ methods }: { methods: MethodSums[] }) {
  const { money, percent } = useLocale();
  const texts = useTexts();
  const words = texts.home;
  return (
    <>
      <List
        caption={words.byMethod}
        rows={methods.length === 1 ? [] : methods}
        empty={<p>{words.noBookings}</p>}
        columns={[
          {
            heading: words.method,
            cell: ({ paymentMethod: method }) =>
              method === null ? (
                <strong>{words.allMethods}</strong>
              ) : (
                texts.payments.methods[method]
              ),
          },
          { heading: words.volume, isNumber: true, cell: ({ gross }) => money(gross) },
          { heading: words.count, isNumber: true, cell: ({ count }) => count },
          { heading: words.created, isNumber: true, cell: ({ created }) => created },
          {
            heading: words.conversion,
            isNumber: true,
            cell: ({ conversion }) => percent(conversion),
          },
        ]}
      />
      <p class="hint">{words.conversionHint}</p>
    </>
  );
}

/** The chart as a table. */
function DayTable({ bookings }: { bookings: Booking[] }) {
  const { date, money } = useLocale();
  const words = useTexts().home;
  const days = [...new Set(bookings.map(({ day }) => day))].toReversed();
  return (
    <List
      caption={words.chart}
      rows={days.map((day) => ({ day, sums: sumOf(bookings.filter((each) => each.day === day)) }))}
      empty={<p>{words.noBookings}</p>}
      columns={[
        { heading: words.day, cell: ({ day }) => date(day) },
        { heading: words.count, isNumber: true, cell: ({ sums }) => sums.count },
        { heading: words.volume, isNumber: true, cell: ({ sums }) => money(sums.gross) },
        {
          heading: words.refunds,
          isNumber: true,
          cell: ({ sums }) => money(sums.refunds),
        },
        { heading: words.net, isNumber: true, cell: ({ sums }) => money(sums.net) },
      ]}
    />
  );
}
