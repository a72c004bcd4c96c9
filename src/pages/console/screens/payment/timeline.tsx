import type { Child } from "hono/jsx";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { pagePath, type TimelineItem } from "./payment.ts";

interface TimelineProps {
  id: string;
  items: readonly TimelineItem[];
  hasMore: boolean;
  /** Whether the person may send webhooks again. */
  canResend: boolean;
}

/** All that happened about the payment, oldest first, with postings and webhook attempts. */
export function TimelineSection({ id, items, hasMore, canResend }: TimelineProps) {
  const { dateTime } = useLocale();
  const { payment: labels } = useTexts();
  const newest = new Map(
    items.flatMap((item) => (item.kind === "attempt" ? [[item.deliveryId, item] as const] : [])),
  );
  return (
    <Section title={labels.timelineTitle}>
      <List
        caption={labels.timelineTitle}
        rows={items}
        empty=""
        columns={[
          { heading: labels.time, cell: ({ at }) => dateTime(at) },
          { heading: labels.what, cell: (item) => whatHappened(item, labels) },
          {
            heading: labels.details,
            cell: (item) => (
              <>
                <ItemDetails item={item} />
                {canResend && item.kind === "attempt" && newest.get(item.deliveryId) === item ? (
                  <form method="post" action={`${pagePath(id)}/resend`} data-once="">
                    <input type="hidden" name="delivery" value={item.deliveryId} />
                    <button type="submit">{labels.resend}</button>
                  </form>
                ) : null}
              </>
            ),
          },
        ]}
      />
      {hasMore ? <p class="hint">{labels.timelineMore}</p> : null}
    </Section>
  );
}

type Words = Texts["payment"];

function whatHappened(item: TimelineItem, labels: Words): string {
  const { event } = labels;
  switch (item.kind) {
    case "created":
      return event.created;
    case "answered":
      return fill(event.answered, { status: labels.status[item.status] });
    case "payment":
      return item.expected ? event.payment : event.unexpected;
    case "operation":
      return fill(event.operation, {
        operation: labels.operation[item.operation],
        status: labels.refundStatus[item.status],
      });
    case "dispute":
      return fill(item.type === "DISPUTE" ? event.dispute : event.chargeback, {
        status: labels.disputeStatus[item.status],
      });
    case "move":
      return fill(event.move, { from: labels.status[item.from], to: labels.status[item.to] });
    case "movement":
      return fill(event.movement, { number: item.number, type: labels.movement[item.type] });
    case "event":
      return fill(event.event, { type: item.type });
    case "attempt":
      return fill(event.attempt, { number: item.number });
    case "reminder":
      return fill(item.status === "sent" ? event.reminder : event.reminderFailed, {
        number: item.number,
      });
  }
}

function ItemDetails({ item }: { item: TimelineItem }): Child {
  const { money } = useLocale();
  const { payment: labels } = useTexts();
  switch (item.kind) {
    case "created":
    case "payment":
    case "dispute":
      return money(item.amount);
    case "operation": {
      const amount = item.amount === 0 ? null : money(item.amount);
      return [amount, item.reason].filter(Boolean).join(" · ");
    }
    case "answered":
      return item.reason ?? "";
    case "move":
      return labels.cause[item.cause.kind];
    case "movement":
      return (
        <ul class="postings">
          {item.postings.map(({ account, amount }) => (
            <li>
              {labels.account[account]}: {money(amount)}
            </li>
          ))}
        </ul>
      );
    case "reminder":
      return "";
    case "event":
      return <code>{item.id}</code>;
    case "attempt":
      return item.httpStatus === null
        ? fill(labels.attempt.unanswered, { ms: item.durationMs, fault: item.fault ?? "–" })
        : fill(labels.attempt.answered, { status: item.httpStatus, ms: item.durationMs });
  }
}
