import { EVENT_TYPES } from "../../../../domain/events/event-types.ts";
import { dateTime } from "../../format.ts";
import { Badge, Choice, Facts, List, Section } from "../../ui/parts.tsx";
import {
  DELIVERIES_PATH,
  TONES,
  type EventDetail,
  type WebhookEvent,
  type Words,
} from "../webhooks/webhook.ts";
import { objectPath } from "./object-path.ts";

export const EVENTS_PATH = "/console/events";

/** The filter as a form whose field stands in the URL. */
export function EventFilter({ texts, type }: Words & { type: string }) {
  const words = texts.events;
  return (
    <form class="filters" action={EVENTS_PATH}>
      <Choice
        label={words.type}
        name="type"
        value={type}
        options={[["", words.all], ...EVENT_TYPES.map((each): [string, string] => [each, each])]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of the event log, oldest first. */
export function EventList(props: Words & { items: WebhookEvent[]; hasMore: boolean }) {
  const { texts, language, items, hasMore } = props;
  const words = texts.events;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{hasMore ? words.noneYet : words.none}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ companySequence }) => companySequence },
        {
          heading: words.event,
          cell: ({ id, data }) =>
            // Without the scope of its object, the API refuses the event too.
            data === null ? (
              <code>{id}</code>
            ) : (
              <a href={`${EVENTS_PATH}/${id}`}>
                <code>{id}</code>
              </a>
            ),
        },
        { heading: words.type, cell: ({ type }) => <code>{type}</code> },
        { heading: words.at, cell: ({ timestamp }) => dateTime(timestamp, language) },
        { heading: words.object, cell: (event) => <ObjectLink texts={texts} event={event} /> },
      ]}
    />
  );
}

/** The page of what an event is about; its id where it has no page. */
function ObjectLink({ texts, event }: { texts: Words["texts"]; event: WebhookEvent }) {
  const id = event.data?.["id"];
  const name = typeof id === "string" || typeof id === "number" ? String(id) : "–";
  const path = objectPath(event);
  return path === null ? (
    <>{name}</>
  ) : (
    <a href={path} aria-label={`${texts.events.object} ${name}`}>
      {name}
    </a>
  );
}

/** One event: its object, its data and its deliveries. */
export function EventPage({ texts, language, event }: Words & { event: EventDetail }) {
  const words = texts.events;
  return (
    <>
      <Facts
        of={[
          [words.type, <code>{event.type}</code>],
          [words.at, dateTime(event.timestamp, language)],
          [words.object, <ObjectLink texts={texts} event={event} />],
          [words.number, event.companySequence],
          [words.objectNumber, event.sequence],
        ]}
      />
      <Section title={words.deliveries}>
        <List
          caption={words.deliveries}
          rows={event.deliveries}
          empty={<p>{words.noDeliveries}</p>}
          columns={[
            {
              heading: words.url,
              cell: ({ id, url }) => <a href={`${DELIVERIES_PATH}/${id}`}>{url}</a>,
            },
            {
              heading: words.status,
              cell: ({ status }) => (
                <Badge tone={TONES[status]}>{texts.webhooks.statuses[status]}</Badge>
              ),
            },
            { heading: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
          ]}
        />
      </Section>
      <Section title={words.body}>
        <pre>{JSON.stringify(event.data, null, 2)}</pre>
      </Section>
      <p>
        <a href={EVENTS_PATH}>{words.back}</a>
      </p>
    </>
  );
}
