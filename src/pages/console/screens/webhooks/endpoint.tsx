import type { Child } from "hono/jsx";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import { DELIVERIES_PATH, WEBHOOKS_PATH, type Endpoint } from "./webhook.ts";

/** Where the company's events go, which hosts fail, and what a person may do about it. */
export function EndpointPage(props: {
  endpoint: Endpoint;
  typed: string;
  mayChange: boolean;
  idempotencyKey: string;
  problem: ApiProblem | null;
  /** The list of all endpoints. */
  children?: Child;
}) {
  const { endpoint, typed, mayChange, idempotencyKey, problem, children } = props;
  const labels = useTexts().webhooks;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Section title={labels.endpoint}>
        {mayChange ? (
          <ActionForm action={WEBHOOKS_PATH} idempotencyKey={idempotencyKey} submit={labels.save}>
            <Field
              label={labels.url}
              name="url"
              value={typed}
              hint={labels.urlHint}
              errors={problem?.errors?.["url"]}
            />
          </ActionForm>
        ) : (
          <p>{endpoint.url === "" ? labels.noEndpoint : <code>{endpoint.url}</code>}</p>
        )}
      </Section>
      {children}
      <FailingHosts {...props} />
      {mayChange ? <Changes {...props} /> : null}
      <p>
        <a href={DELIVERIES_PATH}>{labels.deliveries}</a> ·{" "}
        <a href={`${WEBHOOKS_PATH}/verify`}>{labels.debugger}</a>
      </p>
    </>
  );
}

function Changes({ endpoint, idempotencyKey }: Parameters<typeof EndpointPage>[0]) {
  const labels = useTexts().webhooks;
  return (
    <>
      {endpoint.url === "" ? null : (
        <Section title={labels.test}>
          <p>{labels.testHint}</p>
          <ActionForm
            action={`${WEBHOOKS_PATH}/test`}
            idempotencyKey={idempotencyKey}
            submit={labels.sendTest}
          />
        </Section>
      )}
      <Section title={labels.secret}>
        <p>{labels.secretHint}</p>
        <p>
          <a class="button" href={`${WEBHOOKS_PATH}/secret`}>
            {labels.rotateTitle}
          </a>
        </p>
      </Section>
    </>
  );
}

/** The circuit breaker of each host at which webhooks fail. */
function FailingHosts({ endpoint }: { endpoint: Endpoint }) {
  const { dateTime } = useLocale();
  const labels = useTexts().webhooks;
  return (
    <Section title={labels.hosts}>
      <List
        caption={labels.hosts}
        rows={endpoint.failingHosts ?? []}
        empty={<p>{labels.noFailingHosts}</p>}
        columns={[
          { heading: labels.host, cell: ({ host }) => <code>{host}</code> },
          {
            heading: labels.circuit,
            cell: ({ offSince }) =>
              offSince === null ? (
                <Badge tone="open">{labels.failing}</Badge>
              ) : (
                <Badge tone="bad">{fill(labels.off, { at: dateTime(offSince) })}</Badge>
              ),
          },
          { heading: labels.failingSince, cell: (row) => dateTime(row.failingSince) },
          {
            heading: labels.lastFailure,
            cell: (row) => `${row.lastFailure} (${dateTime(row.lastFailureAt)})`,
          },
        ]}
      />
    </Section>
  );
}

/** Asks how long an endpoint's earlier secrets go on. */
export function RotateForm(props: {
  action: string;
  /** What the secret signs. */
  hint: string;
  hours: string;
  idempotencyKey: string;
  problem: ApiProblem | null;
}) {
  const { action, hint, hours, idempotencyKey, problem } = props;
  const labels = useTexts().webhooks;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{hint}</p>
      <Section title={labels.rotateTitle}>
        <ActionForm action={action} idempotencyKey={idempotencyKey} submit={labels.rotate}>
          <Field
            label={labels.overlap}
            name="overlapHours"
            value={hours}
            inputmode="numeric"
            hint={labels.overlapHint}
            errors={problem?.errors?.["overlapHours"]}
          />
        </ActionForm>
      </Section>
    </>
  );
}

/** Asks how long the first endpoint's earlier secrets go on, or ends them. */
export function SecretForms(props: {
  hours: string;
  idempotencyKey: string;
  problem: ApiProblem | null;
}) {
  const labels = useTexts().webhooks;
  return (
    <>
      <RotateForm {...props} action={`${WEBHOOKS_PATH}/secret`} hint={labels.secretHint} />
      <Section title={labels.endTitle}>
        <p>{labels.endHint}</p>
        <ActionForm
          action={`${WEBHOOKS_PATH}/secret/end-previous`}
          idempotencyKey={props.idempotencyKey}
          submit={labels.end}
          isDangerous
        />
      </Section>
      <p>
        <a href={WEBHOOKS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

/** The one page that shows a new secret; `previousValidUntil` is null of a new endpoint. */
export function NewSecret(props: {
  secret: string;
  previousValidUntil: string | null;
  next: string;
}) {
  const { dateTime } = useLocale();
  const { secret, previousValidUntil, next } = props;
  const labels = useTexts().webhooks;
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{labels.shownOnce}</strong>
        </p>
        <pre>{secret}</pre>
      </div>
      {previousValidUntil === null ? null : (
        <Facts of={[[labels.previousUntil, dateTime(previousValidUntil)]]} />
      )}
      <p>
        <a class="button" href={next}>
          {labels.kept}
        </a>
      </p>
    </>
  );
}
