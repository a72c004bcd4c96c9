import type { listCards } from "../../../../api/cards/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { AccountName } from "../../ui/account-name.tsx";
import { List, Section } from "../../ui/parts.tsx";

type SavedCard = RouteBody<typeof listCards>["data"][number];

/** The cards that a payer let the company keep, each with a button that deletes it. */
export function SavedCards(props: { cards: SavedCard[]; path: string; mayDelete: boolean }) {
  const { cards, path, mayDelete } = props;
  const { dateTime } = useLocale();
  const { cards: labels } = useTexts().payers;
  return (
    <Section title={labels.title}>
      <p>{labels.about}</p>
      <List
        caption={labels.title}
        rows={cards}
        empty={null}
        columns={[
          { heading: labels.card, cell: ({ card }) => nameOf(card) },
          { heading: labels.expires, cell: ({ card }) => expiryOf(card) },
          { heading: labels.consent, cell: ({ consent }) => dateTime(consent.at) },
          {
            heading: labels.account,
            cell: (card) => <AccountName of={card} isOneOf={cards.map(({ account }) => account)} />,
          },
          {
            heading: "",
            cell: ({ id, card }) =>
              mayDelete ? (
                <form method="post" action={`${path}/cards/${id}/delete`}>
                  <button
                    type="submit"
                    class="danger"
                    aria-label={fill(labels.deleteOne, { card: nameOf(card) })}
                  >
                    {labels.delete}
                  </button>
                </form>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function nameOf({ brand, lastDigits }: SavedCard["card"]): string {
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${lastDigits}`;
}

function expiryOf({ expirationMonth, expirationYear }: SavedCard["card"]): string {
  return `${String(expirationMonth).padStart(2, "0")}/${expirationYear}`;
}
