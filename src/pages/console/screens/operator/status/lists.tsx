import { whatIsFrozen } from "../../../format.ts";
import { useLocale, useTexts } from "../../../texts.ts";
import { fill } from "../../../../shared/language.ts";
import { List } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import type { GatewayStatus } from "./view.ts";

interface StatusProps {
  status: GatewayStatus;
}

/** What is paused, since when, by whom and why; nothing while all runs. */
export function PauseNotice({ status: { pauses } }: StatusProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorHome;
  const { known, service, companies } = pauses;
  const since = (pause: { since: string }) => dateTime(pause.since);
  const lines = [
    ...(known ? [] : [labels.pauseUnknown]),
    ...(service === null ? [] : [fill(labels.paused, { ...service, since: since(service) })]),
    ...companies.map((pause) => fill(labels.companyPaused, { ...pause, since: since(pause) })),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      {lines.map((line) => (
        <p>{line}</p>
      ))}
    </div>
  );
}

/** Companies that are frozen, what of them, and why. */
export function FrozenList({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorHome;
  return (
    <List
      caption={labels.frozen}
      rows={status.frozen}
      empty={<p>{labels.noneFrozen}</p>}
      columns={[
        {
          heading: labels.company,
          cell: ({ companyId, name }) => <CompanyLink id={companyId} name={name} />,
        },
        {
          heading: labels.whatIsFrozen,
          cell: (freeze) => whatIsFrozen(freeze, labels),
        },
        { heading: labels.since, cell: ({ since }) => dateTime(since) },
        { heading: labels.by, cell: ({ by }) => by },
        { heading: labels.reason, cell: ({ reason }) => reason },
      ]}
    />
  );
}

/** Companies whose last check found something. */
export function FailingList({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorHome;
  return (
    <List
      caption={labels.failing}
      rows={status.failing}
      empty={<p>{labels.noneFailing}</p>}
      columns={[
        {
          heading: labels.company,
          cell: ({ companyId, name }) => <CompanyLink id={companyId} name={name} />,
        },
        { heading: labels.checkedAt, cell: ({ checkedAt }) => dateTime(checkedAt) },
        {
          heading: labels.violations,
          cell: ({ violations }) => (
            <ul>
              {violations.map((violation) => (
                <li>{violation}</li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}

/** A company's page, by its name and number. */
export function CompanyLink({ id, name }: { id: number; name: string }) {
  return <a href={`${COMPANIES_PATH}/${id}`}>{`${name} (${id})`}</a>;
}
