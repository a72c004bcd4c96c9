import type { Child } from "hono/jsx";
import { date, money } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { BarChart } from "../../ui/bar-chart.tsx";
import { PERIODS, sumOf, volumesOf, type Booking, type Period } from "./report.ts";

/** The parts of the API's balance that the page shows. Reais, as the contract has them. */
export interface Balance {
  accBalance: number;
  accBalanceCreditAwaiting: number;
  accBalanceBlocked: number;
  accBalanceDebt: number;
}

/** Something that needs a person; `count` is a text where a page does not hold them all. */
export interface WaitingThing {
  name: "approvals" | "disputes" | "unexpected";
  path: string;
  count: number | string;
}

/** The company's money, by what may be done with it. */
export function BalanceCards(props: { balance: Balance; texts: Texts; language: Language }) {
  const { balance, texts, language } = props;
  const cards: [name: string, reais: number][] = [
    [texts.home.available, balance.accBalance],
    [texts.home.awaiting, balance.accBalanceCreditAwaiting],
    [texts.home.blocked, balance.accBalanceBlocked],
  ];
  if (balance.accBalanceDebt > 0) cards.push([texts.home.debt, balance.accBalanceDebt]);
  return (
    <div class="cards">
      {cards.map(([name, reais]) => (
        <Card name={name}>{money(Math.round(reais * 100), language)}</Card>
      ))}
    </div>
  );
}

/** What needs a person, each with the way to it. */
export function Waiting({ things, texts }: { things: WaitingThing[]; texts: Texts }) {
  return (
    <Section title={texts.home.needsYou}>
      {things.length === 0 ? (
        <p>{texts.home.nobody}</p>
      ) : (
        <ul>
          {things.map(({ name, path, count }) => (
            <li>
              <a href={path}>
                {count} {texts.home[name]}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What a period received: sums, a chart, and the same as a table. */
export function PeriodReport(props: {
  period: Period;
  bookings: Booking[];
  today: string;
  texts: Texts;
  language: Language;
}) {
  const { period, bookings, today, texts, language } = props;
  const words = texts.home;
  const total = sumOf(bookings);
  return (
    <Section title={words.chart}>
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
        <Card name={words.volume}>{money(total.gross, language)}</Card>
        <Card name={words.net}>{money(total.net, language)}</Card>
        <Card name={words.count}>{total.count}</Card>
      </div>
      <BarChart days={volumesOf(bookings, period, today)} label={words.chart} language={language} />
      <List
        caption={words.chart}
        rows={bookings}
        empty={<p>{words.noBookings}</p>}
        columns={[
          { heading: words.day, cell: ({ day }) => date(day, language) },
          {
            heading: words.method,
            cell: ({ paymentMethod }) => texts.payments.methods[paymentMethod],
          },
          { heading: words.count, isNumber: true, cell: ({ count }) => count },
          { heading: words.volume, isNumber: true, cell: ({ gross }) => money(gross, language) },
          {
            heading: words.refunds,
            isNumber: true,
            cell: ({ refunds }) => money(refunds, language),
          },
          { heading: words.net, isNumber: true, cell: ({ net }) => money(net, language) },
        ]}
      />
    </Section>
  );
}

function Card({ name, children }: { name: string; children?: Child }) {
  return (
    <div class="card">
      <p class="hint">{name}</p>
      <p class="amount">{children}</p>
    </div>
  );
}
