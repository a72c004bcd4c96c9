import { useLocale, useTexts } from "../../../texts.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Badge, List } from "../../../ui/parts.tsx";
import { TONES } from "../../../ui/tones.ts";
import { COMPANIES_PATH } from "../companies/company.ts";
import { PROPOSALS_PATH, type Proposal } from "./proposal.ts";

/** Proposals, the newest first. */
export function ProposalList({ items }: { items: Proposal[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().proposals;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="shield">{labels.none}</Empty>}
      columns={[
        {
          heading: labels.action,
          cell: ({ id, action }) => (
            <a href={`${PROPOSALS_PATH}/${id}`}>{labels.actions[action]}</a>
          ),
        },
        {
          heading: labels.company,
          cell: ({ companyId }) => <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: labels.target, cell: ({ target }) => target },
        { heading: labels.proposedBy, cell: ({ proposedBy }) => proposedBy.name },
        {
          heading: labels.status,
          cell: ({ status }) => (
            <Badge tone={TONES.proposal[status]}>{labels.statuses[status]}</Badge>
          ),
        },
        { heading: labels.expiresAt, cell: ({ expiresAt }) => dateTime(expiresAt) },
      ]}
    />
  );
}
