import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from "../../../../domain/subscriptions/subscription.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Badge, List } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { subscriptionPath, SUBSCRIPTIONS_PATH, type Subscription } from "./subscription.ts";

/** The states as links; undefined for all of them. */
export function Tabs({ status }: { status: SubscriptionStatus | undefined }) {
  const labels = useTexts().subscriptions;
  return (
    <nav class="tabs" aria-label={labels.tabs}>
      {[undefined, ...SUBSCRIPTION_STATUSES].map((word) => (
        <a
          href={word === undefined ? SUBSCRIPTIONS_PATH : `${SUBSCRIPTIONS_PATH}?status=${word}`}
          {...(word === status ? { "aria-current": "page" as const } : {})}
        >
          {word === undefined ? labels.all : labels.statuses[word]}
        </a>
      ))}
    </nav>
  );
}

interface RecoveredOf {
  recovered: Record<"retry" | "card" | "hand", { count: number; amount: number }>;
}

/** What was recovered of debits that had failed; nothing before the first. */
export function RecoveredSum({ months }: { months: RecoveredOf[] }) {
  const { money } = useLocale();
  const labels = useTexts().subscriptions;
  const all = months.flatMap(({ recovered }) => Object.values(recovered));
  const count = all.reduce((sum, each) => sum + each.count, 0);
  const amount = all.reduce((sum, each) => sum + each.amount, 0);
  if (count === 0) return null;
  return <p>{fill(labels.recoveredYear, { amount: money(amount), count })}</p>;
}

/** The subscriptions of a page, newest first. */
export function SubscriptionList(props: { items: Subscription[]; hasFilter: boolean }) {
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions;
  const { columns } = labels;
  return (
    <List
      caption={labels.title}
      rows={props.items}
      empty={<Empty icon="calendar">{props.hasFilter ? labels.noneSuch : labels.none}</Empty>}
      columns={[
        {
          heading: columns.customer,
          place: "title",
          cell: ({ id, customer }) => (
            <a href={subscriptionPath(id)}>
              {customer.name === "" ? labels.erased : customer.name}
            </a>
          ),
        },
        {
          heading: columns.description,
          place: "note",
          cell: ({ description }) => description,
        },
        {
          heading: columns.period,
          place: "about",
          cell: ({ period }) => labels.periods[period],
        },
        {
          heading: columns.next,
          place: "time",
          cell: ({ nextCharges }) => date(nextCharges[0]?.dueDate),
        },
        {
          heading: columns.status,
          place: "state",
          cell: ({ status }) => <StatusBadge status={status} />,
        },
        {
          heading: columns.amount,
          place: "amount",
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
      ]}
    />
  );
}

/** The state of a subscription. */
export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const { statuses } = useTexts().subscriptions;
  return <Badge tone={TONES.subscription[status]}>{statuses[status]}</Badge>;
}
