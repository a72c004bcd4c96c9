import type { ContradictionStatus } from "../../../../../domain/reconciliation/contradiction.ts";
import { useLocale, useTexts } from "../../../texts.ts";
import { Badge, List, type Tone } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { CONTRADICTIONS_PATH, type Contradiction } from "./contradiction.ts";

export const TONES: Record<ContradictionStatus, Tone> = {
  open: "bad",
  proposed: "open",
  decided: "quiet",
};

/** The states as links; the first shows all that is not decided. */
export function Tabs({ active }: { active: string }) {
  const words = useTexts().contradictions;
  const tabs: [status: string, label: string][] = [
    ["", words.undecided],
    ["open", words.statuses.open],
    ["proposed", words.statuses.proposed],
    ["decided", words.statuses.decided],
  ];
  return (
    <nav class="tabs" aria-label={words.status}>
      {tabs.map(([status, label]) => (
        <a
          href={status === "" ? CONTRADICTIONS_PATH : `${CONTRADICTIONS_PATH}?status=${status}`}
          {...(status === active ? { "aria-current": "page" } : {})}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Contradictions, by company and number. */
export function ContradictionList(props: {
  caption: string;
  items: Contradiction[];
  empty: string;
}) {
  const { dateTime, money } = useLocale();
  const { caption, items, empty } = props;
  const words = useTexts().contradictions;
  return (
    <List
      caption={caption}
      rows={items}
      empty={<p>{empty}</p>}
      columns={[
        { heading: words.id, cell: ({ id }) => <a href={`${CONTRADICTIONS_PATH}/${id}`}>{id}</a> },
        { heading: words.kind, cell: ({ kind }) => words.kinds[kind] },
        {
          heading: words.company,
          cell: ({ companyId }) => <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: words.since, cell: ({ since }) => dateTime(since) },
        {
          heading: words.status,
          cell: ({ status }) => <Badge tone={TONES[status]}>{words.states[status]}</Badge>,
        },
        {
          heading: words.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
        { heading: words.held, isNumber: true, cell: ({ held }) => money(held) },
      ]}
    />
  );
}
