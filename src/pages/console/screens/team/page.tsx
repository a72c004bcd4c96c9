import type { listPeople } from "../../../../api/people/routes.ts";
import { refusalOf } from "../../../../domain/access/people-rules.ts";
import { PERSON_ROLES, type Person, type PersonRole } from "../../../../domain/access/person.ts";
import type { ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { date, dateTime } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, languageOf, textsOf, type Language, type Texts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import {
  Badge,
  Choice,
  DoneNotice,
  Facts,
  Field,
  List,
  ProblemNotice,
  Section,
} from "../../ui/parts.tsx";
import { roleSentence } from "./role-sentence.ts";

type People = RouteBody<typeof listPeople>;

interface TeamPage {
  people: People;
  /** What has just been done; a word of the texts. */
  done?: string | undefined;
  /** The link of a new invitation, shown this once. */
  link?: { url: string; email: string };
  problem?: ApiProblem;
  /** What was typed in a form that was refused. */
  typed?: { email: string; role: PersonRole };
  status?: 200 | 400 | 403 | 404 | 409 | 422 | 429;
}

interface Shown {
  texts: Texts;
  language: Language;
  person: Person;
}

/** Members, open invitations, the form that invites, and what each role may do. */
export function teamPage(c: ConsoleContext, options: TeamPage) {
  const { people, done, link, problem, typed, status = 200 } = options;
  const texts = textsOf(c);
  const shown = { texts, language: languageOf(c), person: c.get("person") };
  return page(
    c,
    { title: texts.team.title, active: "/console/team", status },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} texts={texts} />}
      {isDone(done, texts) ? <DoneNotice>{texts.team.done[done]}</DoneNotice> : null}
      {link === undefined ? null : <NewLink {...link} texts={texts} />}
      <Members people={people.items} {...shown} />
      <InviteForm typed={typed} errors={problem?.errors?.["email"]} {...shown} />
      <Invitations invitations={people.invitations} {...shown} />
      <Section title={texts.team.roles}>
        <Facts
          of={PERSON_ROLES.map((role) => [
            texts.roles[role],
            roleSentence(role, texts.team, shown.language),
          ])}
        />
      </Section>
    </>,
  );
}

function isDone(done: string | undefined, texts: Texts): done is keyof Texts["team"]["done"] {
  return done !== undefined && Object.hasOwn(texts.team.done, done);
}

function NewLink(props: { url: string; email: string; texts: Texts }) {
  const { url, email, texts } = props;
  return (
    <DoneNotice>
      <p>{fill(texts.team.linkMade, { email })}</p>
      <p>
        <code>{url}</code>
      </p>
      <button type="button" data-copy={url} data-copied={texts.shell.copied}>
        {texts.shell.copy}
      </button>
    </DoneNotice>
  );
}

function Members(props: Shown & { people: People["items"] }) {
  const { people, texts, language, person } = props;
  const { team } = texts;
  return (
    <Section title={team.members}>
      <List
        caption={team.members}
        rows={people}
        empty={team.noMembers}
        columns={[
          {
            heading: team.name,
            cell: ({ id, name, email }) => (
              <>
                {name} {id === person.userId ? <Badge tone="quiet">{team.you}</Badge> : null}
                <br />
                <span class="hint">{email}</span>
              </>
            ),
          },
          { heading: team.role, cell: (member) => <RoleForm member={member} {...props} /> },
          { heading: team.since, cell: ({ createdAt }) => date(createdAt, language) },
          {
            heading: team.secondFactor,
            cell: ({ hasSecondFactor }) => (
              <Badge tone={hasSecondFactor ? "good" : "open"}>
                {hasSecondFactor ? team.on : team.off}
              </Badge>
            ),
          },
          { heading: team.action, cell: (member) => <RemoveForm member={member} {...props} /> },
        ]}
      />
    </Section>
  );
}

/** The roles that the person may give to a member, the member's own among them. */
function rolesFor(person: Person, from: PersonRole | null, isSelf: boolean): PersonRole[] {
  return PERSON_ROLES.filter(
    (to) => to === from || refusalOf({ by: person.role, from, to, isSelf }) === null,
  );
}

function RoleForm(props: Shown & { member: People["items"][number] }) {
  const { member, person, texts } = props;
  const roles = rolesFor(person, member.role, member.id === person.userId);
  if (roles.length < 2) return <>{texts.roles[member.role]}</>;
  const name = `role-${member.id}`;
  return (
    <form method="post" action={`/console/team/people/${member.id}/role`} data-once="">
      <label class="hidden" for={name}>
        {fill(texts.team.roleOf, { name: member.name })}
      </label>
      <select id={name} name="role">
        {roles.map((role) => (
          <option value={role} selected={role === member.role}>
            {texts.roles[role]}
          </option>
        ))}
      </select>{" "}
      <button type="submit" aria-label={fill(texts.team.changeOf, { name: member.name })}>
        {texts.team.change}
      </button>
    </form>
  );
}

function RemoveForm(props: Shown & { member: People["items"][number] }) {
  const { member, person, texts } = props;
  const isSelf = member.id === person.userId;
  if (refusalOf({ by: person.role, from: member.role, to: null, isSelf }) !== null) return null;
  return (
    <details>
      <summary>{texts.team.remove}</summary>
      <form method="post" action={`/console/team/people/${member.id}/remove`} data-once="">
        <p>{fill(texts.team.removeWhat, { name: member.name })}</p>
        <button type="submit" class="danger">
          {fill(texts.team.removeOf, { name: member.name })}
        </button>
      </form>
    </details>
  );
}

function InviteForm(props: Shown & { typed: TeamPage["typed"]; errors: string[] | undefined }) {
  const { typed, errors, texts, person } = props;
  const roles = rolesFor(person, null, false);
  return (
    <Section title={texts.team.invite}>
      <form method="post" action="/console/team/invitations" data-once="">
        <input type="hidden" name="idempotencyKey" value={crypto.randomUUID()} />
        <Field
          label={texts.team.email}
          name="email"
          type="email"
          inputmode="email"
          value={typed?.email ?? ""}
          hint={texts.team.inviteHint}
          errors={errors}
          required
        />
        <Choice
          label={texts.team.role}
          name="role"
          value={typed?.role ?? "viewer"}
          options={roles.map((role) => [role, texts.roles[role]])}
        />
        <button type="submit" class="primary">
          {texts.team.makeLink}
        </button>
      </form>
    </Section>
  );
}

function Invitations(props: Shown & { invitations: People["invitations"] }) {
  const { invitations, texts, language, person } = props;
  const { team } = texts;
  return (
    <Section title={team.invitations}>
      <List
        caption={team.invitations}
        rows={invitations}
        empty={team.noInvitations}
        columns={[
          { heading: team.email, cell: ({ email }) => email },
          { heading: team.role, cell: ({ role }) => texts.roles[role] },
          { heading: team.until, cell: ({ expiresAt }) => dateTime(expiresAt, language) },
          {
            heading: team.action,
            cell: ({ id, email, role }) =>
              refusalOf({ by: person.role, from: role, to: null, isSelf: false }) === null ? (
                <form method="post" action={`/console/team/invitations/${id}/revoke`} data-once="">
                  <button type="submit" aria-label={fill(team.revokeOf, { email })}>
                    {team.revoke}
                  </button>
                </form>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}
