import type { ProposalStatus } from "../../../../../domain/operators/proposal.ts";
import { useLocale, useTexts } from "../../../texts.ts";
import { Badge, List, type Tone } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { PROPOSALS_PATH, type Proposal } from "./proposal.ts";

export const TONES: Record<ProposalStatus, Tone> = {
  pending: "open",
  approved: "good",
  refused: "bad",
  expired: "quiet",
};

/** Proposals, the newest first. */
export function ProposalList({ items }: { items: Proposal[] }) {
  const { dateTime } = useLocale();
  const words = useTexts().proposals;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{words.none}</p>}
      columns={[
        {
          heading: words.action,
          cell: ({ id, action }) => <a href={`${PROPOSALS_PATH}/${id}`}>{words.actions[action]}</a>,
        },
        {
          heading: words.company,
          cell: ({ companyId }) => <a href={`${COMPANIES_PATH}/${companyId}`}>{companyId}</a>,
        },
        { heading: words.target, cell: ({ target }) => target },
        { heading: words.proposedBy, cell: ({ proposedBy }) => proposedBy.name },
        {
          heading: words.status,
          cell: ({ status }) => <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>,
        },
        { heading: words.expiresAt, cell: ({ expiresAt }) => dateTime(expiresAt) },
      ]}
    />
  );
}
