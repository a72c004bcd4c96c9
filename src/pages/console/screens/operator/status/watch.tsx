import { useLocale, useTexts } from "../../../texts.ts";
import { List, Section } from "../../../ui/parts.tsx";
import type { GatewayStatus } from "./view.ts";

interface StatusProps {
  status: GatewayStatus;
}

/** The alarms that fire, each with its page of the runbook. */
export function FiringAlarms({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const words = useTexts().operatorWatch;
  return (
    <Section title={words.alarms}>
      <List
        caption={words.alarms}
        rows={status.alarms.filter(({ resolvedAt }) => resolvedAt === null)}
        empty={<p>{words.noAlarms}</p>}
        columns={[
          { heading: words.alarm, cell: ({ id }) => id },
          { heading: words.severity, cell: ({ severity }) => words.severities[severity] },
          { heading: words.since, cell: ({ since }) => dateTime(since) },
          { heading: words.detail, cell: ({ detail }) => detail },
          { heading: words.runbook, cell: ({ runbook }) => <Runbook page={runbook} /> },
        ]}
      />
    </Section>
  );
}

/** A link if the service knows where the runbook is, else its path in the repository. */
function Runbook({ page }: { page: string }) {
  return page.startsWith("https:") ? <a href={page}>{page}</a> : <code>{page}</code>;
}

/** When each task of the cron succeeded and failed last. */
export function Heartbeats({ status }: StatusProps) {
  const { dateTime } = useLocale();
  const words = useTexts().operatorWatch;
  return (
    <Section title={words.heartbeats}>
      <List
        caption={words.heartbeats}
        rows={status.heartbeats}
        empty={<p>{words.noHeartbeats}</p>}
        columns={[
          { heading: words.task, cell: ({ task }) => task },
          {
            heading: words.lastSuccess,
            cell: ({ lastSuccessAt }) => dateTime(lastSuccessAt),
          },
          { heading: words.lastError, cell: ({ lastErrorAt }) => dateTime(lastErrorAt) },
          { heading: words.error, cell: ({ lastError }) => lastError ?? "–" },
        ]}
      />
    </Section>
  );
}
