import type { listPayers } from "../../../../api/payers/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Badge, List } from "../../ui/parts.tsx";

/** Sums in centavos. */
type ListedPayer = RouteBody<typeof listPayers>["items"][number];

/** The page of a payer: an id of a charge leads to it, so that no address has a document. */
export function payerPath(transactionId: string): string {
  return `/console/payers/${transactionId}`;
}

/** Payers with what they paid and owe, by their newest charge. */
export function PayerList({ items }: { items: ListedPayer[] }) {
  const { date, money } = useLocale();
  const { list: labels, title, columns } = useTexts().payers;
  return (
    <List
      caption={title}
      rows={items}
      empty={
        <>
          <p>{labels.none}</p>
          <p>
            <a class="button primary" href="/console/charges/new">
              {labels.charge}
            </a>
          </p>
        </>
      }
      columns={[
        {
          heading: columns.name,
          place: "title",
          cell: ({ transactionId, name, documentMasked }) => (
            <a
              href={
                documentMasked === ""
                  ? `/console/payments/${transactionId}`
                  : payerPath(transactionId)
              }
            >
              {name || documentMasked || labels.unnamed}
            </a>
          ),
        },
        { heading: labels.document, place: "about", cell: ({ documentMasked }) => documentMasked },
        { heading: labels.lastPaid, place: "time", cell: ({ lastPaidAt }) => date(lastPaidAt) },
        { heading: labels.charges, place: "acts", isNumber: true, cell: ({ charges }) => charges },
        {
          heading: labels.open,
          place: "state",
          isNumber: true,
          cell: ({ open }) => (open === 0 ? null : <Badge tone="open">{money(open)}</Badge>),
        },
        { heading: labels.paid, place: "amount", isNumber: true, cell: ({ paid }) => money(paid) },
      ]}
    />
  );
}
