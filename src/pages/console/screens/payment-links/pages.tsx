import type { getPaymentLink } from "../../../../api/payment-links/routes.ts";
import type { LinkStatus } from "../../../../domain/links/payment-link.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Badge, Check, Facts, Field, List, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { SendPanel } from "../../ui/send-panel.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";

const PATH = "/console/payment-links";

type Link = RouteBody<typeof getPaymentLink>["data"];

/** The company's links, newest first. */
export function LinkList({ items }: { items: Link[] }) {
  const labels = useTexts().paymentLinks;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="link">{labels.none}</Empty>}
      columns={[
        { heading: labels.name, cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
        {
          heading: labels.status,
          cell: ({ status }) => <LinkBadge status={status} />,
        },
        { heading: labels.paid, isNumber: true, cell: (link) => paidOf(link) },
        {
          heading: labels.amount,
          isNumber: true,
          cell: (link) => <Amount link={link} />,
        },
      ]}
    />
  );
}

/** One link: its address, QR code and counts. */
export function LinkFacts({ link }: { link: Link }) {
  const { date } = useLocale();
  const labels = useTexts().paymentLinks;
  return (
    <Section title={labels.one}>
      <div class="pay">
        <QrCode code={link.url} label={labels.qr} />
        <div>
          <Facts
            of={[
              [labels.status, <LinkBadge status={link.status} />],
              [labels.amount, <Amount link={link} />],
              [labels.paid, paidOf(link)],
              [labels.paying, link.openCount === 0 ? null : link.openCount],
              [labels.expires, link.expiresAt === null ? null : date(link.expiresAt)],
            ]}
          />
          <Copyable id="url" label={labels.url} value={link.url} />
          <p class="actions">
            <a class="button" href={link.url}>
              {labels.see}
            </a>
            <a class="button" href={`${PATH}/${link.id}/qr.svg`}>
              {labels.svg}
            </a>
          </p>
        </div>
      </div>
    </Section>
  );
}

/** The ways to send a link that takes payments; nothing of one that takes none. */
export function SendLink({ link, company }: { link: Link; company: string }) {
  const { money } = useLocale();
  const { send: labels } = useTexts().payment;
  const { amount, name, url, id, status } = link;
  if (status !== "active") return null;
  const values = {
    company,
    amount: amount === null ? "" : money(amount),
    purpose: name,
    address: url,
  };
  return (
    <SendPanel
      message={fill(amount === null ? labels.messageOpen : labels.messageFor, values)}
      subject={fill(labels.subjectOpen, values)}
      url={url}
      qrImage={`${PATH}/${id}/qr.png`}
      print={`${PATH}/${id}/print`}
    />
  );
}

/** What of a link may change. */
export function ChangeForm({ link }: { link: Link }) {
  const labels = useTexts().paymentLinks;
  return (
    <Section title={labels.change}>
      <form class="action" method="post" action={`${PATH}/${link.id}`}>
        <Field label={labels.name} name="name" value={link.name} required />
        <Check name="active" label={labels.takesPayments} isOn={link.status !== "inactive"} />
        <Field
          label={labels.maxPayments}
          name="maxPayments"
          value={link.maxPayments === null ? "" : String(link.maxPayments)}
          hint={labels.maxPaymentsHint}
          inputmode="numeric"
        />
        <Field label={labels.expires} name="expires" type="date" value={dayOf(link.expiresAt)} />
        <button type="submit" class="primary">
          {labels.save}
        </button>
      </form>
    </Section>
  );
}

/** The day of an end in America/Sao_Paulo, as the browser's field has it. */
function dayOf(expiresAt: string | null): string {
  if (expiresAt === null) return "";
  return new Date(Date.parse(expiresAt) - 3 * 3_600_000).toISOString().slice(0, 10);
}

function LinkBadge({ status }: { status: LinkStatus }) {
  const texts = useTexts();
  return <Badge tone={TONES.paymentLink[status]}>{texts.paymentLinks.statuses[status]}</Badge>;
}

function paidOf({ paidCount, maxPayments }: Link): string {
  return maxPayments === null ? String(paidCount) : `${paidCount} / ${maxPayments}`;
}

function Amount({ link: { amount, minimum, maximum, amounts } }: { link: Link }) {
  const { money } = useLocale();
  const { range } = useTexts().paymentLinks;
  if (amount !== null) return <>{money(amount)}</>;
  if (amounts !== null) return <>{amounts.map(money).join(", ")}</>;
  return <>{fill(range, { from: money(minimum ?? 1), to: money(maximum ?? 1) })}</>;
}
