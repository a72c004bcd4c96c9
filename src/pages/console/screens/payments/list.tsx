import type { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import type { ListStatus } from "../../../../domain/charges/charge-status.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Badge, List, type Tone } from "../../ui/parts.tsx";

/** Centavos. */
export type ListedPayment = RouteBody<typeof searchTransactions>["items"][number];

/** The tone of each state, the same in every list. */
export const PAYMENT_TONES: Record<ListStatus, Tone> = {
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
  const labels = useTexts().payments;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<p>{hasFilters ? labels.noneFound : labels.none}</p>}
      {...(refresh === null ? {} : { refresh })}
      columns={[
        {
          heading: labels.createdAt,
          cell: ({ providerTxId, createdAt }) => (
            <a href={`/console/payments/${providerTxId}`}>{dateTime(createdAt)}</a>
          ),
        },
        { heading: labels.payer, cell: ({ lead }) => (lead.name === "" ? "–" : lead.name) },
        { heading: labels.method, cell: ({ paymentMethod }) => labels.methods[paymentMethod] },
        {
          heading: labels.status,
          cell: ({ status }) => (
            <Badge tone={PAYMENT_TONES[status]}>{labels.statuses[status]}</Badge>
          ),
        },
        {
          heading: labels.externalRef,
          cell: ({ externalRef }) => (externalRef === "" ? "–" : externalRef),
        },
        {
          heading: labels.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
      ]}
    />
  );
}
