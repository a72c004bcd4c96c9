import { has } from "../../ui/menu.ts";
import type { Person } from "../../../../domain/access/person.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Facts, List, Section } from "../../ui/parts.tsx";
import { pagePath, type Payment } from "./payment.ts";

interface Shown {
  payment: Payment;
}

/** Who was charged and who paid, masked until asked. */
export function Payer({ payment, person, isShown }: Shown & { person: Person; isShown: boolean }) {
  const { payment: words } = useTexts();
  const { customer, payer, payerMatch } = payment;
  const facts: [string, string | null | undefined][] = [
    [words.name, customer.name],
    [words.document, customer.document.number],
    [words.email, customer.email],
    [words.phone, customer.phone],
    [words.address, addressLine(payment)],
    [words.paidBy, [payer?.name, payer?.documentMasked].filter(Boolean).join(", ")],
    [words.bank, payer?.ispb],
  ];
  const isEmpty = facts.every(([, value]) => value === null || value === undefined || value === "");
  return (
    <Section title={words.payerTitle}>
      {isEmpty ? <p>{words.noPayer}</p> : <Facts of={facts} />}
      {payerMatch === undefined ? null : <p>{words.match[payerMatch]}</p>}
      {isEmpty || isShown || !has("pii:read")(person) ? null : (
        <form method="post" action={`${pagePath(payment.id)}/payer`}>
          <button type="submit">{words.show}</button>
        </form>
      )}
    </Section>
  );
}

function addressLine({ shipping }: Payment): string {
  const { street, streetNumber, complement, neighborhood, city, state, zipCode, country } =
    shipping.address;
  return [street, streetNumber, complement, neighborhood, city, state, zipCode, country]
    .filter((part) => part !== "")
    .join(", ");
}

/** References, and what the request told of the goods. */
export function Details({ payment }: Shown) {
  const { money } = useLocale();
  const { payment: words } = useTexts();
  const { shipping, secureUrl, metadata } = payment;
  return (
    <Section title={words.detailsTitle}>
      {payment.archived === undefined ? null : (
        <p>{payment.textsMissing === undefined ? words.archived : words.textsMissing}</p>
      )}
      <Facts
        of={[
          [words.id, <code>{payment.id}</code>],
          [words.reference, payment.externalRef],
          [words.endToEndId, payment.endToEndId],
          [words.nsu, payment.externalNsu],
          [words.fiscalKey, payment.fiscalKey],
          [words.ip, payment.ip],
          [words.postbackUrl, payment.postbackUrl],
          [words.shippingFee, shipping.fee === null ? null : money(shipping.fee)],
          [words.secureUrl, secureUrl === null ? null : <a href={secureUrl}>{secureUrl}</a>],
        ]}
      />
      {metadata === null || metadata === "" ? null : (
        <>
          <h3>{words.metadata}</h3>
          <pre>{metadata}</pre>
        </>
      )}
    </Section>
  );
}

/** The goods; nothing where none were named. */
export function Items({ payment }: Shown) {
  const { money } = useLocale();
  const { payment: words } = useTexts();
  if (payment.items.length === 0) return null;
  return (
    <Section title={words.itemsTitle}>
      <List
        caption={words.itemsTitle}
        rows={payment.items}
        empty=""
        columns={[
          {
            heading: words.item,
            cell: (item) => [item.title, item.externalRef].filter(Boolean).join(" · ") || "–",
          },
          { heading: words.quantity, isNumber: true, cell: ({ quantity }) => quantity ?? "–" },
          {
            heading: words.unitPrice,
            isNumber: true,
            cell: ({ unitPrice }) => (unitPrice === undefined ? "–" : money(unitPrice)),
          },
        ]}
      />
    </Section>
  );
}

/** Money that went back; nothing before the first refund. */
export function Refunds({ payment }: Shown) {
  const { dateTime, money } = useLocale();
  const { payment: words } = useTexts();
  const { refunds } = payment;
  if (refunds === undefined) return null;
  return (
    <Section title={words.refundsTitle}>
      <List
        caption={words.refundsTitle}
        rows={refunds}
        empty=""
        columns={[
          { heading: words.time, cell: ({ createdAt }) => dateTime(createdAt) },
          { heading: words.what, cell: ({ status }) => words.refundStatus[status] },
          {
            heading: words.amount,
            isNumber: true,
            cell: ({ amount }) => money(amount),
          },
        ]}
      />
    </Section>
  );
}
