import type { getPaymentLink } from "../../../../api/payment-links/routes.ts";
import type { LinkStatus } from "../../../../domain/links/payment-link.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import { date, money } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, type Language, type Texts } from "../../texts.ts";
import { Badge, Check, Facts, Field, List, Section, type Tone } from "../../ui/parts.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";

const PATH = "/console/payment-links";

type Link = RouteBody<typeof getPaymentLink>["data"];

const TONES: Record<LinkStatus, Tone> = {
  active: "good",
  inactive: "quiet",
  expired: "quiet",
  exhausted: "open",
};

interface Words {
  texts: Texts;
  language: Language;
}

/** The company's links, newest first. */
export function LinkList({ items, texts, language }: Words & { items: Link[] }) {
  const words = texts.paymentLinks;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{words.none}</p>}
      columns={[
        { heading: words.name, cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
        {
          heading: words.status,
          cell: ({ status }) => <LinkBadge status={status} texts={texts} />,
        },
        { heading: words.paid, isNumber: true, cell: (link) => paidOf(link) },
        {
          heading: words.amount,
          isNumber: true,
          cell: (link) => amountOf(link, { texts, language }),
        },
      ]}
    />
  );
}

/** One link: its address, QR code and counts. */
export function LinkFacts({ link, texts, language }: Words & { link: Link }) {
  const words = texts.paymentLinks;
  return (
    <Section title={words.one}>
      <div class="pay">
        <QrCode code={link.url} label={words.qr} />
        <div>
          <Facts
            of={[
              [words.status, <LinkBadge status={link.status} texts={texts} />],
              [words.amount, amountOf(link, { texts, language })],
              [words.paid, paidOf(link)],
              [words.paying, link.openCount === 0 ? null : link.openCount],
              [words.expires, link.expiresAt === null ? null : date(link.expiresAt, language)],
            ]}
          />
          <Copyable id="url" label={words.url} value={link.url} texts={texts} />
          <p class="actions">
            <a class="button" href={link.url}>
              {words.see}
            </a>
            <a class="button" href={`${PATH}/${link.id}/qr.svg`}>
              {words.svg}
            </a>
            <a class="button" href={`${PATH}/${link.id}/qr.png`}>
              {words.png}
            </a>
          </p>
        </div>
      </div>
    </Section>
  );
}

/** What of a link may change. */
export function ChangeForm({ link, texts }: { link: Link; texts: Texts }) {
  const words = texts.paymentLinks;
  return (
    <Section title={words.change}>
      <form class="action" method="post" action={`${PATH}/${link.id}`}>
        <Field label={words.name} name="name" value={link.name} required />
        <Check name="active" label={words.takesPayments} isOn={link.status !== "inactive"} />
        <Field
          label={words.maxPayments}
          name="maxPayments"
          value={link.maxPayments === null ? "" : String(link.maxPayments)}
          hint={words.maxPaymentsHint}
          inputmode="numeric"
        />
        <Field label={words.expires} name="expires" type="date" value={dayOf(link.expiresAt)} />
        <button type="submit" class="primary">
          {words.save}
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

function LinkBadge({ status, texts }: { status: LinkStatus; texts: Texts }) {
  return <Badge tone={TONES[status]}>{texts.paymentLinks.statuses[status]}</Badge>;
}

function paidOf({ paidCount, maxPayments }: Link): string {
  return maxPayments === null ? String(paidCount) : `${paidCount} / ${maxPayments}`;
}

function amountOf({ amount, minimum, maximum, amounts }: Link, { texts, language }: Words): string {
  if (amount !== null) return money(amount, language);
  if (amounts !== null) return amounts.map((each) => money(each, language)).join(", ");
  const [from, to] = [money(minimum ?? 1, language), money(maximum ?? 1, language)];
  return fill(texts.paymentLinks.range, { from, to });
}
