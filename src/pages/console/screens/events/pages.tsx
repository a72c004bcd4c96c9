import { EVENT_TYPES } from "../../../../domain/events/event-types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Badge, Choice, Facts, List, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { DELIVERIES_PATH, type EventDetail, type WebhookEvent } from "../webhooks/webhook.ts";
import { objectId, objectPath } from "./object-path.ts";
import { useLocale, useTexts } from "../../texts.ts";

export const EVENTS_PATH = "/console/events";

/** The filter as a form whose field stands in the URL. */
export function EventFilter({ type }: { type: string }) {
  const texts = useTexts();
  const labels = texts.events;
  return (
    <form class="filters" action={EVENTS_PATH}>
      <Choice
        label={labels.type}
        name="type"
        value={type}
        options={[["", labels.all], ...EVENT_TYPES.map((each): [string, string] => [each, each])]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of the event log, newest first. */
export function EventList({ items, hasMore }: { items: WebhookEvent[]; hasMore: boolean }) {
  const { dateTime } = useLocale();
  const labels = useTexts().events;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="list">{hasMore ? labels.noneYet : labels.none}</Empty>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ companySequence }) => companySequence },
        {
          heading: labels.event,
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
        { heading: labels.type, cell: ({ type }) => <code>{type}</code> },
        { heading: labels.at, cell: ({ timestamp }) => dateTime(timestamp) },
        { heading: labels.object, cell: (event) => <ObjectLink event={event} /> },
      ]}
    />
  );
}

/** The page of what an event is about; its id where it has no page. */
function ObjectLink({ event }: { event: Pick<WebhookEvent, "type" | "data"> }) {
  const texts = useTexts();
  const name = objectId(event) ?? "–";
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
export function EventPage({ event }: { event: EventDetail }) {
  const { dateTime } = useLocale();
  const texts = useTexts();
  const labels = texts.events;
  return (
    <>
      <Facts
        of={[
          [labels.type, <code>{event.type}</code>],
          [labels.at, dateTime(event.timestamp)],
          [labels.object, <ObjectLink event={event} />],
          [labels.number, event.companySequence],
          [labels.objectNumber, event.sequence],
        ]}
      />
      <Section title={labels.deliveries}>
        <List
          caption={labels.deliveries}
          rows={event.deliveries}
          empty={<p>{labels.noDeliveries}</p>}
          columns={[
            {
              heading: labels.url,
              cell: ({ id, url }) => <a href={`${DELIVERIES_PATH}/${id}`}>{url}</a>,
            },
            {
              heading: labels.status,
              cell: ({ status }) => (
                <Badge tone={TONES.delivery[status]}>{texts.webhooks.statuses[status]}</Badge>
              ),
            },
            { heading: labels.attempts, isNumber: true, cell: ({ attempts }) => attempts },
          ]}
        />
      </Section>
      <Section title={labels.body}>
        <pre tabindex={0}>{JSON.stringify(event.data, null, 2)}</pre>
      </Section>
      <p>
        <a href={EVENTS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}
