import { configOf, publicOrigin, type Env } from "../../config.ts";
import {
  addInvitation,
  findInvitationById,
  listInvitations,
  revokeInvitation,
} from "../../db/people/invitations.ts";
import { changeMember, findMembers, type Member } from "../../db/people/members.ts";
import { maskEmail } from "../../domain/access/masks.ts";
import {
  givesBeyondLimit,
  INVITATION_MS,
  INVITATIONS_MAX,
  refusalOf,
} from "../../domain/access/people-rules.ts";
import { personClientId, SCOPES_OF_PERSON_ROLE } from "../../domain/access/person.ts";
import type { PersonRole } from "../../domain/access/person-role.ts";
import { chainFrom } from "../../domain/access/standing.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { audited } from "../../http/audit.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { forbidden, invalidState, notFound } from "../../http/problems.ts";
import { keyReused } from "../../http/idempotency.ts";
import { assert } from "../../lib/assert.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { randomToken, tokensOfKey, tokenWithHash } from "./invitation-link.ts";
import { partsBeyondCaller } from "../applications/service.ts";
import { sendInvitation } from "./send-invitation.ts";
import { invitationView, memberView } from "./views.ts";

/** Hexadecimal digits of an id that follows from an `Idempotency-Key`: 128 bits. */
const ID_DIGITS = 32;
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

/** Whom an invitation admits. */
interface InvitationRequest {
  email: string;
  role: PersonRole;
}

/** An invitation that is to be made: under an `Idempotency-Key` both follow from it. */
interface InvitationDraft {
  id: string;
  token: string;
}

/**
 * Invites a person, as the role of the one who asks allows. Throws 403, and 409 for a member or one too many.
 * `idempotencyKey`: null for none.
 */
export async function invitePerson(
  c: AppContext,
  request: InvitationRequest,
  idempotencyKey: string | null,
) {
  const { application, company } = c.get("caller");
  const draft = await draftInvitation(c, company.id, idempotencyKey);
  const givenBy = chainFrom(application, "");
  return inviteAudited(c, { companyId: company.id, request, draft, givenBy }, () =>
    requireAllowed(c, { from: null, to: request.role }),
  );
}

/**
 * The invitation that an earlier, equal request made under the `Idempotency-Key`, with its link; null if there was
 * none. Throws 403 as the first request would, and 409 for another request, or if the link cannot be shown again
 * because `SECRETS_KEY` has changed.
 */
export async function findReplayedInvitation(
  c: AppContext,
  { email, role }: InvitationRequest,
  idempotencyKey: string | null,
) {
  if (idempotencyKey === null) return null;
  const { clientId, company } = c.get("caller");
  const id = await invitationIdOf(company.id, idempotencyKey);
  const made = await findInvitationById(c.env, { companyId: company.id, id });
  if (made === null) return null;
  await requireAllowed(c, { from: null, to: role });
  // The link is shown to the one who made it: who joins by it has the rights of that one's giving. One from before these
  // were stored is shown to nobody.
  if (made.givenBy?.[0] !== clientId) throw keyReused();
  const tokens = await tokensOfKey(configOf(c.env).secretsKeys, id);
  const token = await tokenWithHash(tokens, made.tokenHash);
  if (made.email !== email || made.role !== role || token === null) throw keyReused();
  return { ...invitationView(made), url: linkOf(c, token) };
}

async function draftInvitation(
  c: AppContext,
  companyId: number,
  idempotencyKey: string | null,
): Promise<InvitationDraft> {
  const { random } = c.get("deps");
  if (idempotencyKey === null) return { id: newUuid(random), token: randomToken(random) };
  const id = await invitationIdOf(companyId, idempotencyKey);
  const [token] = await tokensOfKey(configOf(c.env).secretsKeys, id);
  assert(token !== undefined, "SECRETS_KEY has a key");
  return { id, token };
}

async function invitationIdOf(companyId: number, idempotencyKey: string): Promise<string> {
  return (await sha256Hex(`invitation:${companyId}:${idempotencyKey}`)).slice(0, ID_DIGITS);
}

