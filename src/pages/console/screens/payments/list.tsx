import type { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { Icon } from "../../../shared/look/icon.tsx";
import { Empty } from "../../ui/empty.tsx";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Badge, List } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";

/** Centavos. */
export type ListedPayment = RouteBody<typeof searchTransactions>["items"][number];

/** A page of payments, newest first. */
export function PaymentList(props: {
  items: ListedPayment[];
  hasFilters: boolean;
  refresh: string | null;
}) {
  const { dateTime, money } = useLocale();
  const { items, hasFilters, refresh } = props;
  const labels = useTexts().payments;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="charge">{hasFilters ? labels.noneFound : labels.none}</Empty>}
      {...(refresh === null ? {} : { refresh })}
      columns={[
        {
          heading: labels.payer,
          place: "title",
          cell: ({ providerTxId, lead }) => (
            <a href={`/console/payments/${providerTxId}`}>
              {lead.name === "" ? labels.noPayer : lead.name}
            </a>
          ),
        },
        {
          heading: labels.externalRef,
          place: "note",
          cell: ({ externalRef }) => externalRef,
        },
        {
          heading: labels.method,
          place: "about",
          cell: ({ paymentMethod }) => labels.methods[paymentMethod],
        },
        { heading: labels.createdAt, place: "time", cell: ({ createdAt }) => dateTime(createdAt) },
        {
          heading: labels.status,
          place: "state",
          cell: ({ status }) => (
            <Badge tone={TONES.payment[status]}>{labels.statuses[status]}</Badge>
          ),
        },
        {
          heading: labels.amount,
          isNumber: true,
          place: "amount",
          cell: ({ amount }) => money(amount),
        },
        { heading: labels.more, place: "acts", cell: (item) => <RowMenu item={item} /> },
      ]}
    />
  );
}

/** What is done most with a payment, without opening it first. */
function RowMenu({ item }: { item: ListedPayment }) {
  const { status, providerTxId } = item;
  const texts = useTexts();
  const labels = texts.payments;
  const path = `/console/payments/${providerTxId}`;
  const acts: [path: string, label: string][] =
    status === "PENDING"
      ? [[path, labels.sendAgain]]
      : status === "PAID"
        ? [
            [`${path}/receipt.pdf`, labels.receipt],
            [`${path}/refund`, texts.payment.action.refund],
          ]
        : [];
  if (acts.length === 0) return <>–</>;
  return (
    <details class="row-menu">
      <summary aria-label={labels.more}>
        <Icon name="acts" />
      </summary>
      <ul>
        {acts.map(([href, label]) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What the shown payments sum up to, in centavos. */
export function ShownSums({ items }: { items: ListedPayment[] }) {
  const { money } = useLocale();
  const labels = useTexts().payments;
  if (items.length === 0) return null;
  const charged = items.reduce((sum, { amount }) => sum + amount, 0);
  const paid = items.reduce((sum, { paidAmount }) => sum + (paidAmount ?? 0), 0);
  return (
    <p class="hint">
      {fill(labels.sums, { count: items.length, charged: money(charged), paid: money(paid) })}
    </p>
  );
}
