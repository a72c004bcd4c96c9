import { useLocale, useTexts } from "../../../texts.ts";
import { List, Section } from "../../../ui/parts.tsx";
import type { GatewayStatus } from "./view.ts";

interface StatusProps {
  status: GatewayStatus;
}

/** The alarms that fire, each with its page of the runbook. */
export function FiringAlarms({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorWatch;
  return (
    <Section title={labels.alarms}>
      <List
        caption={labels.alarms}
        rows={status.alarms.filter(({ resolvedAt }) => resolvedAt === null)}
        empty={<p>{labels.noAlarms}</p>}
        columns={[
          { heading: labels.alarm, cell: ({ id }) => id },
          { heading: labels.severity, cell: ({ severity }) => labels.severities[severity] },
          { heading: labels.since, cell: ({ since }) => dateTime(since) },
          { heading: labels.detail, cell: ({ detail }) => detail },
          { heading: labels.runbook, cell: ({ runbook }) => <Runbook page={runbook} /> },
        ]}
      />
    </Section>
  );
}

/** A link if the service knows where the runbook is, else its path in the repository. */
export function Runbook({ page }: { page: string }) {
  return page.startsWith("https:") ? <a href={page}>{page}</a> : <code>{page}</code>;
}

/** When each task of the cron succeeded and failed last. */
export function Heartbeats({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorWatch;
  return (
    <Section title={labels.heartbeats}>
      <List
        caption={labels.heartbeats}
        rows={status.heartbeats}
        empty={<p>{labels.noHeartbeats}</p>}
        columns={[
          { heading: labels.task, cell: ({ task }) => task },
          {
            heading: labels.lastSuccess,
            cell: ({ lastSuccessAt }) => dateTime(lastSuccessAt),
          },
          { heading: labels.lastError, cell: ({ lastErrorAt }) => dateTime(lastErrorAt) },
          { heading: labels.error, cell: ({ lastError }) => lastError ?? "–" },
        ]}
      />
    </Section>
  );
}
