import { DELIVERY_STATUSES } from "../../../../db/schema/webhooks.ts";
import { dateTime } from "../../format.ts";
import { ActionForm, Badge, Choice, Facts, List, Section } from "../../ui/parts.tsx";
import {
  DELIVERIES_PATH,
  TONES,
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type EventDetail,
  type Words,
} from "./webhook.ts";

/** The filter as a form whose field stands in the URL. */
export function DeliveryFilter({ texts, status }: Words & { status: string }) {
  const words = texts.webhooks;
  return (
    <form class="filters" action={DELIVERIES_PATH}>
      <Choice
        label={words.status}
        name="status"
        value={status}
        options={[
          ["", words.all],
          ...DELIVERY_STATUSES.map((each): [string, string] => [each, words.statuses[each]]),
        ]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of deliveries, newest first. */
export function DeliveryList(props: Words & { items: Delivery[]; refresh: string }) {
  const { texts, language, items, refresh } = props;
  const words = texts.webhooks;
  return (
    <List
      caption={words.deliveries}
      rows={items}
      refresh={refresh}
      empty={<p>{words.noDeliveries}</p>}
      columns={[
        {
          heading: words.event,
          cell: ({ id, eventId }) => (
            <a href={`${DELIVERIES_PATH}/${id}`}>
              <code>{eventId}</code>
            </a>
          ),
        },
        { heading: words.url, cell: ({ url }) => url },
        { heading: words.target, cell: ({ target }) => words.targets[target] },
        { heading: words.status, cell: (row) => <Status texts={texts} status={row.status} /> },
        { heading: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        { heading: words.next, cell: (row) => dateTime(row.nextAttemptAt, language) },
        { heading: words.updated, cell: (row) => dateTime(row.updatedAt, language) },
      ]}
    />
  );
}

function Status({ texts, status }: { texts: Words["texts"]; status: DeliveryStatus }) {
  return <Badge tone={TONES[status]}>{texts.webhooks.statuses[status]}</Badge>;
}

/** One delivery: its state, its attempts with what came back, and the body that was sent. */
export function DeliveryPage(
  props: Words & {
    event: EventDetail;
    delivery: EventDetail["deliveries"][number];
    /** Null for who may not resend. */
    idempotencyKey: string | null;
  },
) {
  const { texts, language, event, delivery, idempotencyKey } = props;
  const words = texts.webhooks;
  return (
    <>
      <Facts
        of={[
          [words.event, <code>{event.id}</code>],
          [words.type, <code>{event.type}</code>],
          [words.url, delivery.url],
          [words.target, words.targets[delivery.target]],
          [words.status, <Status texts={texts} status={delivery.status} />],
          [words.attempts, delivery.attempts],
          [words.next, dateTime(delivery.nextAttemptAt, language)],
          [words.updated, dateTime(delivery.updatedAt, language)],
        ]}
      />
      {idempotencyKey === null ? null : (
        <Section title={words.resend}>
          <p>{words.resendHint}</p>
          <ActionForm
            action={`${DELIVERIES_PATH}/${delivery.id}/resend`}
            idempotencyKey={idempotencyKey}
            submit={words.resend}
          />
        </Section>
      )}
      <Section title={words.attempts}>
        <AttemptList texts={texts} language={language} tries={delivery.tries} />
      </Section>
      <Section title={words.body}>
        <pre>{JSON.stringify(bodyOf(event), null, 2)}</pre>
      </Section>
      <p>
        <a href={DELIVERIES_PATH}>{words.deliveries}</a>
      </p>
    </>
  );
}

function AttemptList({ texts, language, tries }: Words & { tries: Attempt[] }) {
  const words = texts.webhooks;
  return (
    <List
      caption={words.attempts}
      rows={tries}
      empty={<p>{words.noAttempts}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ number }) => number },
        { heading: words.at, cell: ({ createdAt }) => dateTime(createdAt, language) },
        { heading: words.result, cell: (row) => row.httpStatus ?? row.fault ?? "–" },
        { heading: words.duration, isNumber: true, cell: (row) => `${row.durationMs} ms` },
        {
          heading: words.answer,
          cell: ({ answer }) => (answer === "" ? "–" : <pre>{answer}</pre>),
        },
      ]}
    />
  );
}

/** The parts of an event that a webhook sends. */
function bodyOf({ type, timestamp, sequence, data }: EventDetail) {
  return { type, timestamp, sequence, data };
}
