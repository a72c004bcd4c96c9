import type { getStatementEntries } from "../../../../api/statement/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { nextMonth, previousMonth } from "../../../../domain/ledger/entries/month.ts";
import { ENTRY_KINDS, type EntryKind } from "../../../../domain/ledger/entries/entry.ts";
import { entryTitle } from "../../../../domain/ledger/entries/titles.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Field } from "../../ui/parts.tsx";
import { postingsPath } from "../home/opened.ts";
import { Card } from "../home/parts.tsx";

type Entries = RouteBody<typeof getStatementEntries>;
type Entry = Entries["items"][number];

/** What the address asks for: a month, or days, of which one hour or one kind of entries may be asked for. */
export interface Asked {
  month: string;
  from?: string | undefined;
  to?: string | undefined;
  hour?: string | undefined;
  only?: EntryKind | undefined;
}

/** The page with other filters. */
function statementPath({ month, from, to, ...others }: Asked): string {
  const period = from === undefined && to === undefined ? { month } : { from, to };
  const pairs = Object.entries({ ...period, ...others }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/console/statement?${new URLSearchParams(pairs).toString()}`;
}

/** The kind of entries that an address names. */
export function kindOf(word: string | undefined): EntryKind | undefined {
  return ENTRY_KINDS.find((kind) => kind === word);
}

/** The chosen days, hour and kind of entries as chips, whose links take them back; nothing where none is. */
export function ChosenEntries({ asked, summary }: { asked: Asked; summary: Entries["summary"] }) {
  const { date } = useLocale();
  const texts = useTexts();
  const labels = texts.statement;
  const { month, from, to, hour, only } = asked;
  const days = from !== undefined || to !== undefined;
  const chips: [text: string, path: string][] = [
    ...(days
      ? [[daysText(summary, date), statementPath({ month: summary.month })] as [string, string]]
      : []),
    ...(hour === undefined
      ? []
      : [
          [fill(labels.atHour, { hour }), statementPath({ month, from, to, only })] as [
            string,
            string,
          ],
        ]),
    ...(only === undefined
      ? []
      : [[labels.kinds[only], statementPath({ month, from, to, hour })] as [string, string]]),
  ];
  if (chips.length === 0) return null;
  return (
    <nav class="chips" aria-label={texts.payments.setFilters}>
      <ul>
        {chips.map(([text, path]) => (
          <li>
            <a
              class="chip"
              href={path}
              aria-label={fill(texts.payments.takeBack, { filter: text })}
            >
              {text} ×
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function daysText({ from, to }: Entries["summary"], date: (day: string) => string): string {
  return from === to ? date(from) : `${date(from)} – ${date(to)}`;
}

/** Which month, and the way to its neighbours. `isValid`: one of the calendar, which has neighbours. */
export function MonthForm(props: {
  month: string;
  isValid: boolean;
  errors?: string[] | undefined;
}) {
  const { month, isValid, errors } = props;
  const texts = useTexts();
  const labels = texts.statement;
  return (
    <form class="filters" method="get" action="/console/statement">
      <Field label={labels.month} name="month" type="month" value={month} errors={errors} />
      <button type="submit">{texts.shell.filter}</button>
      {isValid ? (
        <>
          <a class="button" href={`/console/statement?month=${previousMonth(month)}`}>
            {labels.previous}
          </a>
          <a class="button" href={`/console/statement?month=${nextMonth(month)}`}>
            {labels.following}
          </a>
        </>
      ) : null}
    </form>
  );
}

/** The month's files, and the way to the postings. `month`: null where none is shown. */
export function MonthDownloads(props: { month: string | null; mayArchive: boolean }) {
  const { month, mayArchive } = props;
  const labels = useTexts().statement;
  const files: [name: string, file: string][] = [
    ...(mayArchive ? [[labels.accountant, "contador.zip"] satisfies [string, string]] : []),
    ["CSV", "extrato.csv"],
    ["XLSX", "extrato.xlsx"],
    ["OFX", "extrato.ofx"],
  ];
  return (
    <>
      {month === null
        ? null
        : files.map(([name, file]) => (
            <a class="button" href={`/console/statement/month/${file}?month=${month}`}>
              {name}
            </a>
          ))}
      <a class="button" href="/console/statement/postings">
        {labels.proof}
      </a>
    </>
  );
}

/** From the opening to the closing balance; each sum opens what it is made of, a balance its postings. */
export function PeriodSums({ asked, summary }: { asked: Asked; summary: Entries["summary"] }) {
  const { money } = useLocale();
  const labels = useTexts().statement;
  const { from, to, opening, moneyIn, fees, moneyOut, closing, available, sequence } = summary;
  const { hour: _hour, ...period } = asked;
  const only = (kind: EntryKind) => statementPath({ ...period, only: kind });
  const postings = `/console/statement/postings?${new URLSearchParams({ from, to }).toString()}`;
  const cards: [name: string, text: string, path: string][] = [
    [labels.opening, money(opening), postings],
    [labels.moneyIn, money(moneyIn), only("in")],
    [labels.fees, money(0 - fees), only("fees")],
    [labels.moneyOut, money(0 - moneyOut), only("out")],
    [labels.closing, money(closing), sequence === 0 ? postings : postingsPath(sequence)],
  ];
  return (
    <>
      <div class="cards sums">
        {cards.map(([name, text, path]) => (
          <Card name={name} path={path}>
            {text}
          </Card>
        ))}
      </div>
      <p class="hint">{fill(labels.closingHint, { available: money(available) })}</p>
    </>
  );
}

/** A line for each thing that happened, under the day on which it did, newest first. */
export function EntryList({ entries, hasMore }: { entries: Entry[]; hasMore: boolean }) {
  const labels = useTexts().statement;
  const { date } = useLocale();
  if (entries.length === 0) {
    return (
      <div class="list">
        <div class="empty">
          <p>{hasMore ? labels.noneHere : labels.none}</p>
        </div>
      </div>
    );
  }
  const days = Map.groupBy(entries, ({ createdAt }) => saoPauloDay(Date.parse(createdAt)));
  return (
    <div class="list entries">
      <table>
        <caption class="hidden">{labels.title}</caption>
        <thead>
          <tr>
            <th scope="col">{labels.at}</th>
            <th scope="col">{labels.what}</th>
            <th scope="col">{labels.who}</th>
            <th scope="col" class="number">
              {labels.gross}
            </th>
            <th scope="col" class="number">
              {labels.fee}
            </th>
            <th scope="col" class="number">
              {labels.net}
            </th>
            <th scope="col" class="number">
              {labels.balance}
            </th>
          </tr>
        </thead>
        {[...days].map(([day, ofDay]) => (
          <tbody>
            <tr class="day">
              <th scope="rowgroup" colspan={7}>
                {date(day, "medium")}
              </th>
            </tr>
            {ofDay.map((entry) => (
              <EntryRow entry={entry} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { time, money } = useLocale();
  const { createdAt, counterpart, externalRef, gross, fee, net, balance, sequence } = entry;
  const isRelease = entry.type === "credit_released";
  return (
    <tr>
      <td class="at">{time(createdAt)}</td>
      <td class="what">
        <What entry={entry} />
      </td>
      <td class="who">{[counterpart, externalRef].filter((each) => each !== null).join(" · ")}</td>
      <td class="number gross">{isRelease ? null : <Signed amount={gross} />}</td>
      <td class="number fee">{fee === 0 ? null : <Signed amount={0 - fee} />}</td>
      <td class="number net">{isRelease ? null : <Signed amount={net} />}</td>
      <td class="number balance">
        <a href={postingsPath(sequence)}>{money(balance)}</a>
      </td>
    </tr>
  );
}

/** What happened, with the way to the payment or withdraw that it happened to. */
function What({ entry }: { entry: Entry }) {
  const { language, money } = useLocale();
  const { type, transactionId, withdrawId, availableNet } = entry;
  const title = entryTitle(entry, language);
  const released = fill(useTexts().statement.released, { title, amount: money(availableNet) });
  const text = type === "credit_released" ? released : title;
  const path = pathOf(transactionId, withdrawId);
  return path === null ? <>{text}</> : <a href={path}>{text}</a>;
}

/** The page of a payment or withdraw; null for what is neither. */
export function pathOf(transactionId: string | null, withdrawId: number | null): string | null {
  if (transactionId !== null) return `/console/payments/${transactionId}`;
  return withdrawId === null ? null : `/console/withdraws/${withdrawId}`;
}

/** Centavos with their sign, so that colour need not say it. */
export function Signed({ amount }: { amount: number }) {
  const { money } = useLocale();
  return <>{amount > 0 ? `+${money(amount)}` : money(amount)}</>;
}
