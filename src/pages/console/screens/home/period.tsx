import { date, money, percent } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
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

interface Words {
  texts: Texts;
  language: Language;
}

/** What a period received: sums, a chart, and the same as tables. */
export function PeriodReport(
  props: Words & { period: Period; bookings: Booking[]; created: Created[]; today: string },
) {
  const { period, bookings, created, today, texts, language } = props;
  const words = texts.home;
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
        <Card name={words.volume}>{money(all?.gross ?? 0, language)}</Card>
        <Card name={words.net}>{money(all?.net ?? 0, language)}</Card>
        <Card name={words.count}>{all?.count ?? 0}</Card>
        <Card name={words.conversion}>{percent(all?.conversion ?? null, language)}</Card>
      </div>
      <MethodTable methods={methods} texts={texts} language={language} />
      {period === "today" ? null : (
        <BarChart
          days={volumesOf(bookings, period, today)}
          label={words.chart}
          language={language}
        />
      )}
      <details>
        <summary>{words.asTable}</summary>
        <DayTable bookings={bookings} texts={texts} language={language} />
      </details>
    </Section>
  );
}

function MethodTable({ methods, texts, language }: Words & { methods: MethodSums[] }) {
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
          { heading: words.volume, isNumber: true, cell: ({ gross }) => money(gross, language) },
          { heading: words.count, isNumber: true, cell: ({ count }) => count },
          { heading: words.created, isNumber: true, cell: ({ created }) => created },
          {
            heading: words.conversion,
            isNumber: true,
            cell: ({ conversion }) => percent(conversion, language),
          },
        ]}
      />
      <p class="hint">{words.conversionHint}</p>
    </>
  );
}

/** The chart as a table. */
function DayTable({ bookings, texts, language }: Words & { bookings: Booking[] }) {
  const words = texts.home;
  const days = [...new Set(bookings.map(({ day }) => day))].toReversed();
  return (
    <List
      caption={words.chart}
      rows={days.map((day) => ({ day, sums: sumOf(bookings.filter((each) => each.day === day)) }))}
      empty={<p>{words.noBookings}</p>}
      columns={[
        { heading: words.day, cell: ({ day }) => date(day, language) },
        { heading: words.count, isNumber: true, cell: ({ sums }) => sums.count },
        { heading: words.volume, isNumber: true, cell: ({ sums }) => money(sums.gross, language) },
        {
          heading: words.refunds,
          isNumber: true,
          cell: ({ sums }) => money(sums.refunds, language),
        },
        { heading: words.net, isNumber: true, cell: ({ sums }) => money(sums.net, language) },
      ]}
    />
  );
}
