import type { getStatementEntries } from "../../../../api/statement/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { nextMonth, previousMonth } from "../../../../domain/ledger/entries/month.ts";
import { entryTitle } from "../../../../domain/ledger/entries/titles.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Field } from "../../ui/parts.tsx";
import { Card } from "../home/parts.tsx";

type Entries = RouteBody<typeof getStatementEntries>;
type Entry = Entries["items"][number];

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

/** From the opening to the closing balance. */
export function MonthSums({ summary }: { summary: Entries["summary"] }) {
  const { money } = useLocale();
  const labels = useTexts().statement;
  const { opening, moneyIn, fees, moneyOut, closing, available } = summary;
  const cards: [name: string, text: string][] = [
    [labels.opening, money(opening)],
    [labels.moneyIn, money(moneyIn)],
    [labels.fees, money(0 - fees)],
    [labels.moneyOut, money(0 - moneyOut)],
    [labels.closing, money(closing)],
  ];
  return (
    <>
      <div class="cards sums">
        {cards.map(([name, text]) => (
          <Card name={name}>{text}</Card>
        ))}
      </div>
      <p class="hint">{fill(labels.closingHint, { available: money(available) })}</p>
    </>
  );
}

/** A line for each thing that happened, under the day on which it did, newest first. */
export function EntryList({ entries }: { entries: Entry[] }) {
  const labels = useTexts().statement;
  const { date } = useLocale();
  if (entries.length === 0) {
    return (
      <div class="list">
        <div class="empty">
          <p>{labels.none}</p>
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
  const { createdAt, counterpart, externalRef, gross, fee, net, balance } = entry;
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
      <td class="number balance">{money(balance)}</td>
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
