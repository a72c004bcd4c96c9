import { fill, type Locale, type Texts, useLocale, useTexts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import type { Payment, TimelineItem } from "./payment.ts";
import { dueDatesText } from "./what-happened.ts";

/** What happened, in sentences, oldest first; postings, events and attempts stand in the technical details. */
export function Story({ payment, items }: { payment: Payment; items: readonly TimelineItem[] }) {
  const { date, dateTime, money } = useLocale();
  const { payment: labels } = useTexts();
  const told = items.flatMap((item) => {
    const text = sentenceOf(item, payment, labels, { money, date });
    return text === null ? [] : [{ at: item.at, text }];
  });
  if (told.length === 0) return null;
  return (
    <Section title={labels.timelineTitle}>
      <ol class="story">
        {told.map(({ at, text }) => (
          <li>
            <time datetime={at}>{dateTime(at)}</time> <span>{text}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** An item as a sentence; null for what only a developer asks for. */
function sentenceOf(
  item: TimelineItem,
  payment: Payment,
  labels: Texts["payment"],
  { money, date }: Pick<Locale, "money" | "date">,
): string | null {
  const { story, event, operation, refundStatus, disputeStatus } = labels;
  switch (item.kind) {
    case "created":
      return fill(story.created, { amount: money(item.amount) });
    case "answered":
      return item.reason === null ? null : fill(story.refused, { reason: item.reason });
    case "payment": {
      const values = { amount: money(item.amount), name: payerName(payment) };
      if (!item.expected) return fill(story.unexpected, values);
      return fill(values.name === "" ? story.paid : story.paidBy, values);
    }
    case "operation": {
      const changed = item.amount === 0 ? dueDatesText(item, labels, date) : money(item.amount);
      const said = { operation: operation[item.operation], status: refundStatus[item.status] };
      return `${fill(event.operation, said)}${changed === null ? "" : ` (${changed})`}`;
    }
    case "dispute": {
      const text = item.type === "DISPUTE" ? event.dispute : event.chargeback;
      return `${fill(text, { status: disputeStatus[item.status] })} (${money(item.amount)})`;
    }
    case "move":
      return item.to === "CANCELLED" && item.cause.kind === "expiry" ? story.expired : null;
    case "movement":
      return item.type === "credit_released" ? story.released : null;
    case "reminder":
      return item.status === "sent" ? fill(event.reminder, { number: item.number }) : null;
    case "event":
    case "attempt":
      return null;
  }
}

/** Who paid: by the merchant's own name for a client who paid for himself, and where no bank tells; "" if nobody is known. */
export function payerName({ payer, customer, payerMatch }: Payment): string {
  const isClient = payerMatch === "matches" && customer.name !== "";
  return isClient ? customer.name : (payer?.name ?? customer.name);
}
