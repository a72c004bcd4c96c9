import type { getStatement } from "../../../../api/balance/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Field, List } from "../../ui/parts.tsx";

/** Days in America/Sao_Paulo, `YYYY-MM-DD`; empty for no bound. */
export interface Period {
  from: string;
  to: string;
}

/** Centavos. */
type Line = RouteBody<typeof getStatement>["items"][number];

/** The files of the period, and of all that a proof needs. */
export function Downloads({ period }: { period: Period }) {
  const words = useTexts().statement;
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
export function PeriodForm({ period }: { period: Period }) {
  const texts = useTexts();
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
export function StatementList({ lines }: { lines: Line[] }) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const words = texts.statement;
  return (
    <List
      caption={words.title}
      rows={lines}
      empty={<p>{words.none}</p>}
      columns={[
        { heading: words.at, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: words.movement, cell: (line) => <Subject line={line} /> },
        { heading: words.account, cell: ({ account }) => texts.payment.account[account] },
        { heading: words.amount, isNumber: true, cell: ({ amount }) => <Signed amount={amount} /> },
        { heading: words.balance, isNumber: true, cell: ({ balance }) => money(balance) },
      ]}
    />
  );
}

/** What happened, with the way to the payment or withdraw that it happened to. */
function Subject({ line }: { line: Line }) {
  const { type, transactionId, withdrawId } = line;
  const { payment, statement } = useTexts();
  const name = { ...payment.movement, ...statement.movements }[type];
  const path =
    transactionId !== null
      ? `/console/payments/${transactionId}`
      : withdrawId !== null
        ? `/console/withdraws/${withdrawId}`
        : null;
  return path === null ? <>{name}</> : <a href={path}>{name}</a>;
}

/** Centavos with their sign, so that colour need not say it. */
function Signed({ amount }: { amount: number }) {
  const { money } = useLocale();
  return <>{amount > 0 ? `+${money(amount)}` : money(amount)}</>;
}
