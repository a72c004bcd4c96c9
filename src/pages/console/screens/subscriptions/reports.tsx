import { banksRoute, outlookRoute } from "../../../../api/subscriptions/reports/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { DEBIT_FAILURE_CODES } from "../../../../domain/subscriptions/debit-codes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { fill, textsOf, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { page } from "../../ui/layout.tsx";
import { List, Section } from "../../ui/parts.tsx";
import { refusalPage } from "../answers.tsx";
import { RECOVERY_PATH, SUBSCRIPTIONS_PATH } from "./subscription.ts";

type Outlook = RouteBody<typeof outlookRoute>;
type Bank = RouteBody<typeof banksRoute>["items"][number];

const OUTLOOK_PATH = `${SUBSCRIPTIONS_PATH}/upcoming`;
const BANKS_PATH = `${SUBSCRIPTIONS_PATH}/banks`;
const BASIS_POINTS = 10_000;

/** What will be debited in 30 days, by day. */
export async function showOutlook(c: ConsoleContext) {
  const head = { title: textsOf(c).subscriptions.outlook.title, active: SUBSCRIPTIONS_PATH };
  const answer = await callRoute(c, outlookRoute, { query: {} });
  if (!answer.ok) return refusalPage(c, head, answer);
  return page(c, head, <OutlookDays of={answer.body} />);
}

/** What the banks of payers did with mandates and debits of the last 90 days. */
export async function showBanks(c: ConsoleContext) {
  const head = { title: textsOf(c).subscriptions.banks.title, active: SUBSCRIPTIONS_PATH };
  const answer = await callRoute(c, banksRoute, { query: {} });
  if (!answer.ok) return refusalPage(c, head, answer);
  const { items, from, to } = answer.body;
  return page(
    c,
    head,
    <>
      <Period from={from} to={to} />
      <Mandates items={items} />
      <Debits items={items.filter(({ debits }) => debits.due > 0)} />
    </>,
  );
}

function OutlookDays({ of: { items, totals, from, to } }: { of: Outlook }) {
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions.outlook;
  const { count, amount } = totals;
  return (
    <>
      <p>
        <strong>
          {fill(count === 1 ? labels.one : labels.sum, { count, amount: money(amount) })}
        </strong>
      </p>
      <Period from={from} to={to} />
      <List
        caption={labels.title}
        rows={items}
        empty={<Empty icon="calendar">{labels.none}</Empty>}
        columns={[
          { heading: labels.day, place: "title", cell: ({ day }) => date(day, "medium") },
          {
            heading: labels.debits,
            place: "note",
            isNumber: true,
            cell: (row) => fill(row.count === 1 ? labels.oneDebit : labels.countDebits, row),
          },
          {
            heading: labels.amount,
            place: "amount",
            isNumber: true,
            cell: (row) => money(row.amount),
          },
        ]}
      />
      <p class="hint">{labels.about}</p>
    </>
  );
}

function Period({ from, to }: { from: string; to: string }) {
  const { date } = useLocale();
  const { period } = useTexts().subscriptions;
  return <p>{fill(period, { from: date(from, "medium"), to: date(to, "medium") })}</p>;
}

function Mandates({ items }: { items: Bank[] }) {
  const { percent } = useLocale();
  const labels = useTexts().subscriptions.banks;
  const number = (heading: string, cell: (bank: Bank["mandates"]) => number | string) => ({
    heading,
    isNumber: true,
    cell: ({ mandates }: Bank) => cell(mandates),
  });
  return (
    <Section title={labels.mandates}>
      <p class="hint">{labels.mandatesAbout}</p>
      <List
        caption={labels.mandates}
        rows={items}
        empty={<Empty icon="calendar">{labels.none}</Empty>}
        columns={[
          { heading: labels.bank, cell: (bank) => <BankName of={bank} /> },
          number(labels.made, ({ made }) => made),
          number(labels.codesRead, ({ codesRead }) => codesRead),
          number(labels.approved, ({ approved }) => approved),
          number(labels.paidUnapproved, ({ paidUnapproved }) => paidUnapproved),
          number(labels.rejected, ({ rejected }) => rejected),
          number(labels.expired, ({ expired }) => expired),
          number(labels.active, ({ active }) => active),
          number(labels.share, ({ approvedBasisPoints: points }) =>
            percent(points === null ? null : points / BASIS_POINTS),
          ),
        ]}
      />
    </Section>
  );
}

function Debits({ items }: { items: Bank[] }) {
  const labels = useTexts().subscriptions.banks;
  const number = (heading: string, cell: (bank: Bank["debits"]) => number) => ({
    heading,
    isNumber: true,
    cell: ({ debits }: Bank) => cell(debits),
  });
  return (
    <Section title={labels.debits}>
      <List
        caption={labels.debits}
        rows={items}
        empty={<p>{labels.noDebits}</p>}
        columns={[
          { heading: labels.bank, cell: (bank) => <BankName of={bank} /> },
          number(labels.due, ({ due }) => due),
          number(labels.paidInTime, ({ paidInTime }) => paidInTime),
          number(labels.paidLater, ({ paidLater }) => paidLater),
          number(labels.failed, ({ failed }) => failed),
          { heading: labels.why, cell: ({ debits }) => <Failures of={debits.failures} /> },
        ]}
      />
    </Section>
  );
}

function BankName({ of: { ispb, name } }: { of: Pick<Bank, "ispb" | "name"> }) {
  const labels = useTexts().subscriptions.banks;
  if (ispb === null) return labels.unread;
  return name ?? fill(labels.unknown, { ispb });
}

/** Why debits failed, in plain words, the commonest first. */
function Failures({ of }: { of: Bank["debits"]["failures"] }) {
  const labels = useTexts().subscriptions;
  if (of.length === 0) return labels.banks.noFailure;
  return of.map(({ code, count }) => {
    const known = DEBIT_FAILURE_CODES.find((each) => each === code) ?? "UNKNOWN";
    return (
      <div>
        {count} × {labels.codes[known]}
      </div>
    );
  });
}

/** The ways to the reports, above the list. */
export function ReportLinks() {
  const labels = useTexts().subscriptions;
  return (
    <p>
      <a href={OUTLOOK_PATH}>{labels.outlook.title}</a> ·{" "}
      <a href={BANKS_PATH}>{labels.banks.title}</a> ·{" "}
      <a href={RECOVERY_PATH}>{labels.recovery.title}</a>
    </p>
  );
}
