import {
  UNEXPECTED_REASONS,
  UNEXPECTED_STATUSES,
} from "../../../../domain/charges/unexpected-payment.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Badge, Choice, List } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { age, payerText, PAYMENTS_PATH, type Payment } from "./payment.ts";

/** Filters of the list; `all` and an empty reason ask for everything. */
export function Filters({ status, reason }: { status: string; reason: string }) {
  const texts = useTexts();
  const labels = texts.unexpectedPayments;
  return (
    <form class="filters" action={PAYMENTS_PATH}>
      <Choice
        label={labels.columns.status}
        name="status"
        value={status}
        options={[
          ["all", labels.all],
          ...UNEXPECTED_STATUSES.map((each): [string, string] => [each, labels.statuses[each]]),
        ]}
      />
      <Choice
        label={labels.columns.reason}
        name="reason"
        value={reason}
        options={[
          ["", labels.all],
          ...UNEXPECTED_REASONS.map((each): [string, string] => [each, labels.reasons[each]]),
        ]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** The payments of a page, with what the person may do about each. */
export function PaymentList(props: {
  items: Payment[];
  refresh: string;
  mayDecide: boolean;
  now: number;
}) {
  const { language, money } = useLocale();
  const { items, refresh, mayDecide, now } = props;
  const labels = useTexts().unexpectedPayments;
  const decisions = {
    heading: labels.columns.decide,
    cell: ({ id, status }: Payment) => (status === "kept" ? <Decisions id={id} /> : "–"),
  };
  return (
    <List
      caption={labels.title}
      rows={items}
      refresh={refresh}
      empty={<Empty icon="pending">{labels.empty}</Empty>}
      columns={[
        {
          heading: labels.columns.received,
          cell: ({ receivedAt }) => age(receivedAt, now, language),
        },
        { heading: labels.columns.reason, cell: ({ reason }) => labels.reasons[reason] },
        { heading: labels.columns.payer, cell: ({ payer }) => payerText(payer) ?? "–" },
        {
          heading: labels.columns.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
        {
          heading: labels.columns.status,
          cell: ({ status }) => (
            <Badge tone={TONES.unexpectedPayment[status]}>{labels.statuses[status]}</Badge>
          ),
        },
        ...(mayDecide ? [decisions] : []),
      ]}
    />
  );
}

function Decisions(props: { id: string }) {
  const texts = useTexts();
  const { credit, return: giveBack } = texts.unexpectedPayments;
  const path = `${PAYMENTS_PATH}/${encodeURIComponent(props.id)}`;
  return (
    <span class="actions">
      <a href={`${path}/credit`}>{credit.link}</a>
      <a href={`${path}/return`}>{giveBack.link}</a>
    </span>
  );
}
