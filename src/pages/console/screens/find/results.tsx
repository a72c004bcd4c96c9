import type { Child } from "hono/jsx";
import { maskDocument } from "../../../../domain/access/masks.ts";
import { parseDocument } from "../../../../domain/shared/document.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Badge } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { disputePath } from "../disputes/dispute.ts";
import { payerPath } from "../payers/list.tsx";
import type { ListedPayment } from "../payments/list.tsx";
import type { Found } from "./search.ts";

/** What was found, by group; the same under the box and on the page. */
export function Results({ asked, found }: { asked: string; found: Found }) {
  const { money } = useLocale();
  const texts = useTexts();
  const labels = texts.find;
  const { payments, withdraws, links, disputes, pages, hasMorePayments } = found;
  const count = payments.length + withdraws.length + links.length + disputes.length + pages.length;
  return (
    <div class="found">
      {count > 0 ? null : <p class="empty">{fill(labels.nothing, { asked })}</p>}
      <Payers payments={payments} />
      <Charges payments={payments} />
      <Group
        title={texts.withdraws.title}
        rows={withdraws.map(({ id, value, enTransaction }) => (
          <Row
            href={`/console/withdraws/${id}`}
            name={`#${id} · ${texts.withdraws.statuses[enTransaction]}`}
            end={money(reaisToCents(value))}
          />
        ))}
      />
      <Group
        title={texts.paymentLinks.title}
        rows={links.map(({ id, name }) => (
          <Row href={`/console/payment-links/${id}`} name={name} end={null} />
        ))}
      />
      <Group
        title={texts.disputes.title}
        rows={disputes.map(({ id, amount, reason }) => (
          <Row href={disputePath(id)} name={texts.disputes.reasons[reason]} end={money(amount)} />
        ))}
      />
      <Group
        title={labels.pages}
        rows={pages.map(({ name, path }) => (
          <Row href={path} name={texts.menu[name]} end={null} />
        ))}
      />
      {hasMorePayments ? <p class="hint">{labels.older}</p> : null}
    </div>
  );
}

/** The payer and the charges of a document that was typed in the search. */
export function DocumentResults({
  document,
  payments,
}: {
  document: string;
  payments: ListedPayment[];
}) {
  const labels = useTexts().find;
  const { number } = parseDocument(document) ?? { number: "" };
  return (
    <div class="found">
      {payments.length > 0 ? null : (
        <p class="empty">{fill(labels.nothing, { asked: maskDocument(number) })}</p>
      )}
      <Payers payments={payments} />
      <Charges payments={payments} />
    </div>
  );
}

/** The payers of the found charges, each once; none for a role that sees masked documents only. */
function Payers({ payments }: { payments: ListedPayment[] }) {
  const texts = useTexts();
  const payers = new Map<string, ListedPayment>();
  for (const payment of payments) {
    const { documentNumber } = payment.lead;
    if (parseDocument(documentNumber) !== null && !payers.has(documentNumber))
      payers.set(documentNumber, payment);
  }
  return (
    <Group
      title={texts.payers.title}
      rows={[...payers.values()].map(({ lead, providerTxId }) => (
        <Row
          href={payerPath(providerTxId)}
          name={lead.name || texts.payers.list.unnamed}
          end={maskDocument(lead.documentNumber)}
        />
      ))}
    />
  );
}

function Charges({ payments }: { payments: ListedPayment[] }) {
  const { money, date } = useLocale();
  const labels = useTexts().payments;
  return (
    <Group
      title={labels.title}
      rows={payments.map(({ providerTxId, lead, externalRef, amount, status, createdAt }) => (
        <Row
          href={`/console/payments/${providerTxId}`}
          name={
            <>
              {[lead.name, externalRef, date(createdAt)].filter((part) => part !== "").join(" · ")}{" "}
              <Badge tone={TONES.payment[status]}>{labels.statuses[status]}</Badge>
            </>
          }
          end={money(amount)}
        />
      ))}
    />
  );
}

function Group({ title, rows }: { title: string; rows: Child[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="section">
      <h2>{title}</h2>
      <ul>{rows}</ul>
    </section>
  );
}

function Row({ href, name, end }: { href: string; name: Child; end: Child }) {
  return (
    <li>
      <a href={href}>{name}</a>
      <span class="number">{end}</span>
    </li>
  );
}
