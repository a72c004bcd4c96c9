import type { listAuditEntries } from "../../../../api/audit/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { List } from "../../ui/parts.tsx";

export type AuditEntry = RouteBody<typeof listAuditEntries>["items"][number];

/** A page of a trail. */
export function AuditEntries({ rows, empty }: { rows: AuditEntry[]; empty: string }) {
  const { dateTime } = useLocale();
  const words = useTexts().audit;
  return (
    <List
      caption={words.title}
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ sequence }) => sequence },
        { heading: words.at, cell: ({ at }) => dateTime(at) },
        { heading: words.actor, cell: ({ actor }) => `${actor.name} (${actor.kind})` },
        { heading: words.action, cell: ({ action }) => <code>{action}</code> },
        { heading: words.target, cell: ({ target }) => target },
        { heading: words.change, cell: (entry) => <Change entry={entry} /> },
        { heading: words.reason, cell: ({ reason }) => reason ?? "–" },
      ]}
    />
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const words = useTexts().audit;
  const { before, after, traceId, hash } = entry;
  return (
    <details>
      <summary>{words.change}</summary>
      {before === null ? null : <Values name={words.before} of={before} />}
      {after === null ? null : <Values name={words.after} of={after} />}
      <p class="hint">
        {words.trace}: <code>{traceId ?? "–"}</code>
      </p>
      <p class="hint">
        {words.hash}: <code>{hash}</code>
      </p>
    </details>
  );
}

function Values({ name, of }: { name: string; of: Record<string, unknown> }) {
  return (
    <>
      <p>{name}</p>
      <pre>{JSON.stringify(of, null, 2)}</pre>
    </>
  );
}
