import { appendAuditEntry } from "../../../../db/audit-entries.ts";
import { findCompany } from "../../../../db/companies/companies.ts";
import { useInvitation, type Invitation, type Joining } from "../../../../db/people/invitations.ts";
import { depsOfCompany } from "../../../../http/context.ts";
import type { ConsoleContext } from "../../context.ts";
import { personEntry } from "../../people/own-actions.ts";

/**
 * Makes a person a member of the company that invited him, after its audit trail has it. False if the invitation
 * is used or over by now.
 */
export async function join(
  c: ConsoleContext,
  invitation: Invitation,
  joining: Joining,
): Promise<boolean> {
  const { outer } = c.env;
  const now = outer.get("deps").platformClock.now();
  const { id, companyId, role } = invitation;
  const entry = personEntry(c, joining, {
    action: "invitation.use",
    target: `invitation:${id}`,
    after: { userId: joining.userId, role },
  });
  await appendAuditEntry(outer.env, companyId, entry, now);
  // The age of a right counts by the company's time.
  const company = await findCompany(outer.env, companyId);
  const givenAt = company === null ? now : depsOfCompany(outer.get("deps"), company).clock.now();
  return useInvitation(outer.env, invitation, joining, { nowMs: now, givenAt });
}
