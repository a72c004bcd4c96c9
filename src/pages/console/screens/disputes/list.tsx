import {
  DISPUTE_STATUS_WORDS,
  type DisputeStatusWord,
} from "../../../../domain/disputes/dispute.ts";
import { dateTime, money } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
import { List } from "../../ui/parts.tsx";
import { timeLeft } from "./deadline.ts";
import { disputePath, DISPUTES_PATH, type Dispute } from "./dispute.ts";

/** The three states as links. */
export function Tabs(props: { status: DisputeStatusWord; texts: Texts }) {
  const { status, texts } = props;
  return (
    <nav class="tabs" aria-label={texts.disputes.tabs}>
      {DISPUTE_STATUS_WORDS.map((word) => (
        <a
          href={`${DISPUTES_PATH}?status=${word}`}
          {...(word === status ? { "aria-current": "page" as const } : {})}
        >
          {texts.disputes.statuses[word]}
        </a>
      ))}
    </nav>
  );
}

/** The disputes of a page. */
export function DisputeList(props: {
  items: Dispute[];
  status: DisputeStatusWord;
  refresh: string;
  now: number;
  texts: Texts;
  language: Language;
}) {
  const { items, status, refresh, now, texts, language } = props;
  const { columns, reasons } = texts.disputes;
  return (
    <List
      caption={texts.disputes.title}
      rows={items}
      refresh={refresh}
      empty={<p>{texts.disputes.empty[status]}</p>}
      columns={[
        {
          heading: columns.opened,
          cell: ({ id, openedAt }) => <a href={disputePath(id)}>{dateTime(openedAt, language)}</a>,
        },
        { heading: columns.reason, cell: ({ reason }) => reasons[reason] },
        {
          heading: columns.deadline,
          cell: ({ deadline }) =>
            deadline === null || status !== "open"
              ? dateTime(deadline, language)
              : `${dateTime(deadline, language)} (${timeLeft(deadline, now, texts)})`,
        },
        {
          heading: columns.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount, language),
        },
        { heading: columns.held, isNumber: true, cell: ({ held }) => money(held, language) },
      ]}
    />
  );
}
