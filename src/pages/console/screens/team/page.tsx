import type { listPeople } from "../../../../api/people/routes.ts";
import { listCashierDevices } from "../../../../db/people/cashier-devices.ts";
import { listPinHolders } from "../../../../db/people/cashier-pins.ts";
import { refusalOf } from "../../../../domain/access/people-rules.ts";
import { ROLES_WITH_SECOND_FACTOR, type Person } from "../../../../domain/access/person.ts";
import { PERSON_ROLES, type PersonRole } from "../../../../domain/access/person-role.ts";
import type { ApiProblem } from "../../api.ts";
import type { Child } from "hono/jsx";
import type { ConsoleContext } from "../../context.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, localeOf, type Texts, textsOf, useLocale, useTexts } from "../../texts.ts";
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
import { Devices } from "./devices.tsx";
import { mayResetPassword } from "./may-reset-password.ts";
import { roleSentence } from "./role-sentence.ts";

type People = RouteBody<typeof listPeople>;

interface TeamPage {
  people: People;
  /** What has just been done; a word of the texts. */
  done?: string | undefined;
  /** The link of a new invitation, shown this once. */
  link?: { url: string; email: string };
  /** The link by which a member sets a new password, shown this once. */
  passwordLink?: { url: string; name: string };
  problem?: ApiProblem;
  /** Whether a link was refused because the member opens more than this company. */
  isElsewhere?: boolean;
  /** What was typed in a form that was refused. */
  typed?: { email: string; role: PersonRole };
  status?: 200 | 400 | 403 | 404 | 409 | 422 | 429;
}

interface Shown {
  person: Person;
}

/** As the members' own, with who has a PIN. */
interface ShownMembers extends Shown {
  people: People["items"];
  pinHolders: ReadonlySet<string>;
}

/** Members, open invitations, the form that invites, and what each role may do. */
export async function teamPage(c: ConsoleContext, options: TeamPage) {
  const {
    people,
    done,
    link,
    passwordLink,
    isElsewhere = false,
    problem,
    typed,
    status = 200,
  } = options;
  const texts = textsOf(c);
  const person = c.get("person");
  const { env } = c.env.outer;
  const [holders, devices] = await Promise.all([
    listPinHolders(env, person.companyId),
    listCashierDevices(env, person.companyId, c.env.outer.get("deps").platformClock.now()),
  ]);
  const pinHolders = new Set(holders.map(({ userId }) => userId));
  return page(
    c,
    { title: texts.team.title, active: "/console/team", status },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {isElsewhere ? (
        <div class="notice bad" role="alert">
          <p>{texts.team.elsewhere}</p>
        </div>
      ) : null}
      {isDone(done, texts) ? <DoneNotice>{texts.team.done[done]}</DoneNotice> : null}
      {link === undefined ? null : (
        <NewLink url={link.url}>{fill(texts.team.linkMade, { email: link.email })}</NewLink>
      )}
      {passwordLink === undefined ? null : (
        <NewLink url={passwordLink.url}>
          {fill(texts.team.passwordLinkMade, { name: passwordLink.name })}
        </NewLink>
      )}
      <Members people={people.items} person={person} pinHolders={pinHolders} />
      <InviteForm typed={typed} errors={problem?.errors} person={person} />
      <Invitations invitations={people.invitations} person={person} />
      <Devices devices={devices} isUnnamed={c.req.query("device") === "unnamed"} />
      <Section title={texts.team.roles}>
        <Facts
          of={PERSON_ROLES.map((role) => [
            texts.roles[role],
            roleSentence(role, texts.team, localeOf(c)),
          ])}
        />
      </Section>
    </>,
  );
}

function isDone(done: string | undefined, texts: Texts): done is keyof Texts["team"]["done"] {
  return done !== undefined && Object.hasOwn(texts.team.done, done);
}

function NewLink({ url, children }: { url: string; children?: Child }) {
  const texts = useTexts();
  return (
    <DoneNotice>
      <p>{children}</p>
      <p>
        <code>{url}</code>
      </p>
      <button type="button" data-copy={url} data-copied={texts.shell.copied}>
        {texts.shell.copy}
      </button>
    </DoneNotice>
  );
}

function Members(props: ShownMembers) {
  const { date } = useLocale();
  const { people, person, pinHolders } = props;
  const { team } = useTexts();
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
              <div>
                {name}{" "}
                {id === person.userId ? (
                  <Badge tone="quiet" icon="account">
                    {team.you}
                  </Badge>
                ) : null}
                <br />
                <span class="hint">{email}</span>
              </div>
            ),
          },
          { heading: team.role, cell: (member) => <RoleForm member={member} {...props} /> },
          { heading: team.since, cell: ({ createdAt }) => date(createdAt) },
          {
            heading: team.secondFactor,
            cell: ({ hasSecondFactor, role }) =>
              hasSecondFactor ? (
                <Badge tone="good">{team.on}</Badge>
              ) : ROLES_WITH_SECOND_FACTOR.has(role) ? (
                <Badge tone="open">{team.off}</Badge>
              ) : (
                team.notAsked
              ),
          },
          {
            heading: team.action,
            cell: (member) => (
              <div>
                <PasswordLinkForm member={member} {...props} />
                {pinHolders.has(member.id) ? <RemovePinForm member={member} /> : null}
                <RemoveForm member={member} {...props} />
              </div>
            ),
          },
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

function RoleForm({ member, person }: Shown & { member: People["items"][number] }) {
  const texts = useTexts();
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

function PasswordLinkForm({ member, person }: Shown & { member: People["items"][number] }) {
  const { team } = useTexts();
  if (!mayResetPassword(person, member)) return null;
  return (
    <form method="post" action={`/console/team/people/${member.id}/password-link`} data-once="">
      <button type="submit" aria-label={fill(team.passwordLinkOf, { name: member.name })}>
        {team.passwordLink}
      </button>
    </form>
  );
}

function RemovePinForm({ member }: { member: People["items"][number] }) {
  const { team } = useTexts();
  return (
    <form method="post" action={`/console/team/people/${member.id}/pin/remove`} data-once="">
      <button type="submit" aria-label={fill(team.removePinOf, { name: member.name })}>
        {team.removePin}
      </button>
    </form>
  );
}

function RemoveForm({ member, person }: Shown & { member: People["items"][number] }) {
  const texts = useTexts();
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

function InviteForm(props: Shown & { typed: TeamPage["typed"]; errors: ApiProblem["errors"] }) {
  const texts = useTexts();
  const { typed, errors, person } = props;
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
          errors={errors?.["email"]}
          required
        />
        <Choice
          label={texts.team.role}
          name="role"
          value={typed?.role ?? "viewer"}
          options={roles.map((role) => [role, texts.roles[role]])}
          errors={errors?.["role"]}
        />
        <button type="submit" class="primary">
          {texts.team.makeLink}
        </button>
      </form>
    </Section>
  );
}

function Invitations({ invitations, person }: Shown & { invitations: People["invitations"] }) {
  const { dateTime } = useLocale();
  const texts = useTexts();
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
          { heading: team.until, cell: ({ expiresAt }) => dateTime(expiresAt) },
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
