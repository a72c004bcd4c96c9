import type { Child } from "hono/jsx";
import type { Person } from "../../../../domain/access/person.ts";
import { has } from "../../ui/menu.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { EVENTS_PATH } from "../events/pages.tsx";
import { movementPath } from "../home/opened.ts";
import { pagePath } from "./payment.ts";
import { dueDatesText, whatHappened, type Item } from "./what-happened.ts";

interface TimelineProps {
  /** The payment's; null for a withdraw, of which nothing is sent again here. */
  id: string | null;
  items: readonly Item[];
  hasMore: boolean;
  /** Whether the person may read the postings, and the events and attempts; and send webhooks again. */
  rights: { postings: boolean; events: boolean; resend: boolean };
}

/** What of a timeline a person may follow. */
export function timelineRights(person: Person): TimelineProps["rights"] {
  return {
    postings: has("balance:read")(person),
    events: has("webhooks:read")(person),
    resend: has("webhooks:write")(person),
  };
}

/** All that happened about the payment or withdraw, oldest first, with postings and webhook attempts. */
export function TimelineSection({ id, items, hasMore, rights }: TimelineProps) {
  const { dateTime } = useLocale();
  const texts = useTexts();
  const labels = texts.payment;
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
          { heading: labels.what, cell: (item) => whatHappened(item, texts) },
          {
            heading: labels.details,
            cell: (item) => (
              <>
                <ItemDetails item={item} rights={rights} />
                {id !== null &&
                rights.resend &&
                item.kind === "attempt" &&
                newest.get(item.deliveryId) === item ? (
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

function ItemDetails(props: { item: Item } & Pick<TimelineProps, "rights">): Child {
  const { date, exactTime, money } = useLocale();
  const { item, rights } = props;
  const { payment: labels } = useTexts();
  switch (item.kind) {
    case "created":
    case "dispute":
      return money(item.amount);
    case "payment":
      return (
        <>
          {money(item.amount)} · {fill(labels.bankSays, { at: exactTime(item.paidAt) })}{" "}
          <code>{item.paymentId}</code>
        </>
      );
    case "operation": {
      const amount = item.amount === 0 ? null : money(item.amount);
      return [amount, dueDatesText(item, labels, date), item.reason].filter(Boolean).join(" · ");
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
          {rights.postings ? (
            <li>
              <a href={movementPath(item.number)}>{labels.proof}</a>
            </li>
          ) : null}
        </ul>
      );
    case "reminder":
      return "";
    case "event":
      return rights.events ? (
        <a href={`${EVENTS_PATH}/${item.id}`}>{item.id}</a>
      ) : (
        <code>{item.id}</code>
      );
    case "attempt": {
      const { httpStatus: status, durationMs: ms, fault, answer } = item;
      const ended =
        status === null
          ? fill(labels.attempt.unanswered, { ms, fault: fault ?? "–" })
          : fill(labels.attempt.answered, { status, ms });
      return (
        <>
          {ended}
          {answer === "" ? null : <code class="answer">{answer}</code>}
        </>
      );
    }
  }
}
