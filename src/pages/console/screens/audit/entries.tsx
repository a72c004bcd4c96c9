import { useLocale, useTexts } from "../../texts.ts";
import { ActorName } from "../../ui/actor-name.tsx";
import { List } from "../../ui/parts.tsx";
import { Action, Target, type AuditEntry } from "./target.tsx";

/** A page of a trail. `isOwn`: of the company whose console this is. */
export function AuditEntries(props: { rows: AuditEntry[]; empty: string; isOwn?: boolean }) {
  const { rows, empty, isOwn = false } = props;
  const { dateTime } = useLocale();
  const labels = useTexts().audit;
  return (
    <List
      caption={labels.title}
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ sequence }) => sequence },
        { heading: labels.at, cell: ({ at }) => dateTime(at) },
        { heading: labels.actor, cell: ({ actor }) => <ActorName actor={actor} /> },
        { heading: labels.action, cell: (entry) => <Action entry={entry} /> },
        { heading: labels.target, cell: (entry) => <Target entry={entry} isOwn={isOwn} /> },
        { heading: labels.change, cell: (entry) => <Change entry={entry} /> },
        { heading: labels.reason, cell: ({ reason }) => reason ?? "–" },
      ]}
    />
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const labels = useTexts().audit;
  const { actor, action, target, before, after, traceId, hash } = entry;
  return (
    <details>
      <summary>{labels.change}</summary>
      {before === null ? null : <Values name={labels.before} of={before} />}
      {after === null ? null : <Values name={labels.after} of={after} />}
      <p class="hint">
        {labels.actor}: <code>{actor.id}</code>
      </p>
      <p class="hint">
        {labels.action}: <code>{action}</code>
      </p>
      <p class="hint">
        {labels.target}: <code>{target}</code>
      </p>
      <p class="hint">
        {labels.trace}: <code>{traceId ?? "–"}</code>
      </p>
      <p class="hint">
        {labels.hash}: <code>{hash}</code>
      </p>
    </details>
  );
}

function Values({ name, of }: { name: string; of: Record<string, unknown> }) {
  return (
    <>
      <p>{name}</p>
      <pre tabindex={0}>{JSON.stringify(of, null, 2)}</pre>
    </>
  );
}
