import { appendAuditEntry } from "../../../../../db/audit-entries.ts";
import type { OperatorRecord } from "../../../../../db/operator/operators.ts";
import { useSignInLink, type LinkedPerson } from "../../../../../db/operator/sign-in-links.ts";
import { GATEWAY_TRAIL } from "../../../../../domain/access/audit-entry.ts";
import { clientAddress } from "../../../../../http/client-address.ts";
import type { ConsoleContext } from "../../../context.ts";

/**
 * Makes a person the operator of a link, after the gateway's audit trail has it. False if the link is used or over by
 * now, the e-mail has a person, or the person is another operator.
 */
export async function useLink(
  c: ConsoleContext,
  tokenHash: string,
  { clientId, name, role, userId }: OperatorRecord,
  person: LinkedPerson,
): Promise<boolean> {
  const { outer } = c.env;
  const now = outer.get("deps").platformClock.now();
  const entry = {
    actor: { kind: "operator" as const, id: clientId, name, keyPrefix: null },
    action: "sign_in_link.use",
    target: `operator:${clientId}`,
    before: { userId },
    after: { userId: person.userId, role },
    reason: null,
    address: clientAddress(outer),
    traceId: outer.get("traceId"),
  };
  await appendAuditEntry(outer.env, GATEWAY_TRAIL, entry, now);
  return useSignInLink(outer.env, tokenHash, person, now);
}
