import type { listAuditEntries } from "../../../../api/audit/routes.ts";
import { dateTime } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import type { Language, Texts } from "../../texts.ts";
import { List } from "../../ui/parts.tsx";

export type AuditEntry = RouteBody<typeof listAuditEntries>["items"][number];

/** A page of a trail. */
export function AuditEntries(props: {
  words: Texts["audit"];
  language: Language;
  rows: AuditEntry[];
  empty: string;
}) {
  const { words, language, rows, empty } = props;
  return (
    <List
      caption={words.title}
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ sequence }) => sequence },
        { heading: words.at, cell: ({ at }) => dateTime(at, language) },
        { heading: words.actor, cell: ({ actor }) => `${actor.name} (${actor.kind})` },
        { heading: words.action, cell: ({ action }) => <code>{action}</code> },
        { heading: words.target, cell: ({ target }) => target },
        { heading: words.change, cell: (entry) => <Change words={words} entry={entry} /> },
        { heading: words.reason, cell: ({ reason }) => reason ?? "–" },
      ]}
    />
  );
}

function Change({ words, entry }: { words: Texts["audit"]; entry: AuditEntry }) {
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
