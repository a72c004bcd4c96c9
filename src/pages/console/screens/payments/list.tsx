import type { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import type { ListStatus } from "../../../../domain/charges/charge-status.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Badge, List, type Tone } from "../../ui/parts.tsx";

/** Centavos. */
export type ListedPayment = RouteBody<typeof searchTransactions>["items"][number];

const TONES: Record<ListStatus, Tone> = {
  PENDING: "open",
  PAID: "good",
  FAILED: "bad",
  CANCELLED: "quiet",
  REFUNDED: "quiet",
};

/** A page of payments, newest first. */
export function PaymentList(props: {
  items: ListedPayment[];
  hasFilters: boolean;
  refresh: string | null;
}) {
  const { dateTime, money } = useLocale();
  const { items, hasFilters, refresh } = props;
  const words = useTexts().payments;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{hasFilters ? words.noneFound : words.none}</p>}
      {...(refresh === null ? {} : { refresh })}
      columns={[
        {
          heading: words.createdAt,
          cell: ({ providerTxId, createdAt }) => (
            <a href={`/console/payments/${providerTxId}`}>{dateTime(createdAt)}</a>
          ),
        },
        { heading: words.payer, cell: ({ lead }) => (lead.name === "" ? "–" : lead.name) },
        { heading: words.method, cell: ({ paymentMethod }) => words.methods[paymentMethod] },
        {
          heading: words.status,
          cell: ({ status }) => <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>,
        },
        {
          heading: words.externalRef,
          cell: ({ externalRef }) => (externalRef === "" ? "–" : externalRef),
        },
        {
          heading: words.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
      ]}
    />
  );
}
