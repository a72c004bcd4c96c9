import {
  DISPUTE_STATUS_WORDS,
  type DisputeStatusWord,
} from "../../../../domain/disputes/dispute.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/parts.tsx";
import { timeLeft } from "./deadline.ts";
import { disputePath, DISPUTES_PATH, type Dispute } from "./dispute.ts";

/** The three states as links. */
export function Tabs({ status }: { status: DisputeStatusWord }) {
  const texts = useTexts();
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
}) {
  const { dateTime, money } = useLocale();
  const texts = useTexts();
  const { items, status, refresh, now } = props;
  const { columns, reasons } = texts.disputes;
  return (
    <List
      caption={texts.disputes.title}
      rows={items}
      refresh={refresh}
      empty={<Empty icon="dispute">{texts.disputes.empty[status]}</Empty>}
      columns={[
        {
          heading: columns.opened,
          cell: ({ id, openedAt }) => <a href={disputePath(id)}>{dateTime(openedAt)}</a>,
        },
        { heading: columns.reason, cell: ({ reason }) => reasons[reason] },
        {
          heading: columns.deadline,
          cell: ({ deadline }) =>
            deadline === null || status !== "open"
              ? dateTime(deadline)
              : `${dateTime(deadline)} (${timeLeft(deadline, now, texts)})`,
        },
        {
          heading: columns.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
        { heading: columns.held, isNumber: true, cell: ({ held }) => money(held) },
      ]}
    />
  );
}
