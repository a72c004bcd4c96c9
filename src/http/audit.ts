import { appendAuditEntry } from "../db/audit-entries.ts";
import {
  GATEWAY_TRAIL,
  type Actor,
  type AuditValues,
  type NewAuditEntry,
} from "../domain/access/audit-entry.ts";
import type { Requester } from "../domain/access/requester.ts";
import { Problem, type ProblemDetails } from "../domain/shared/problem.ts";
import { clientAddress } from "./client-address.ts";
import type { AppContext } from "./context.ts";

/** An action for the audit trail. Values must be masked (`domain/access/masks.ts`), secrets left out. */
export interface AuditedAction {
  /** The company whose trail has it; `GATEWAY_TRAIL` for an action on no company. */
  companyId: number;
  /** `<thing>.<verb>`, such as `key.revoke`. */
  action: string;
  /** The thing's id, such as `application:app_1`. */
  target: string;
  before?: AuditValues | null;
  after?: AuditValues | null;
  reason?: string | null;
}

/**
 * Runs an action after the audit trail has it, so that none is done unrecorded. A refusal is recorded too, as
 * `<action>.refused` with the problem's code; `refusalIn` finds one in a result. An operator's action is in the gateway's trail and in the
 * company's, which does not show the operator's network address.
 */
export async function audited<Result>(
  c: AppContext,
  action: AuditedAction,
  run: () => Promise<Result>,
  refusalIn: (result: Result) => ProblemDetails | null = () => null,
): Promise<Result> {
  await record(c, action);
  try {
    const result = await run();
    const refusal = refusalIn(result);
    if (refusal !== null) await recordRefusal(c, action, refusal);
    return result;
  } catch (error) {
    if (error instanceof Problem) await recordRefusal(c, action, error.details);
    throw error;
  }
}

/**
 * Runs checks that come before an action's own entry: only a refusal is recorded, as `audited` records one.
 */
export async function auditedChecks<Result>(
  c: AppContext,
  action: AuditedAction,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Problem) {
      await record(c, action);
      await recordRefusal(c, action, error.details);
    }
    throw error;
  }
}

/**
 * Records in the gateway's trail that an operator looks at data of a company's payers, as `<thing>.view`: one entry
 * for each look, before it is answered.
 */
export async function auditedView(
  c: AppContext,
  companyId: number,
  thing: string,
  target: string,
): Promise<void> {
  const now = c.get("deps").platformClock.now();
  const entry: NewAuditEntry = {
    actor: actorOf(c),
    action: `${thing}.view`,
    target,
    before: null,
    after: null,
    reason: null,
    address: clientAddress(c),
    traceId: c.get("traceId"),
  };
  await appendAuditEntry(c.env, GATEWAY_TRAIL, entryOfTrail(entry, companyId, GATEWAY_TRAIL), now);
}

function recordRefusal(c: AppContext, action: AuditedAction, { code }: ProblemDetails) {
  return record(c, { ...action, action: `${action.action}.refused`, reason: code });
}

async function record(c: AppContext, action: AuditedAction): Promise<void> {
  const now = c.get("deps").platformClock.now();
  const actor = actorOf(c);
  const { companyId, before = null, after = null, reason = null } = action;
  const entry: NewAuditEntry = {
    actor,
    action: action.action,
    target: action.target,
    before,
    after,
    reason,
    address: clientAddress(c),
    traceId: c.get("traceId"),
  };
  const trails = new Set(actor.kind === "operator" ? [GATEWAY_TRAIL, companyId] : [companyId]);
  for (const trail of trails) {
    await appendAuditEntry(c.env, trail, entryOfTrail(entry, companyId, trail), now);
  }
}

/** The entry as one trail has it: the gateway's names the company, a company's leaves out an operator's address. */
function entryOfTrail(entry: NewAuditEntry, companyId: number, trail: number): NewAuditEntry {
  if (trail !== GATEWAY_TRAIL) {
    return entry.actor.kind === "operator" ? { ...entry, address: null } : entry;
  }
  const company = `company:${companyId}`;
  const isNamed = companyId === GATEWAY_TRAIL || entry.target === company;
  return isNamed ? entry : { ...entry, target: `${company} ${entry.target}` };
}

function actorOf(c: AppContext): Actor {
  const operator = c.get("operator");
  if (operator !== undefined) {
    const { clientId, name, keyPrefix } = operator;
    return { kind: "operator", id: clientId, name, keyPrefix };
  }
  const { application, person } = c.get("caller");
  const { clientId, name, keyPrefix } = application;
  if (person !== null) return { kind: "person", id: clientId, name, keyPrefix: null };
  return { kind: "application", id: clientId, name, keyPrefix };
}

/** The operator of a request, as the row of what he does names him. */
export function operatorRequester(c: AppContext): Requester {
  const { clientId: id, name } = c.get("operator");
  return { kind: "operator", id, name };
}

/** The application or person of a request. */
export function callerRequester(c: AppContext): Requester {
  const { application, person } = c.get("caller");
  const { clientId: id, name } = application;
  return { kind: person === null ? "application" : "person", id, name };
}
