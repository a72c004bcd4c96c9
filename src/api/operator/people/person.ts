import type { Env } from "../../../config.ts";
import { findOperator, recordGiving, type OperatorRecord } from "../../../db/operator/operators.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { GivenThing } from "../../../domain/operators/giving.ts";
import type { AuditedAction } from "../../../http/audit.ts";
import { SETUP_CLIENT_ID } from "../../../http/auth/operator-auth.ts";
import type { AppContext } from "../../../http/context.ts";
import { invalidState, notFound } from "../../../http/problems.ts";

/** An operator who is there. Throws 404. */
export async function existingOperator(env: Env, id: string): Promise<OperatorRecord> {
  const found = await findOperator(env, id);
  if (found === null) throw notFound("operator");
  return found;
}

/** An act on an operator, as the gateway's audit trail has it. */
export function actionOn(
  id: string,
  action: string,
  {
    reason = null,
    ...values
  }: Pick<AuditedAction, "before" | "after"> & {
    reason?: string | null | undefined;
  },
): AuditedAction {
  return { companyId: GATEWAY_TRAIL, action, target: `operator:${id}`, ...values, reason };
}

/** Whether the environment's set-up key asks, which may do no more than bring the first admin in. */
export function isSetup(c: AppContext): boolean {
  return c.get("operator").clientId === SETUP_CLIENT_ID;
}

/** Who gives another operator a right is no second person beside him for a day. Nothing for one's own. */
export async function give(c: AppContext, to: string, what: GivenThing): Promise<void> {
  const { clientId: by } = c.get("operator");
  if (by !== to) await recordGiving(c.env, { to, by, what, at: c.get("deps").platformClock.now() });
}

/** The refusal of what would leave the gateway without an admin: 409. */
export function lastAdmin() {
  return invalidState(
    "This is the last admin who can sign in. Give another operator the role admin and a key first",
    "last_admin",
  );
}