function linkOf(c: AppContext, token: string): string {
  return `${publicOrigin(c.env, c.req.url)}/console/invitation/${token}`;
}

/** Invites an owner for the operator, who knows the company's first. Throws 409. */
export async function inviteOwner(
  c: AppContext,
  companyId: number,
  email: string,
  givenBy: string[],
) {
  const draft = await draftInvitation(c, companyId, null);
  const invitation = {
    companyId,
    request: { email, role: "owner" as const },
    draft,
    givenBy,
  };
  return inviteAudited(c, invitation, async () => {});
}

async function inviteAudited(
  c: AppContext,
  action: {
    companyId: number;
    request: InvitationRequest;
    draft: InvitationDraft;
    /** Who invites, with the chain of their rights; an operator by himself. */
    givenBy: string[];
  },
  requireRights: () => Promise<void>,
) {
  const { companyId, request, draft, givenBy } = action;
  const { email, role } = request;
  const { id, token } = draft;
  const now = c.get("deps").platformClock.now();
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
      throw invalidState(
        "The person is a member of the company. Change the role instead",
        "member_already",
      );
    }
    const invitation = {
      id,
      companyId,
      email,
      role,
      tokenHash: await sha256Hex(token),
      createdAt: now,
      expiresAt: now + INVITATION_MS,
      givenBy,
    };
    if (!(await addInvitation(c.env, invitation))) {
      throw invalidState(
        `The company has ${INVITATIONS_MAX} open invitations. Revoke one first`,
        "too_many",
      );
    }
    const url = linkOf(c, token);
    await sendInvitation(c, invitation, url);
    return { ...invitationView(invitation), url };
  });
}

/** Ends an invitation. Throws 403 for an owner's that an admin revokes, 404. */
export async function revokeOpenInvitation(c: AppContext, id: string) {
  const now = c.get("deps").platformClock.now();
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
    await requireAllowed(c, { from: role, to: null });
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
    await requireAllowed(c, { from: member.role, to: role, userId });
    if (role === member.role) return memberView(member);
    const { clock, platformClock } = companyDeps(c);
    const givenAt = clock.now();
    const givenBy = chainFrom(caller.application, personClientId({ userId }));
    const changed = await changeMember(
      c.env,
      { companyId, userId, from: member.role },
      { role, givenAt, givenBy },
      platformClock.now(),
    );
    if (!changed) throw invalidState(NOT_CHANGED, "last_owner");
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
    await requireAllowed(c, { from: member.role, to: null, userId });
    const removedAt = c.get("deps").platformClock.now();
    const removed = await changeMember(
      c.env,
      { companyId, userId, from: member.role },
      { removedAt },
      removedAt,
    );
    if (!removed) throw invalidState(NOT_CHANGED, "last_owner");
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
  c: AppContext,
  { userId, ...roles }: { from: PersonRole | null; to: PersonRole | null; userId?: string },
): Promise<void> {
  const { env } = c;
  const caller = c.get("caller");
  const nowMs = c.get("deps").platformClock.now();
  const { person } = caller;
  const refusal = refusalOf({
    ...roles,
    by: person?.role ?? "admin",
    isSelf: person !== null && person.userId === userId,
  });
  if (refusal !== null) throw forbidden(refusal, "role_beyond_own");
  if (roles.to === null) return;
  if (person !== null) {
    const { roleLimits } = caller.company.refundPolicy;
    if (!givesBeyondLimit(roleLimits, { by: person.role, from: roles.from, to: roles.to })) return;
    throw forbidden(
      `Your own role has a limit of what it sends back, so it makes nobody else who sends back: the role ${roles.to}.`,
      "role_beyond_own",
    );
  }
  const given = {
    scopes: SCOPES_OF_PERSON_ROLE[roles.to],
    networks: null,
    expiresAt: null,
    spendingLimits: null,
    refundDailyLimit: null,
  };
  const parts = await partsBeyondCaller(env, caller, given, nowMs);
  if (parts.length === 0) return;
  throw forbidden(
    `An application gives no more than it has: ${parts.join(", ")} of the role ${roles.to}.`,
    "rights_beyond_own",
  );
}
