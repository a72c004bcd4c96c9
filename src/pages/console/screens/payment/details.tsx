import type { Child } from "hono/jsx";
import { has } from "../../ui/menu.ts";
import type { Person } from "../../../../domain/access/person.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Facts, List, Section } from "../../ui/parts.tsx";
import type { ChargeCashier } from "../cashier/charge-cashier.ts";
import { pagePath, type Payment } from "./payment.ts";

interface Shown {
  payment: Payment;
}

/** Who was charged and who paid, masked until asked. */
export function Payer({ payment, person, isShown }: Shown & { person: Person; isShown: boolean }) {
  const { payment: labels } = useTexts();
  const { customer, payer, payerMatch } = payment;
  const facts: [string, string | null | undefined][] = [
    [labels.name, customer.name],
    [labels.document, customer.document.number],
    [labels.email, customer.email],
    [labels.phone, customer.phone],
    [labels.address, addressLine(payment)],
    [labels.paidBy, [payer?.name, payer?.documentMasked].filter(Boolean).join(", ")],
    [labels.bank, payer?.ispb],
  ];
  const isEmpty = facts.every(([, value]) => value === null || value === undefined || value === "");
  return (
    <Section title={labels.payerTitle}>
      {isEmpty ? <p>{labels.noPayer}</p> : <Facts of={facts} />}
      {payerMatch === undefined ? null : <p>{labels.match[payerMatch]}</p>}
      {isEmpty || isShown || !has("pii:read")(person) ? null : (
        <form method="post" action={`${pagePath(payment.id)}/payer`}>
          <button type="submit">{labels.show}</button>
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

/** What the merchant calls it, and who made it at the counter; nothing where neither is known. */
export function Order({ payment, cashier }: Shown & { cashier: ChargeCashier | null }) {
  const { money } = useLocale();
  const { payment: labels } = useTexts();
  const { externalRef, shipping } = payment;
  if (externalRef === "" && shipping.fee === null && cashier === null) return null;
  return (
    <Section title={labels.orderTitle}>
      <Facts
        of={[
          [labels.reference, externalRef],
          [labels.shippingFee, shipping.fee === null ? null : money(shipping.fee)],
          [labels.cashier, [cashier?.name, cashier?.device].filter(Boolean).join(", ")],
        ]}
      />
    </Section>
  );
}

/** Ids, addresses and the whole timeline, folded: only a developer or a bank asks for them. */
export function TechnicalDetails({ payment, children }: Shown & { children?: Child }) {
  const texts = useTexts();
  const labels = texts.payment;
  const { secureUrl, metadata } = payment;
  return (
    <details class="section technical">
      <summary>{texts.shell.technical}</summary>
      {payment.archived === undefined ? null : (
        <p>{payment.textsMissing === undefined ? labels.archived : labels.textsMissing}</p>
      )}
      <Facts
        of={[
          [labels.id, <CopyId id={payment.id} />],
          [labels.endToEndId, copyOf(payment.endToEndId)],
          [labels.nsu, copyOf(payment.externalNsu)],
          [labels.fiscalKey, copyOf(payment.fiscalKey)],
          [labels.ip, payment.ip],
          [labels.postbackUrl, payment.postbackUrl],
          [labels.secureUrl, secureUrl === null ? null : <a href={secureUrl}>{secureUrl}</a>],
        ]}
      />
      {metadata === null || metadata === "" ? null : (
        <>
          <h3>{labels.metadata}</h3>
          <pre tabindex={0}>{metadata}</pre>
        </>
      )}
      {children}
    </details>
  );
}

function copyOf(id: string | null | undefined): Child {
  return id === null || id === undefined || id === "" ? null : <CopyId id={id} />;
}

/** An id with a button that copies it. */
function CopyId({ id }: { id: string }) {
  const { copy, copied } = useTexts().shell;
  return (
    <>
      <code>{id}</code>{" "}
      <button type="button" class="small" data-copy={id} data-copied={copied}>
        {copy}
      </button>
    </>
  );
}

/** The goods; nothing where none were named. */
export function Items({ payment }: Shown) {
  const { money } = useLocale();
  const { payment: labels } = useTexts();
  if (payment.items.length === 0) return null;
  return (
    <Section title={labels.itemsTitle}>
      <List
        caption={labels.itemsTitle}
        rows={payment.items}
        empty=""
        columns={[
          {
            heading: labels.item,
            cell: (item) => [item.title, item.externalRef].filter(Boolean).join(" · ") || "–",
          },
          { heading: labels.quantity, isNumber: true, cell: ({ quantity }) => quantity ?? "–" },
          {
            heading: labels.unitPrice,
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
  const { payment: labels } = useTexts();
  const { refunds } = payment;
  if (refunds === undefined) return null;
  return (
    <Section title={labels.refundsTitle}>
      <List
        caption={labels.refundsTitle}
        rows={refunds}
        empty=""
        columns={[
          { heading: labels.time, cell: ({ createdAt }) => dateTime(createdAt) },
          { heading: labels.what, cell: ({ status }) => labels.refundStatus[status] },
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
