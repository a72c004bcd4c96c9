import type {
  listOperatorKeys,
  listOperators,
  createOperatorSignInLink,
} from "../../../../../api/operator/people/routes.ts";
import { OPERATOR_ROLES } from "../../../../../domain/operators/operator.ts";
import type { ConsoleContext } from "../../../context.ts";
import type { RouteBody, RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { fill, localeOf, textsOf, useLocale, useTexts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import {
  Badge,
  Choice,
  DoneNotice,
  Facts,
  Field,
  List,
  NextPage,
  ProblemNotice,
  Section,
} from "../../../ui/parts.tsx";
import { pageStatus } from "../../answers.tsx";

const ACTIVE = "/console/operator/people";

type OperatorRow = RouteBody<typeof listOperators>["items"][number];
type OperatorKey = RouteBody<typeof listOperatorKeys>["items"][number];
/** A set-up link, shown this once. */
export type MadeLink = RouteBody<typeof createOperatorSignInLink>["data"];

/** All operators, and what each role may do. */
export function listPage(
  c: ConsoleContext,
  { items, after }: { items: OperatorRow[]; after: string | null },
) {
  const texts = textsOf(c);
  const labels = texts.operatorPeople;
  const { date } = localeOf(c);
  const actions = (
    <a class="button primary" href={`${ACTIVE}/new`}>
      {labels.add}
    </a>
  );
  return page(
    c,
    { title: labels.title, active: ACTIVE, actions },
    <>
      <Done c={c} />
      <List
        caption={labels.title}
        rows={items}
        empty={labels.empty}
        columns={[
          { heading: labels.name, cell: (row) => <Name c={c} row={row} /> },
          { heading: labels.role, cell: ({ role }) => texts.operatorRoles[role] },
          { heading: labels.email, cell: (row) => <Email row={row} /> },
          { heading: labels.since, cell: ({ createdAt }) => date(createdAt) },
        ]}
      />
      <NextPage url={c.req.url} list={{ after }} />
      <Section title={labels.roles}>
        <Facts
          of={OPERATOR_ROLES.map((role) => [texts.operatorRoles[role], labels.roleMay[role]])}
        />
      </Section>
    </>,
  );
}

function Name({ c, row }: { c: ConsoleContext; row: OperatorRow }) {
  const labels = useTexts().operatorPeople;
  return (
    <>
      <a href={`${ACTIVE}/${row.id}`}>{row.name}</a>{" "}
      {row.id === c.get("operator")?.clientId ? (
        <Badge tone="quiet" icon="account">
          {labels.you}
        </Badge>
      ) : null}
    </>
  );
}

function Email({ row }: { row: OperatorRow }) {
  const labels = useTexts().operatorPeople;
  return row.email === null ? <Badge tone="open">{labels.keysOnly}</Badge> : <>{row.email}</>;
}

/** The form of a new operator; what was typed stays when the API refuses it. */
export function addPage(
  c: ConsoleContext,
  typed: { name: string; role: string },
  refusal: RouteRefusal | null = null,
) {
  const texts = textsOf(c);
  const labels = texts.operatorPeople;
  return page(
    c,
    {
      title: labels.add,
      active: ACTIVE,
      ...(refusal === null ? {} : { status: pageStatus(refusal) }),
    },
    <>
      <Refusal refusal={refusal} />
      <p>{labels.addHint}</p>
      <form method="post" action={ACTIVE} data-once="">
        <NameAndRole values={typed} errors={refusal?.body.errors} />
        <button type="submit" class="primary">
          {labels.addSubmit}
        </button>
      </form>
      <p>
        <a href={ACTIVE}>{labels.back}</a>
      </p>
    </>,
  );
}

/** The one page that shows a set-up link. */
export function linkPage(c: ConsoleContext, { clientId, name, role, expiresAt, url }: MadeLink) {
  const { dateTime } = localeOf(c);
  const texts = textsOf(c);
  const labels = texts.operatorPeople;
  const until = dateTime(expiresAt);
  return page(
    c,
    { title: labels.linkTitle, active: ACTIVE },
    <>
      <DoneNotice>
        <p>
          <strong>{fill(labels.linkMade, { name, role: texts.operatorRoles[role], until })}</strong>
        </p>
        <p>
          <code>{url}</code>
        </p>
        <button type="button" data-copy={url} data-copied={texts.shell.copied}>
          {texts.shell.copy}
        </button>
      </DoneNotice>
      <p>
        <a class="button" href={`${ACTIVE}/${clientId}`}>
          {labels.linkKept}
        </a>
      </p>
    </>,
  );
}

/** One operator: name and role, the way to the console, keys, removal. */
export function personPage(
  c: ConsoleContext,
  options: {
    person: OperatorRow;
    keys: OperatorKey[];
    refusal: RouteRefusal | null;
  },
) {
  const { person, keys, refusal } = options;
  const texts = textsOf(c);
  const labels = texts.operatorPeople;
  const { date } = localeOf(c);
  const path = `${ACTIVE}/${person.id}`;
  return page(
    c,
    {
      title: person.name,
      active: ACTIVE,
      ...(refusal === null ? {} : { status: pageStatus(refusal) }),
    },
    <>
      <Refusal refusal={refusal} />
      <Done c={c} />
      <Facts
        of={[
          [labels.clientId, <code>{person.id}</code>],
          [labels.email, <Email row={person} />],
          [labels.since, date(person.createdAt)],
        ]}
      />
      <Section title={labels.nameAndRole}>
        <form method="post" action={`${path}/change`} data-once="">
          <NameAndRole values={person} errors={refusal?.body.errors} />
          <button type="submit" class="primary">
            {labels.change}
          </button>
        </form>
      </Section>
      <Section title={labels.linkSection}>
        <p>{person.email === null ? labels.linkWhat : labels.linkReplaces}</p>
        <form method="post" action={`${path}/link`} data-once="">
          <button type="submit">{labels.makeLink}</button>
        </form>
      </Section>
      <Section title={labels.keys}>
        <Keys path={path} keys={keys} />
      </Section>
      <Section title={labels.remove}>
        <details>
          <summary>{labels.remove}</summary>
          <form method="post" action={`${path}/remove`} data-once="">
            <p>{fill(labels.removeWhat, { name: person.name })}</p>
            <button type="submit" class="danger">
              {fill(labels.removeOf, { name: person.name })}
            </button>
          </form>
        </details>
      </Section>
    </>,
  );
}

function NameAndRole(props: {
  values: { name: string; role: string };
  errors: RouteRefusal["body"]["errors"];
}) {
  const texts = useTexts();
  const { values, errors } = props;
  return (
    <>
      <Field
        label={texts.operatorPeople.name}
        name="name"
        value={values.name}
        errors={errors?.["name"]}
        required
      />
      <Choice
        label={texts.operatorPeople.role}
        name="role"
        value={values.role}
        options={OPERATOR_ROLES.map((role) => [role, texts.operatorRoles[role]])}
        errors={errors?.["role"]}
      />
    </>
  );
}

function Keys({ path, keys }: { path: string; keys: OperatorKey[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorPeople;
  return (
    <List
      caption={labels.keys}
      rows={keys}
      empty={labels.noKeys}
      columns={[
        { heading: labels.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
        { heading: labels.created, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: labels.lastUsed, cell: ({ lastUsedAt }) => dateTime(lastUsedAt) },
        { heading: labels.expires, cell: ({ expiresAt }) => dateTime(expiresAt) },
        {
          heading: labels.revoked,
          cell: ({ id, prefix, revokedAt }) =>
            revokedAt === null ? (
              <form method="post" action={`${path}/keys/${id}/revoke`} data-once="">
                <button type="submit" aria-label={fill(labels.revokeOf, { prefix })}>
                  {labels.revoke}
                </button>
              </form>
            ) : (
              <Badge tone="quiet">{dateTime(revokedAt)}</Badge>
            ),
        },
      ]}
    />
  );
}

function Refusal(props: { refusal: RouteRefusal | null }) {
  const { refusal } = props;
  return refusal === null ? null : <ProblemNotice problem={refusal.body} />;
}

function Done({ c }: { c: ConsoleContext }) {
  const labels = useTexts().operatorPeople;
  const done = c.req.query("done");
  if (done === undefined || !Object.hasOwn(labels.done, done)) return null;
  return <DoneNotice>{labels.done[done as keyof typeof labels.done]}</DoneNotice>;
}
