import { appendAuditEntry } from "../../../db/audit-entries.ts";
import { noteFailedProof } from "../../../db/people/sessions.ts";
import {
  GATEWAY_TRAIL,
  type Actor,
  type AuditValues,
  type NewAuditEntry,
} from "../../../domain/access/audit-entry.ts";
import { personClientId } from "../../../domain/access/person.ts";
import { clientAddress } from "../../../http/client-address.ts";
import type { ConsoleContext } from "../context.ts";
import type { Session } from "../context.ts";

/** What a person did, for an audit trail. */
export interface OwnAction {
  /** `<thing>.<verb>`, such as `session.end`. */
  action: string;
  /** The thing's id, such as `session:4f1c`. */
  target: string;
  after?: AuditValues;
  /** Why it was refused, or happened without being asked for. */
  reason?: string;
}

/** Whose way in it is. */
export type TrailPerson = Pick<Session, "userId" | "name" | "memberships" | "operator">;

/** An entry whose actor is a person of the console. */
export function personEntry(
  c: ConsoleContext,
  person: Pick<Session, "userId" | "name">,
  { action, target, after, reason }: OwnAction,
): NewAuditEntry {
  const { outer } = c.env;
  return {
    actor: { kind: "person", id: personClientId(person), name: person.name, keyPrefix: null },
    action,
    target,
    before: null,
    after: after ?? null,
    reason: reason ?? null,
    address: clientAddress(outer),
    traceId: outer.get("traceId"),
  };
}

/**
 * Records what a person does to his own way in, before it is done: in the trail of each company that it opens and,
 * of an operator, in the gateway's. A person of neither leaves no entry.
 */
export async function recordOwnAction(
  c: ConsoleContext,
  person: TrailPerson,
  action: OwnAction,
): Promise<void> {
  await appendToTrails(c, person, personEntry(c, person, action));
}

/** Appends an entry to each trail of a person. In the gateway's, what the person did the operator did. */
export async function appendToTrails(
  c: ConsoleContext,
  { memberships, operator }: Pick<TrailPerson, "memberships" | "operator">,
  entry: NewAuditEntry,
): Promise<void> {
  const { env } = c.env.outer;
  const now = c.env.outer.get("deps").platformClock.now();
  for (const { companyId } of memberships) await appendAuditEntry(env, companyId, entry, now);
  if (operator === null) return;
  const { clientId, name } = operator;
  const actor: Actor =
    entry.actor.kind === "person"
      ? { kind: "operator", id: clientId, name, keyPrefix: null }
      : entry.actor;
  await appendAuditEntry(env, GATEWAY_TRAIL, { ...entry, actor }, now);
}

/** Records what the signed-in person does in the chosen company, in its trail only. */
export async function recordInCompany(c: ConsoleContext, action: OwnAction): Promise<void> {
  const person = c.get("person");
  const entry = personEntry(c, person, action);
  const now = c.env.outer.get("deps").platformClock.now();
  await appendAuditEntry(c.env.outer.env, person.companyId, entry, now);
}

/** As `recordOwnAction`, then does it; a refusal is recorded too, as `<action>.refused`. */
export async function auditedOwnAction(
  c: ConsoleContext,
  action: OwnAction,
  run: () => Promise<Response>,
): Promise<Response> {
  const session = c.get("session");
  await recordOwnAction(c, session, action);
  const answer = await run();
  if (!answer.ok) {
    const refused = { action: `${action.action}.refused`, reason: `HTTP_${answer.status}` };
    await recordOwnAction(c, session, { ...action, ...refused });
  }
  return answer;
}

/** Counts a refused proof of the session's person. The fifth ends the session; answers whether it did. */
export async function countFailedProof(c: ConsoleContext): Promise<boolean> {
  const session = c.get("session");
  const hasEnded = await noteFailedProof(c.env.outer.env, session.sessionId);
  if (hasEnded) {
    const target = `session:${session.sessionId}`;
    await recordOwnAction(c, session, { action: "session.end", target, reason: "PROOFS_REFUSED" });
  }
  return hasEnded;
}
