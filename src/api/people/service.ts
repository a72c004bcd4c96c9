import { publicOrigin, type Env } from "../../config.ts";
import { addInvitation, listInvitations, revokeInvitation } from "../../db/people/invitations.ts";
import { changeMember, findMembers, type Member } from "../../db/people/members.ts";
import { maskEmail } from "../../domain/access/masks.ts";
import { INVITATION_MS, INVITATIONS_MAX, refusalOf } from "../../domain/access/people-rules.ts";
import { SCOPES_OF_PERSON_ROLE, type PersonRole } from "../../domain/access/person.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { audited } from "../../http/audit.ts";
import type { AppContext, Caller } from "../../http/context.ts";
import { forbidden, invalidState, notFound } from "../../http/problems.ts";
import { toBase64Url } from "../../lib/base64.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { partsBeyondCaller } from "../applications/service.ts";
import { sendInvitation } from "./send-invitation.ts";
import { invitationView, memberView } from "./views.ts";

const TOKEN_BYTES = 32;
const NOT_CHANGED =
  "The person is the last owner, or was changed meanwhile. A company keeps an owner: make another one first";

/** The people of the company, and its open invitations. */
export async function showPeople(env: Env, companyId: number, nowMs: number) {
  const [members, invitations] = await Promise.all([
    findMembers(env, companyId),
    listInvitations(env, companyId, nowMs),
  ]);
  return { items: members.map(memberView), invitations: invitations.map(invitationView) };
}

/** Invites a person, as the role of the one who asks allows. Throws 403, and 409 for a member or one too many. */
export async function invitePerson(c: AppContext, request: { email: string; role: PersonRole }) {
  const { company } = c.get("caller");
  const action = { companyId: company.id, request };
  return inviteAudited(c, action, () =>
    requireAllowed(c.env, c.get("caller"), { from: null, to: request.role }),
  );
}

/** Invites an owner for the operator, who knows the company's first. Throws 409. */
export async function inviteOwner(c: AppContext, companyId: number, email: string) {
  return inviteAudited(c, { companyId, request: { email, role: "owner" } }, async () => {});
}

async function inviteAudited(
  c: AppContext,
  { companyId, request }: { companyId: number; request: { email: string; role: PersonRole } },
  requireRights: () => Promise<void>,
) {
  const { clock, random } = c.get("deps");
  const { email, role } = request;
  const [id, token, now] = [newUuid(random), toBase64Url(random.bytes(TOKEN_BYTES)), clock.now()];
  const entry = {
    companyId,
    action: "invitation.create",
    target: `invitation:${id}`,
    after: { email: maskEmail(email), role },
  };
  return audited(c, entry, async () => {
    await requireRights();
    const members = await findMembers(c.env, companyId);
    if (members.some((member) => member.email === email)) {
      throw invalidState("The person is a member of the company. Change the role instead");
    }
    const invitation = {
      id,
      companyId,
      email,
      role,
      tokenHash: await sha256Hex(token),
      createdAt: now,
      expiresAt: now + INVITATION_MS,
    };
    if (!(await addInvitation(c.env, invitation))) {
      throw invalidState(`The company has ${INVITATIONS_MAX} open invitations. Revoke one first`);
    }
    const url = `${publicOrigin(c.env, c.req.url)}/console/invitation/${token}`;
    await sendInvitation(c, invitation, url);
    return { ...invitationView(invitation), url };
  });
}

/** Ends an invitation. Throws 403 for an owner's that an admin revokes, 404. */
export async function revokeOpenInvitation(c: AppContext, id: string) {
  const now = c.get("deps").clock.now();
  const caller = c.get("caller");
  const { id: companyId } = caller.company;
  const open = await listInvitations(c.env, companyId, now);
  const invitation = open.find((each) => each.id === id);
  if (invitation === undefined) throw notFound("open invitation");
  const { email, role } = invitation;
  const entry = {
    companyId,
    action: "invitation.revoke",
    target: `invitation:${id}`,
    before: { email: maskEmail(email), role },
  };
  return audited(c, entry, async () => {
    await requireAllowed(c.env, caller, { from: role, to: null });
    const revoked = await revokeInvitation(c.env, { companyId, id }, now);
    if (revoked === null) throw notFound("open invitation");
    return invitationView(revoked);
  });
}

/** Changes a person's role, from the next request on. Throws 403, 404, and 409 for the last owner. */
export async function changeRole(c: AppContext, userId: string, role: PersonRole) {
  const caller = c.get("caller");
  const { id: companyId } = caller.company;
  const member = await requireMember(c.env, companyId, userId);
  const entry = {
    companyId,
    action: "person.change",
    target: `person:${userId}`,
    before: { role: member.role },
    after: { role },
  };
  return audited(c, entry, async () => {
    await requireAllowed(c.env, caller, { from: member.role, to: role, userId });
    if (role === member.role) return memberView(member);
    const changed = await changeMember(
      c.env,
      { companyId, userId, from: member.role },
      { role },
      c.get("deps").clock.now(),
    );
    if (!changed) throw invalidState(NOT_CHANGED);
    return memberView({ ...member, role });
  });
}

/** Removes a person from the company, from the next request on. Throws 403, 404, and 409 for the last owner. */
export async function removeMember(c: AppContext, userId: string) {
  const caller = c.get("caller");
  const { id: companyId } = caller.company;
  const member = await requireMember(c.env, companyId, userId);
  const entry = {
    companyId,
    action: "person.remove",
    target: `person:${userId}`,
    before: { role: member.role },
  };
  return audited(c, entry, async () => {
    await requireAllowed(c.env, caller, { from: member.role, to: null, userId });
    const removedAt = c.get("deps").clock.now();
    const removed = await changeMember(
      c.env,
      { companyId, userId, from: member.role },
      { removedAt },
      removedAt,
    );
    if (!removed) throw invalidState(NOT_CHANGED);
    return memberView(member);
  });
}

async function requireMember(env: Env, companyId: number, userId: string): Promise<Member> {
  const [member] = await findMembers(env, companyId, userId);
  if (member === undefined) throw notFound("person in this company");
  return member;
}

/** Throws 403. What an application may give is what it has, as with other applications; a person has the role's. */
async function requireAllowed(
  env: Env,
  caller: Caller,
  { userId, ...roles }: { from: PersonRole | null; to: PersonRole | null; userId?: string },
): Promise<void> {
  const { person } = caller;
  const refusal = refusalOf({
    ...roles,
    by: person?.role ?? "admin",
    isSelf: person !== null && person.userId === userId,
  });
  if (refusal !== null) throw forbidden(refusal);
  if (person !== null || roles.to === null) return;
  const given = {
    scopes: SCOPES_OF_PERSON_ROLE[roles.to],
    networks: null,
    expiresAt: null,
    mandate: null,
  };
  const parts = await partsBeyondCaller(env, caller, given);
  if (parts.length === 0) return;
  throw forbidden(
    `An application gives no more than it has: ${parts.join(", ")} of the role ${roles.to}.`,
  );
}
