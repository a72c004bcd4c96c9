import type { listApplicationKeys } from "../../../../api/applications/keys/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import type { ApiProblem } from "../../api.ts";
import { SCOPES } from "../../../../domain/shared/company.ts";
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
import type { Application, TypedApplication } from "./form.ts";

export type Key = RouteBody<typeof listApplicationKeys>["items"][number];

const PATH = "/console/keys";

/** The company's applications. */
export function Applications({ rows }: { rows: Application[] }) {
  const { date } = useLocale();
  const labels = useTexts().keys;
  return (
    <List
      caption={labels.title}
      rows={rows}
      empty={labels.empty}
      columns={[
        { heading: labels.name, cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
        { heading: labels.clientId, cell: ({ id }) => <code>{id}</code> },
        { heading: labels.scopes, cell: ({ scopes }) => scopes.join(", ") },
        { heading: labels.networks, cell: ({ networks }) => networks?.join(", ") ?? labels.any },
        { heading: labels.expires, cell: ({ expiresAt }) => date(expiresAt) },
      ]}
    />
  );
}

/** The fields of a new application. */
export function NewApplication(props: {
  typed: TypedApplication;
  idempotencyKey: string;
  problem: ApiProblem | null;
}) {
  const { typed, idempotencyKey, problem } = props;
  const labels = useTexts().keys;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm action={PATH} idempotencyKey={idempotencyKey} submit={labels.make}>
        <ApplicationFields typed={typed} problem={problem} />
      </ActionForm>
    </>
  );
}

/** What a person types about an application. */
export function ApplicationFields(props: { typed: TypedApplication; problem: ApiProblem | null }) {
  const { typed, problem } = props;
  const labels = useTexts().keys;
  const errors = (name: string) => problem?.errors?.[name];
  return (
    <>
      <Field label={labels.name} name="name" value={typed.name} errors={errors("name")} required />
      <CheckGroup legend={labels.scopes} name="scopes" errors={errors("scopes")}>
        {SCOPES.map((scope) => (
          <label class="check">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={typed.scopes.includes(scope)}
            />{" "}
            <code>{scope}</code>
          </label>
        ))}
      </CheckGroup>
      <Field
        label={labels.networks}
        name="networks"
        value={typed.networks}
        hint={labels.networksHint}
        errors={errors("networks")}
      />
      <Field
        label={labels.expires}
        name="expiresOn"
        type="date"
        value={typed.expiresOn}
        hint={labels.expiresHint}
        errors={errors("expiresAt")}
      />
      <fieldset>
        <legend>{labels.spendingLimits}</legend>
        <p class="hint">{labels.spendingLimitsHint}</p>
        <Field
          label={labels.dailyLimit}
          name="dailyLimit"
          value={typed.dailyLimit}
          inputmode="decimal"
          errors={errors("spendingLimits.dailyLimit")}
        />
        <Field
          label={labels.pixKeys}
          name="pixKeys"
          value={typed.pixKeys}
          errors={errors("spendingLimits.pixKeys")}
        />
        <Field
          label={labels.spendingLimitsUntil}
          name="spendingLimitsUntil"
          type="date"
          value={typed.spendingLimitsUntil}
        />
      </fieldset>
    </>
  );
}

/** An application with its keys. */
export function ApplicationPage(props: {
  application: Application;
  keys: Key[];
  idempotencyKey: string;
  problem: ApiProblem | null;
}) {
  const { date, money } = useLocale();
  const { application, keys, idempotencyKey, problem } = props;
  const labels = useTexts().keys;
  const { id, spendingLimits: limits } = application;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Facts
        of={[
          [labels.clientId, <code>{id}</code>],
          [labels.scopes, application.scopes.join(", ")],
          [labels.networks, application.networks?.join(", ") ?? labels.any],
          [labels.expires, date(application.expiresAt)],
          [labels.dailyLimit, limits?.dailyLimit == null ? null : money(limits.dailyLimit)],
          [labels.pixKeys, limits?.pixKeys?.join(", ") ?? null],
          [labels.spendingLimitsUntil, limits === null ? null : date(limits.until)],
        ]}
      />
      <Section title={labels.keys}>
        <KeyList clientId={id} rows={keys} />
      </Section>
      <Section title={labels.issueTitle}>
        <p>{labels.issueHint}</p>
        <ActionForm
          action={`${PATH}/${id}/issue`}
          idempotencyKey={idempotencyKey}
          submit={labels.issue}
        >
          <Field
            label={labels.overlap}
            name="overlapHours"
            value="24"
            inputmode="numeric"
            hint={labels.overlapHint}
            errors={problem?.errors?.["overlapHours"]}
          />
          <Field
            label={labels.expires}
            name="expiresOn"
            type="date"
            hint={labels.expiresHint}
            errors={problem?.errors?.["expiresAt"]}
          />
        </ActionForm>
      </Section>
      <p class="actions">
        <a class="button" href={`${PATH}/${id}/change`}>
          {labels.change}
        </a>
        <a class="button" href={`${PATH}/${id}/delete`}>
          {labels.delete}
        </a>
      </p>
    </>
  );
}

function KeyList({ clientId, rows }: { clientId: string; rows: Key[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().keys;
  return (
    <List
      caption={labels.keys}
      rows={rows}
      empty={labels.noKeys}
      columns={[
        { heading: labels.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
        { heading: labels.created, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: labels.lastUsed, cell: ({ lastUsedAt }) => dateTime(lastUsedAt) },
        { heading: labels.expires, cell: ({ expiresAt }) => dateTime(expiresAt) },
        {
          heading: labels.revoked,
          cell: ({ id, revokedAt }) =>
            revokedAt === null ? (
              <a href={`${PATH}/${clientId}/revoke/${id}`}>{labels.revoke}</a>
            ) : (
              <Badge tone="quiet">{dateTime(revokedAt)}</Badge>
            ),
        },
      ]}
    />
  );
}

/** The one page that shows a key. */
export function IssuedKey(props: {
  clientId: string;
  issued: Key & { key: string };
  others: Key[];
}) {
  const { dateTime } = useLocale();
  const { clientId, issued, others } = props;
  const labels = useTexts().keys;
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{labels.shownOnce}</strong>
        </p>
        <pre>{issued.key}</pre>
      </div>
      <ul>
        {others.map(({ prefix, expiresAt }) => (
          <li>{fill(labels.otherEnds, { prefix, at: dateTime(expiresAt) })}</li>
        ))}
      </ul>
      <p>
        <a class="button" href={`${PATH}/${clientId}`}>
          {labels.kept}
        </a>
      </p>
    </>
  );
}

/** Asks before a key or an application ends. */
export function ConfirmEnd(props: {
  action: string;
  question: string;
  submit: string;
  back: string;
}) {
  const texts = useTexts();
  const { action, question, submit, back } = props;
  return (
    <>
      <p>{question}</p>
      <ActionForm
        action={action}
        idempotencyKey={crypto.randomUUID()}
        submit={submit}
        isDangerous
      />
      <p>
        <a href={back}>{texts.keys.cancel}</a>
      </p>
    </>
  );
}
