import type { getFeeReport, listFeeDifferences } from "../../../../api/reports/fees/routes.ts";
import type { CompanyMode } from "../../../../domain/shared/company.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { AccountName } from "../../ui/account-name.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Badge, Field, FilterFold, List, Section, type Column } from "../../ui/parts.tsx";
import { Card } from "../home/parts.tsx";
import { pagePath } from "../payment/payment.ts";

type Report = RouteBody<typeof getFeeReport>;
type Day = Report["items"][number];
type Difference = RouteBody<typeof listFeeDifferences>["items"][number];

export const PATH = "/console/fees";
const AMOUNTS = ["gross", "agreed", "taken"] as const;

/** The days as a form whose fields stand in the URL. */
export function Period(props: {
  of: { from: string | undefined; to: string | undefined };
  errors: Record<string, string[]>;
}) {
  const texts = useTexts();
  const { of, errors } = props;
  const field = (name: "from" | "to") => ({
    label: texts.fees[name],
    name,
    type: "date",
    value: of[name] ?? "",
    errors: errors[name],
  });
  const isSet = of.from !== undefined || of.to !== undefined;
  return (
    <FilterFold title={texts.shell.filters} isSet={isSet}>
      <form class="filters" action={PATH}>
        <Field {...field("from")} />
        <Field {...field("to")} />
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** The sums, and a table of the days; where there is nothing, why. */
export function FeeDays({ report, mode }: { report: Report; mode: CompanyMode }) {
  const { date, money } = useLocale();
  const texts = useTexts();
  const labels = texts.fees;
  const { accounts, items, totals } = report;
  if (accounts.length === 0) return <Empty icon="money">{labels.untold}</Empty>;
  const columns: Column<Day>[] = [
    { heading: labels.day, cell: ({ day }) => date(day) },
    { heading: labels.account, cell: ({ account }) => <Account id={account} of={accounts} /> },
    {
      heading: labels.method,
      cell: ({ paymentMethod }) => texts.payments.methods[paymentMethod],
    },
    { heading: labels.count, isNumber: true, cell: ({ count }) => count },
    ...AMOUNTS.map((name): Column<Day> => ({
      heading: labels[name],
      isNumber: true,
      cell: (row) => money(row[name]),
    })),
    {
      heading: labels.difference,
      isNumber: true,
      cell: ({ difference }) => <Amount of={difference} />,
    },
  ];
  const { refunds, chargebacks, anticipation } = totals;
  return (
    <>
      <p class="hint">{mode === "sandbox" ? labels.sandbox : labels.about}</p>
      <div class="cards">
        <Card name={labels.agreed}>{money(totals.agreed)}</Card>
        <Card name={labels.taken}>{money(totals.taken)}</Card>
        <Card name={labels.difference}>
          <Amount of={totals.difference} />
        </Card>
      </div>
      <Section title={labels.byDay}>
        <List
          caption={labels.byDay}
          rows={items}
          empty={<Empty icon="money">{labels.none}</Empty>}
          columns={columns}
        />
        {refunds === 0 && chargebacks === 0 ? null : (
          <p class="hint">
            {fill(labels.takenBack, { refunds: money(refunds), chargebacks: money(chargebacks) })}
          </p>
        )}
        {anticipation === 0 ? null : (
          <p class="hint">{fill(labels.anticipation, { amount: money(anticipation) })}</p>
        )}
        {accounts.map(({ account, comparedUntil }) => (
          <p class="hint">
            <Account id={account} of={accounts} />:{" "}
            {fill(labels.compared, { day: date(comparedUntil) })}
          </p>
        ))}
      </Section>
    </>
  );
}

function Account({ id, of: accounts }: { id: string; of: Report["accounts"] }) {
  const provider = accounts.find(({ account }) => account === id)?.provider ?? null;
  return (
    <AccountName of={{ account: id, provider }} isOneOf={accounts.map(({ account }) => account)} />
  );
}

/** What was taken beyond the agreed fee needs somebody. */
function Amount({ of }: { of: number }) {
  const { money } = useLocale();
  return of > 0 ? <Badge tone="bad">{money(of)}</Badge> : <>{money(of)}</>;
}

/** The lines that are not as agreed and booked, each with its payment; nothing where there are none. */
export function Differences(props: { items: readonly Difference[]; accounts: Report["accounts"] }) {
  const { items, accounts } = props;
  const { date, money } = useLocale();
  const labels = useTexts().fees;
  if (items.length === 0) return null;
  return (
    <Section title={labels.differences}>
      <List
        caption={labels.differences}
        rows={items}
        empty=""
        columns={[
          { heading: labels.foundOn, cell: ({ day }) => date(day) },
          {
            heading: labels.account,
            cell: ({ account }) => <Account id={account} of={accounts} />,
          },
          { heading: labels.what, cell: ({ kind }) => labels.kinds[kind] },
          {
            heading: labels.payment,
            cell: ({ transactionId }) => <a href={pagePath(transactionId)}>{labels.openPayment}</a>,
          },
          {
            heading: labels.amount,
            isNumber: true,
            cell: ({ amount }) => money(amount),
          },
        ]}
      />
    </Section>
  );
}
