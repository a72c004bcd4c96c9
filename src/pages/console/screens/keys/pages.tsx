import type { listApplicationKeys } from "../../../../api/applications/keys/routes.ts";
import type { listApplications } from "../../../../api/applications/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import type { ApiProblem } from "../../api.ts";
import { SCOPES } from "../../../../domain/shared/company.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { TypedApplication } from "./form.ts";

const PATH = "/console/keys";

export type Application = RouteBody<typeof listApplications>["items"][number];
export type Key = RouteBody<typeof listApplicationKeys>["items"][number];

/** The company's applications. */
export function Applications({ rows }: { rows: Application[] }) {
  const { date } = useLocale();
  const words = useTexts().keys;
  return (
    <List
      caption={words.title}
      rows={rows}
      empty={words.empty}
      columns={[
        { heading: words.name, cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
        { heading: words.clientId, cell: ({ id }) => <code>{id}</code> },
        { heading: words.scopes, cell: ({ scopes }) => scopes.join(", ") },
        { heading: words.networks, cell: ({ networks }) => networks?.join(", ") ?? words.any },
        { heading: words.expires, cell: ({ expiresAt }) => date(expiresAt) },
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
  const words = useTexts().keys;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm action={PATH} idempotencyKey={idempotencyKey} submit={words.make}>
        <ApplicationFields typed={typed} problem={problem} />
      </ActionForm>
    </>
  );
}

/** What a person types about an application. */
export function ApplicationFields(props: { typed: TypedApplication; problem: ApiProblem | null }) {
  const { typed, problem } = props;
  const words = useTexts().keys;
  const errors = (name: string) => problem?.errors?.[name];
  return (
    <>
      <Field label={words.name} name="name" value={typed.name} errors={errors("name")} required />
      <fieldset>
        <legend>{words.scopes}</legend>
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
        {errors("scopes") === undefined ? null : <p class="error">{errors("scopes")}</p>}
      </fieldset>
      <Field
        label={words.networks}
        name="networks"
        value={typed.networks}
        hint={words.networksHint}
        errors={errors("networks")}
      />
      <Field
        label={words.expires}
        name="expiresOn"
        type="date"
        value={typed.expiresOn}
        hint={words.expiresHint}
        errors={errors("expiresAt")}
      />
      <fieldset>
        <legend>{words.spendingLimits}</legend>
        <p class="hint">{words.spendingLimitsHint}</p>
        <Field
          label={words.dailyLimit}
          name="dailyLimit"
          value={typed.dailyLimit}
          inputmode="decimal"
          errors={errors("spendingLimits.dailyLimit")}
        />
        <Field
          label={words.pixKeys}
          name="pixKeys"
          value={typed.pixKeys}
          errors={errors("spendingLimits.pixKeys")}
        />
        <Field
          label={words.spendingLimitsUntil}
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
  const words = useTexts().keys;
  const { id, spendingLimits: limits } = application;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Facts
        of={[
          [words.clientId, <code>{id}</code>],
          [words.scopes, application.scopes.join(", ")],
          [words.networks, application.networks?.join(", ") ?? words.any],
          [words.expires, date(application.expiresAt)],
          [words.dailyLimit, limits?.dailyLimit == null ? null : money(limits.dailyLimit)],
          [words.pixKeys, limits?.pixKeys?.join(", ") ?? null],
          [words.spendingLimitsUntil, limits === null ? null : date(limits.until)],
        ]}
      />
      <Section title={words.keys}>
        <KeyList clientId={id} rows={keys} />
      </Section>
      <Section title={words.issueTitle}>
        <p>{words.issueHint}</p>
        <ActionForm
          action={`${PATH}/${id}/issue`}
          idempotencyKey={idempotencyKey}
          submit={words.issue}
        >
          <Field
            label={words.overlap}
            name="overlapHours"
            value="24"
            inputmode="numeric"
            hint={words.overlapHint}
            errors={problem?.errors?.["overlapHours"]}
          />
          <Field
            label={words.expires}
            name="expiresOn"
            type="date"
            hint={words.expiresHint}
            errors={problem?.errors?.["expiresAt"]}
          />
        </ActionForm>
      </Section>
      <p class="actions">
        <a class="button" href={`${PATH}/${id}/change`}>
          {words.change}
        </a>
        <a class="button" href={`${PATH}/${id}/delete`}>
          {words.delete}
        </a>
      </p>
    </>
  );
}

function KeyList({ clientId, rows }: { clientId: string; rows: Key[] }) {
  const { dateTime } = useLocale();
  const words = useTexts().keys;
  return (
    <List
      caption={words.keys}
      rows={rows}
      empty={words.noKeys}
      columns={[
        { heading: words.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
        { heading: words.created, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: words.lastUsed, cell: ({ lastUsedAt }) => dateTime(lastUsedAt) },
        { heading: words.expires, cell: ({ expiresAt }) => dateTime(expiresAt) },
        {
          heading: words.revoked,
          cell: ({ id, revokedAt }) =>
            revokedAt === null ? (
              <a href={`${PATH}/${clientId}/revoke/${id}`}>{words.revoke}</a>
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
  const words = useTexts().keys;
  return (
    <>
      <div class="notice good" role="status">
        <p>
          <strong>{words.shownOnce}</strong>
        </p>
        <pre>{issued.key}</pre>
      </div>
      <ul>
        {others.map(({ prefix, expiresAt }) => (
          <li>{fill(words.otherEnds, { prefix, at: dateTime(expiresAt) })}</li>
        ))}
      </ul>
      <p>
        <a class="button" href={`${PATH}/${clientId}`}>
          {words.kept}
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
