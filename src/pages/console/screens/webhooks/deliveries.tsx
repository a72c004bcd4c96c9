import { DELIVERY_STATUSES } from "../../../../db/schema/webhooks.ts";
import { Empty } from "../../ui/empty.tsx";
import { ActionForm, Badge, Choice, Facts, List, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import {
  DELIVERIES_PATH,
  targetName,
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type EventDetail,
} from "./webhook.ts";
import { useLocale, useTexts } from "../../texts.ts";

/** The filter as a form whose field stands in the URL. */
export function DeliveryFilter({ status }: { status: string }) {
  const texts = useTexts();
  const labels = texts.webhooks;
  return (
    <form class="filters" action={DELIVERIES_PATH}>
      <Choice
        label={labels.status}
        name="status"
        value={status}
        options={[
          ["", labels.all],
          ...DELIVERY_STATUSES.map((each): [string, string] => [each, labels.statuses[each]]),
        ]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of deliveries, newest first. */
export function DeliveryList({ items, refresh }: { items: Delivery[]; refresh: string }) {
  const { dateTime } = useLocale();
  const labels = useTexts().webhooks;
  return (
    <List
      caption={labels.deliveries}
      rows={items}
      refresh={refresh}
      empty={<Empty icon="webhook">{labels.noDeliveries}</Empty>}
      columns={[
        {
          heading: labels.event,
          cell: ({ id, eventId }) => (
            <a href={`${DELIVERIES_PATH}/${id}`}>
              <code>{eventId}</code>
            </a>
          ),
        },
        { heading: labels.url, cell: ({ url }) => url },
        { heading: labels.target, cell: ({ target }) => targetName(labels, target) },
        { heading: labels.status, cell: (row) => <Status status={row.status} /> },
        { heading: labels.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        { heading: labels.next, cell: (row) => dateTime(row.nextAttemptAt) },
        { heading: labels.updated, cell: (row) => dateTime(row.updatedAt) },
      ]}
    />
  );
}

function Status({ status }: { status: DeliveryStatus }) {
  const texts = useTexts();
  return <Badge tone={TONES.delivery[status]}>{texts.webhooks.statuses[status]}</Badge>;
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
  const labels = useTexts().webhooks;
  return (
    <>
      <Facts
        of={[
          [labels.event, <code>{event.id}</code>],
          [labels.type, <code>{event.type}</code>],
          [labels.url, delivery.url],
          [labels.target, targetName(labels, delivery.target)],
          [labels.status, <Status status={delivery.status} />],
          [labels.attempts, delivery.attempts],
          [labels.next, dateTime(delivery.nextAttemptAt)],
          [labels.updated, dateTime(delivery.updatedAt)],
        ]}
      />
      {idempotencyKey === null ? null : (
        <Section title={labels.resend}>
          <p>{labels.resendHint}</p>
          <ActionForm
            action={`${DELIVERIES_PATH}/${delivery.id}/resend`}
            idempotencyKey={idempotencyKey}
            submit={labels.resend}
          />
        </Section>
      )}
      <Section title={labels.attempts}>
        <AttemptList tries={delivery.tries} />
      </Section>
      <Section title={labels.body}>
        <pre tabindex={0}>{JSON.stringify(bodyOf(event), null, 2)}</pre>
      </Section>
      <p>
        <a href={DELIVERIES_PATH}>{labels.deliveries}</a>
      </p>
    </>
  );
}

function AttemptList({ tries }: { tries: Attempt[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().webhooks;
  return (
    <List
      caption={labels.attempts}
      rows={tries}
      empty={<p>{labels.noAttempts}</p>}
      columns={[
        { heading: "#", isNumber: true, cell: ({ number }) => number },
        { heading: labels.at, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: labels.result, cell: (row) => row.httpStatus ?? row.fault ?? "–" },
        { heading: labels.duration, isNumber: true, cell: (row) => `${row.durationMs} ms` },
        {
          heading: labels.answer,
          cell: ({ answer }) => (answer === "" ? "–" : <pre tabindex={0}>{answer}</pre>),
        },
      ]}
    />
  );
}

/** The parts of an event that a webhook sends. */
function bodyOf({ type, timestamp, sequence, data }: EventDetail) {
  return { type, timestamp, sequence, data };
}
