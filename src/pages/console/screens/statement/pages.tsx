import type { getStatement } from "../../../../api/balance/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import { dateTime, money } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
import { Field, List } from "../../ui/parts.tsx";

/** Days in America/Sao_Paulo, `YYYY-MM-DD`; empty for no bound. */
export interface Period {
  from: string;
  to: string;
}

/** Centavos. */
type Line = RouteBody<typeof getStatement>["items"][number];

/** The files of the period, and of all that a proof needs. */
export function Downloads({ period, texts }: { period: Period; texts: Texts }) {
  const words = texts.statement;
  const query = new URLSearchParams({ ...period }).toString();
  return (
    <>
      <a class="button" href={`/console/statement/statement.csv?${query}`}>
        {words.csv}
      </a>
      <a class="button" href={`/console/statement/statement.ofx?${query}`}>
        {words.ofx}
      </a>
      <a class="button" href="/console/statement/verify">
        {words.proof}
      </a>
    </>
  );
}

/** From which day to which. */
export function PeriodForm({ period, texts }: { period: Period; texts: Texts }) {
  const words = texts.statement;
  return (
    <form class="filters" method="get" action="/console/statement">
      <Field label={words.from} name="from" type="date" value={period.from} />
      <Field label={words.to} name="to" type="date" value={period.to} />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** Each posting with the balance of its account after it. */
export function StatementList(props: { lines: Line[]; texts: Texts; language: Language }) {
  const { lines, texts, language } = props;
  const words = texts.statement;
  return (
    <List
      caption={words.title}
      rows={lines}
      empty={<p>{words.none}</p>}
      columns={[
        { heading: words.at, cell: ({ createdAt }) => dateTime(createdAt, language) },
        { heading: words.movement, cell: (line) => <Subject line={line} texts={texts} /> },
        { heading: words.account, cell: ({ account }) => texts.payment.account[account] },
        { heading: words.amount, isNumber: true, cell: ({ amount }) => signed(amount, language) },
        { heading: words.balance, isNumber: true, cell: ({ balance }) => money(balance, language) },
      ]}
    />
  );
}

/** What happened, with the way to the payment or withdraw that it happened to. */
function Subject({ line, texts }: { line: Line; texts: Texts }) {
  const { type, transactionId, withdrawId } = line;
  const name = { ...texts.payment.movement, ...texts.statement.movements }[type];
  const path =
    transactionId !== null
      ? `/console/payments/${transactionId}`
      : withdrawId !== null
        ? `/console/withdraws/${withdrawId}`
        : null;
  return path === null ? <>{name}</> : <a href={path}>{name}</a>;
}

/** Centavos with their sign, so that colour need not say it. */
function signed(amount: number, language: Language): string {
  return amount > 0 ? `+${money(amount, language)}` : money(amount, language);
}
