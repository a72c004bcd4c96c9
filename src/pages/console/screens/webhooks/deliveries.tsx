import { DELIVERY_STATUSES } from "../../../../db/schema/webhooks.ts";
import { ActionForm, Badge, Choice, Facts, List, Section } from "../../ui/parts.tsx";
import {
  DELIVERIES_PATH,
  TONES,
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type EventDetail,
} from "./webhook.ts";
import { useLocale, useTexts } from "../../texts.ts";

/** The filter as a form whose field stands in the URL. */
export function DeliveryFilter({ status }: { status: string }) {
  const texts = useTexts();
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
export function DeliveryList({ items, refresh }: { items: Delivery[]; refresh: string }) {
  const { dateTime } = useLocale();
  const words = useTexts().webhooks;
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
        { heading: words.status, cell: (row) => <Status status={row.status} /> },
        { heading: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        { heading: words.next, cell: (row) => dateTime(row.nextAttemptAt) },
        { heading: words.updated, cell: (row) => dateTime(row.updatedAt) },
      ]}
    />
  );
}

function Status({ status }: { status: DeliveryStatus }) {
  const texts = useTexts();
  return <Badge tone={TONES[status]}>{texts.webhooks.statuses[status]}</Badge>;
}

/** One delivery: its state, its attempts with what came back, and the body that was sent. */
export function DeliveryPage(props: {
  event: EventDetail;
  delivery: EventDetail["deliveries"][number];
  /** Null for who may not resend. */
  idempotencyKey: string | null;
}) {
  const { dateTime } = useLocale();
  const { event, delivery, idempotencyKey } = props;
  const words = useTexts().webhooks;
  return (
    <>
      <Facts
        of={[
          [words.event, <code>{event.id}</code>],
          [words.type, <code>{event.type}</code>],
          [words.url, delivery.url],
          [words.target, words.targets[delivery.target]],
          [words.status, <Status status={delivery.status} />],
          [words.attempts, delivery.attempts],
          [words.next, dateTime(delivery.nextAttemptAt)],
          [words.updated, dateTime(delivery.updatedAt)],
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
        <AttemptList tries={delivery.tries} />
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

function AttemptList({ tries }: { tries: Attempt[] }) {
  const { dateTime } = useLocale();
  const words = useTexts().webhooks;
  return (
    <List
      caption={words.attempts}
      rows={tries}
      empty={<p>{words.noAttempts}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ number }) => number },
        { heading: words.at, cell: ({ createdAt }) => dateTime(createdAt) },
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
