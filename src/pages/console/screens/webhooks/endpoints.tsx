import {
  ALL_EVENTS,
  ENDPOINT_EVENTS,
  ENDPOINTS_MAX,
  FIRST_ENDPOINT,
} from "../../../../domain/events/webhook-endpoint.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import {
  ActionForm,
  Badge,
  CheckGroup,
  Facts,
  Field,
  List,
  ProblemNotice,
  Section,
} from "../../ui/parts.tsx";
import { ENDPOINTS_PATH, targetName, WEBHOOKS_PATH, type EndpointItem } from "./webhook.ts";

/** What a form of an endpoint shows: what was typed, or what is stored. */
interface EndpointForm {
  typed: { url: string; events: readonly string[]; description: string };
  idempotencyKey: string;
  problem: ApiProblem | null;
}

/** The company's endpoints with what each takes, and the way to another one. */
export function EndpointList({ items, mayAdd }: { items: EndpointItem[]; mayAdd: boolean }) {
  const labels = useTexts().webhooks;
  return (
    <Section title={labels.endpoints}>
      <p>{fill(labels.endpointsHint, { max: ENDPOINTS_MAX })}</p>
      <List
        caption={labels.endpoints}
        rows={items}
        empty={<p>{labels.noEndpoints}</p>}
        columns={[
          {
            heading: labels.name,
            cell: ({ id, description }) => (
              <a href={`${ENDPOINTS_PATH}/${id}`}>
                {description === "" ? targetName(labels, id) : description}
              </a>
            ),
          },
          { heading: labels.url, cell: ({ url }) => <code>{url}</code> },
          { heading: labels.takes, cell: (row) => <Takes {...row} /> },
          { heading: labels.circuit, cell: (row) => <HostState {...row} /> },
        ]}
      />
      {mayAdd ? (
        <p>
          <a class="button" href={`${ENDPOINTS_PATH}/new`}>
            {labels.add}
          </a>
        </p>
      ) : null}
    </Section>
  );
}

function Takes({ events }: Pick<EndpointItem, "events">) {
  const labels = useTexts().webhooks;
  if (events.includes(ALL_EVENTS)) return labels.allEvents;
  const [first] = events;
  return events.length === 1 ? <code>{first}</code> : fill(labels.types, { count: events.length });
}

function HostState({ failingHost }: Pick<EndpointItem, "failingHost">) {
  const { dateTime } = useLocale();
  const labels = useTexts().webhooks;
  if (failingHost === undefined) return <Badge tone="good">{labels.working}</Badge>;
  return failingHost.offSince === null ? (
    <Badge tone="open">{labels.failing}</Badge>
  ) : (
    <Badge tone="bad">{fill(labels.off, { at: dateTime(failingHost.offSince) })}</Badge>
  );
}

/** The fields of a new endpoint. */
export function NewEndpoint(props: EndpointForm) {
  const labels = useTexts().webhooks;
  return (
    <>
      <EndpointFields {...props} action={ENDPOINTS_PATH} submit={labels.addThis} />
      <p>
        <a href={WEBHOOKS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

function EndpointFields(props: EndpointForm & { action: string; submit: string }) {
  const { typed, idempotencyKey, problem, action, submit } = props;
  const labels = useTexts().webhooks;
  const errors = (name: string) => problem?.errors?.[name];
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm action={action} idempotencyKey={idempotencyKey} submit={submit}>
        <Field
          label={labels.url}
          name="url"
          value={typed.url}
          hint={labels.newUrlHint}
          errors={errors("url")}
          required
        />
        <Field
          label={labels.description}
          name="description"
          value={typed.description}
          hint={labels.descriptionHint}
          errors={errors("description")}
        />
        <CheckGroup legend={labels.takes} name="events" errors={errors("events")}>
          {ENDPOINT_EVENTS.map((type) => (
            <label class="check">
              <input
                type="checkbox"
                name="events"
                value={type}
                checked={typed.events.includes(type)}
              />{" "}
              {type === ALL_EVENTS ? labels.allEvents : <code>{type}</code>}
            </label>
          ))}
        </CheckGroup>
      </ActionForm>
    </>
  );
}

/** One endpoint: what it takes, its host, and what a person may do about it. */
export function EndpointDetail(props: {
  endpoint: EndpointItem;
  /** Null for who may change nothing. */
  idempotencyKey: string | null;
  problem: ApiProblem | null;
}) {
  const { endpoint, idempotencyKey, problem } = props;
  const labels = useTexts().webhooks;
  const path = `${ENDPOINTS_PATH}/${endpoint.id}`;
  const secretPath = endpoint.id === FIRST_ENDPOINT ? `${WEBHOOKS_PATH}/secret` : `${path}/secret`;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Facts
        of={[
          [labels.url, <code>{endpoint.url}</code>],
          [labels.takes, <AllTakes {...endpoint} />],
          [labels.circuit, <HostState {...endpoint} />],
          [labels.lastFailure, endpoint.failingHost?.lastFailure ?? null],
        ]}
      />
      {idempotencyKey === null ? null : (
        <>
          <Section title={labels.test}>
            <p>{labels.testHint}</p>
            <ActionForm
              action={`${path}/test`}
              idempotencyKey={idempotencyKey}
              submit={labels.sendTest}
            />
          </Section>
          <p class="actions">
            <a class="button" href={`${path}/change`}>
              {labels.change}
            </a>
            <a class="button" href={secretPath}>
              {labels.rotateTitle}
            </a>
            <a class="button" href={`${path}/delete`}>
              {labels.delete}
            </a>
          </p>
        </>
      )}
      <p>
        <a href={WEBHOOKS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

/** The fields of an endpoint that stands. */
export function ChangeEndpoint(props: EndpointForm & { path: string }) {
  const labels = useTexts().webhooks;
  return (
    <>
      <EndpointFields {...props} action={props.path} submit={labels.save} />
      <p>
        <a href={props.path}>{labels.cancel}</a>
      </p>
    </>
  );
}

/** Asks before an endpoint goes. */
export function DeleteEndpoint(props: { path: string; url: string; idempotencyKey: string }) {
  const { path, url, idempotencyKey } = props;
  const labels = useTexts().webhooks;
  return (
    <>
      <p>{labels.deleteQuestion}</p>
      <p>
        <code>{url}</code>
      </p>
      <ActionForm
        action={`${path}/delete`}
        idempotencyKey={idempotencyKey}
        submit={labels.delete}
        isDangerous
      />
      <p>
        <a href={path}>{labels.cancel}</a>
      </p>
    </>
  );
}

function AllTakes({ events }: Pick<EndpointItem, "events">) {
  const labels = useTexts().webhooks;
  return events.includes(ALL_EVENTS) ? labels.allEvents : <code>{events.join(", ")}</code>;
}
