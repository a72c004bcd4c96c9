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
}) {
  const { endpoint, typed, mayChange, idempotencyKey, problem } = props;
  const words = useTexts().webhooks;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Section title={words.endpoint}>
        {mayChange ? (
          <ActionForm action={WEBHOOKS_PATH} idempotencyKey={idempotencyKey} submit={words.save}>
            <Field
              label={words.url}
              name="url"
              value={typed}
              hint={words.urlHint}
              errors={problem?.errors?.["url"]}
            />
          </ActionForm>
        ) : (
          <p>{endpoint.url === "" ? words.noEndpoint : <code>{endpoint.url}</code>}</p>
        )}
      </Section>
      <FailingHosts {...props} />
      {mayChange ? <Changes {...props} /> : null}
      <p>
        <a href={DELIVERIES_PATH}>{words.deliveries}</a> ·{" "}
        <a href={`${WEBHOOKS_PATH}/verify`}>{words.debugger}</a>
      </p>
    </>
  );
}

function Changes({ endpoint, idempotencyKey }: Parameters<typeof EndpointPage>[0]) {
  const words = useTexts().webhooks;
  return (
    <>
      {endpoint.url === "" ? null : (
        <Section title={words.test}>
          <p>{words.testHint}</p>
          <ActionForm
            action={`${WEBHOOKS_PATH}/test`}
            idempotencyKey={idempotencyKey}
            submit={words.sendTest}
          />
        </Section>
      )}
      <Section title={words.secret}>
        <p>{words.secretHint}</p>
        <p>
          <a class="button" href={`${WEBHOOKS_PATH}/secret`}>
            {words.rotateTitle}
          </a>
        </p>
      </Section>
    </>
  );
}

/** The circuit breaker of each host at which webhooks fail. */
function FailingHosts({ endpoint }: { endpoint: Endpoint }) {
  const { dateTime } = useLocale();
  const words = useTexts().webhooks;
  return (
    <Section title={words.hosts}>
      <List
        caption={words.hosts}
        rows={endpoint.failingHosts ?? []}
        empty={<p>{words.noFailingHosts}</p>}
        columns={[
          { heading: words.host, cell: ({ host }) => <code>{host}</code> },
          {
            heading: words.circuit,
            cell: ({ offSince }) =>
              offSince === null ? (
                <Badge tone="open">{words.failing}</Badge>
              ) : (
                <Badge tone="bad">{fill(words.off, { at: dateTime(offSince) })}</Badge>
              ),
          },
          { heading: words.failingSince, cell: (row) => dateTime(row.failingSince) },
          {
            heading: words.lastFailure,
            cell: (row) => `${row.lastFailure} (${dateTime(row.lastFailureAt)})`,
          },
        ]}
      />
    </Section>
  );
}

/** Asks how long the earlier secrets go on, or ends them. */
export function SecretForms(props: {
  hours: string;
  idempotencyKey: string;
  problem: ApiProblem | null;
}) {
  const { hours, idempotencyKey, problem } = props;
  const words = useTexts().webhooks;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{words.secretHint}</p>
      <Section title={words.rotateTitle}>
        <ActionForm
          action={`${WEBHOOKS_PATH}/secret`}
          idempotencyKey={idempotencyKey}
          submit={words.rotate}
        >
          <Field
            label={words.overlap}
            name="overlapHours"
            value={hours}
            inputmode="numeric"
            hint={words.overlapHint}
            errors={problem?.errors?.["overlapHours"]}
          />
        </ActionForm>
      </Section>
      <Section title={words.endTitle}>
        <p>{words.endHint}</p>
        <ActionForm
          action={`${WEBHOOKS_PATH}/secret/end-previous`}
          idempotencyKey={idempotencyKey}
          submit={words.end}
          isDangerous
        />
      </Section>
      <p>
        <a href={WEBHOOKS_PATH}>{words.back}</a>
      </p>
    </>
  );
}

/** The one page that shows a new secret. */
export function NewSecret(props: { secret: string; previousValidUntil: string }) {
  const { dateTime } = useLocale();
  const { secret, previousValidUntil } = props;
  const words = useTexts().webhooks;
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{words.shownOnce}</strong>
        </p>
        <pre>{secret}</pre>
      </div>
      <Facts of={[[words.previousUntil, dateTime(previousValidUntil)]]} />
      <p>
        <a class="button" href={WEBHOOKS_PATH}>
          {words.kept}
        </a>
      </p>
    </>
  );
}
