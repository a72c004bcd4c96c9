import type { ACTOR_KINDS } from "../../../domain/access/audit-entry.ts";
import type { REQUESTER_KINDS } from "../../../domain/access/requester.ts";
import { useTexts } from "../texts.ts";

/** Who asked for money to move or decided about it, or who did what the audit trail has. */
interface Actor {
  kind: (typeof REQUESTER_KINDS)[number] | (typeof ACTOR_KINDS)[number];
  id: string;
  name: string;
}

/** The name and the kind; the kind alone where no name was stored. */
export function ActorName({ actor: { kind, name } }: { actor: Actor }) {
  const { actors } = useTexts().shell;
  return <>{name === "" ? actors[kind] : `${name} (${actors[kind]})`}</>;
}

/** The name, with the id under technical details. */
export function ActorFact({ actor }: { actor: Actor }) {
  const { technical } = useTexts().shell;
  return (
    <>
      <ActorName actor={actor} />
      <details>
        <summary>{technical}</summary>
        <code>{actor.id}</code>
      </details>
    </>
  );
}
