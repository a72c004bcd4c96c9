import type { listApplicationKeys } from "../../../../api/applications/keys/routes.ts";
import type { listApplications } from "../../../../api/applications/routes.ts";
import type { RouteBody } from "../../route-types.ts";
import type { ApiProblem } from "../../api.ts";
import { SCOPES } from "../../../../domain/shared/company.ts";
import { date, dateTime, money } from "../../format.ts";
import { fill, type Language, type Texts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, List, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { TypedApplication } from "./form.ts";

const PATH = "/console/keys";

export type Application = RouteBody<typeof listApplications>["items"][number];
export type Key = RouteBody<typeof listApplicationKeys>["items"][number];

/** How a page speaks. */
export interface Voice {
  texts: Texts;
  language: Language;
}

/** The company's applications. */
export function Applications({ texts, language, rows }: Voice & { rows: Application[] }) {
  const words = texts.keys;
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
        { heading: words.expires, cell: ({ expiresAt }) => date(expiresAt, language) },
      ]}
    />
  );
}

/** The fields of a new application. */
export function NewApplication(
  props: Voice & { typed: TypedApplication; idempotencyKey: string; problem: ApiProblem | null },
) {
  const { texts, typed, idempotencyKey, problem } = props;
  const words = texts.keys;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} texts={texts} />}
      <ActionForm action={PATH} idempotencyKey={idempotencyKey} submit={words.make}>
        <ApplicationFields typed={typed} problem={problem} texts={texts} />
      </ActionForm>
    </>
  );
}

/** What a person types about an application. */
export function ApplicationFields(props: {
  typed: TypedApplication;
  problem: ApiProblem | null;
  texts: Texts;
}) {
  const { typed, problem, texts } = props;
  const words = texts.keys;
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
        <legend>{words.mandate}</legend>
        <p class="hint">{words.mandateHint}</p>
        <Field
          label={words.dailyLimit}
          name="dailyLimit"
          value={typed.dailyLimit}
          inputmode="decimal"
          errors={errors("mandate.dailyLimit")}
        />
        <Field
          label={words.pixKeys}
          name="pixKeys"
          value={typed.pixKeys}
          errors={errors("mandate.pixKeys")}
        />
        <Field
          label={words.mandateUntil}
          name="mandateUntil"
          type="date"
          value={typed.mandateUntil}
        />
      </fieldset>
    </>
  );
}

/** An application with its keys. */
export function ApplicationPage(
  props: Voice & {
    application: Application;
    keys: Key[];
    idempotencyKey: string;
    problem: ApiProblem | null;
  },
) {
  const { texts, language, application, keys, idempotencyKey, problem } = props;
  const words = texts.keys;
  const { id, mandate } = application;
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} texts={texts} />}
      <Facts
        of={[
          [words.clientId, <code>{id}</code>],
          [words.scopes, application.scopes.join(", ")],
          [words.networks, application.networks?.join(", ") ?? words.any],
          [words.expires, date(application.expiresAt, language)],
          [
            words.dailyLimit,
            mandate?.dailyLimit === null || mandate === null
              ? null
              : money(mandate.dailyLimit, language),
          ],
          [words.pixKeys, mandate?.pixKeys?.join(", ") ?? null],
          [words.mandateUntil, mandate === null ? null : date(mandate.until, language)],
        ]}
      />
      <Section title={words.keys}>
        <KeyList texts={texts} language={language} clientId={id} rows={keys} />
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

function KeyList({ texts, language, clientId, rows }: Voice & { clientId: string; rows: Key[] }) {
  const words = texts.keys;
  return (
    <List
      caption={words.keys}
      rows={rows}
      empty={words.noKeys}
      columns={[
        { heading: words.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
        { heading: words.created, cell: ({ createdAt }) => dateTime(createdAt, language) },
        { heading: words.lastUsed, cell: ({ lastUsedAt }) => dateTime(lastUsedAt, language) },
        { heading: words.expires, cell: ({ expiresAt }) => dateTime(expiresAt, language) },
        {
          heading: words.revoked,
          cell: ({ id, revokedAt }) =>
            revokedAt === null ? (
              <a href={`${PATH}/${clientId}/revoke/${id}`}>{words.revoke}</a>
            ) : (
              <Badge tone="quiet">{dateTime(revokedAt, language)}</Badge>
            ),
        },
      ]}
    />
  );
}

/** The one page that shows a key. */
export function IssuedKey(
  props: Voice & { clientId: string; issued: Key & { key: string }; others: Key[] },
) {
  const { texts, language, clientId, issued, others } = props;
  const words = texts.keys;
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
          <li>{fill(words.otherEnds, { prefix, at: dateTime(expiresAt, language) })}</li>
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
export function ConfirmEnd(
  props: Voice & { action: string; question: string; submit: string; back: string },
) {
  const { texts, action, question, submit, back } = props;
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
