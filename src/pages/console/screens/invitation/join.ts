import { appendAuditEntry } from "../../../../db/audit-entries.ts";
import { useInvitation, type Invitation, type Joining } from "../../../../db/people/invitations.ts";
import { personClientId } from "../../../../domain/access/person.ts";
import { clientAddress } from "../../../../http/client-address.ts";
import type { ConsoleContext } from "../../context.ts";

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
  const now = outer.get("deps").clock.now();
  const { id, companyId, role } = invitation;
  const entry = {
    actor: {
      kind: "person" as const,
      id: personClientId(joining),
      name: joining.name,
      keyPrefix: null,
    },
    action: "invitation.use",
    target: `invitation:${id}`,
    before: null,
    after: { userId: joining.userId, role },
    reason: null,
    address: clientAddress(outer),
    traceId: outer.get("traceId"),
  };
  await appendAuditEntry(outer.env, companyId, entry, now);
  return useInvitation(outer.env, invitation, joining, now);
}
