import type { getStatement } from "../../../../api/balance/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Field, List } from "../../ui/parts.tsx";
import { pathOf, Signed } from "./month.tsx";

/** Days in America/Sao_Paulo, `YYYY-MM-DD`; empty for no bound. */
export interface Period {
  from: string;
  to: string;
}

/** Centavos. */
type Line = RouteBody<typeof getStatement>["items"][number];

/** The files of the period, and of all that a proof needs. */
export function Downloads({ period }: { period: Period }) {
  const labels = useTexts().statement;
  const query = new URLSearchParams({ ...period }).toString();
  return (
    <>
      <a class="button" href={`/console/statement/statement.csv?${query}`}>
        {labels.csv}
      </a>
      <a class="button" href={`/console/statement/statement.ofx?${query}`}>
        {labels.ofx}
      </a>
      <a class="button" href="/console/statement/verify">
        {labels.verifyTitle}
      </a>
    </>
  );
}

/** From which day to which. */
export function PeriodForm({ period }: { period: Period }) {
  const texts = useTexts();
  const labels = texts.statement;
  return (
    <form class="filters" method="get" action="/console/statement/postings">
      <Field label={labels.from} name="from" type="date" value={period.from} />
      <Field label={labels.to} name="to" type="date" value={period.to} />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** Each posting with the balance of its account after it. */
export function StatementList({ lines }: { lines: Line[] }) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const labels = texts.statement;
  return (
    <List
      caption={labels.postings}
      rows={lines}
      empty={<p>{labels.none}</p>}
      columns={[
        { heading: labels.at, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: labels.movement, cell: (line) => <Subject line={line} /> },
        { heading: labels.account, cell: ({ account }) => texts.payment.account[account] },
        {
          heading: labels.amount,
          isNumber: true,
          cell: ({ amount }) => <Signed amount={amount} />,
        },
        { heading: labels.balance, isNumber: true, cell: ({ balance }) => money(balance) },
      ]}
    />
  );
}

/** What happened, with the way to the payment or withdraw that it happened to. */
function Subject({ line }: { line: Line }) {
  const { type, transactionId, withdrawId } = line;
  const { payment, statement } = useTexts();
  const name = { ...payment.movement, ...statement.movements }[type];
  const path = pathOf(transactionId, withdrawId);
  return path === null ? <>{name}</> : <a href={path}>{name}</a>;
}
