import type { Invitation } from "../../db/people/invitations.ts";
import type { Member } from "../../db/people/members.ts";
import { isoTime } from "../../domain/shared/clock.ts";

/** A person of a company as the API shows him. */
export function memberView(member: Member) {
  return { ...member, createdAt: isoTime(member.createdAt) };
}

/** An invitation as the API shows it, without its link. */
export function invitationView(
  invitation: Pick<Invitation, "id" | "email" | "role" | "createdAt" | "expiresAt">,
) {
  const { id, email, role, createdAt, expiresAt } = invitation;
  return { id, email, role, createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt) };
}
