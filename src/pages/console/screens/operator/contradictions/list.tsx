import { useLocale, useTexts } from "../../../texts.ts";
import { Badge, List } from "../../../ui/parts.tsx";
import { TONES } from "../../../ui/tones.ts";
import { COMPANIES_PATH } from "../companies/company.ts";
import { CONTRADICTIONS_PATH, type Contradiction } from "./contradiction.ts";

/** The states as links; the first shows all that is not decided. */
export function Tabs({ active }: { active: string }) {
  const labels = useTexts().contradictions;
  const tabs: [status: string, label: string][] = [
    ["", labels.undecided],
    ["open", labels.statuses.open],
    ["proposed", labels.statuses.proposed],
    ["decided", labels.statuses.decided],
  ];
  return (
    <nav class="tabs" aria-label={labels.status}>
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
  const labels = useTexts().contradictions;
  return (
    <List
      caption={caption}
      rows={items}
      empty={<p>{empty}</p>}
      columns={[
        { heading: labels.id, cell: ({ id }) => <a href={`${CONTRADICTIONS_PATH}/${id}`}>{id}</a> },
        { heading: labels.kind, cell: ({ kind }) => labels.kinds[kind] },
        {
          heading: labels.company,
          cell: ({ companyId }) => <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: labels.since, cell: ({ since }) => dateTime(since) },
        {
          heading: labels.status,
          cell: ({ status }) => (
            <Badge tone={TONES.contradiction[status]}>{labels.states[status]}</Badge>
          ),
        },
        {
          heading: labels.amount,
          isNumber: true,
          cell: ({ amount }) => money(amount),
        },
        { heading: labels.held, isNumber: true, cell: ({ held }) => money(held) },
      ]}
    />
  );
}
