import type { z } from "@hono/zod-openapi";
import type { Env } from "../../../config.ts";
import {
  addOperator,
  changeOperator,
  listOperators,
  type OperatorChange,
} from "../../../db/operator/operators.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { audited } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { invalidState } from "../../../http/problems.ts";
import { newOperatorKey } from "./keys.ts";
import { actionOn, existingOperator, give, isSetup, lastAdmin } from "./person.ts";
import type { AddOperator, ChangeOperator } from "./schemas.ts";
import { operatorView } from "./views.ts";

/** A page of the operators, by client id. */
export async function pageOfOperators(
  env: Env,
  { after, limit }: { after: string; limit: number },
) {
  const rows = await listOperators(env, after, limit + 1);
  const items = rows.slice(0, limit).map(operatorView);
  const hasMore = rows.length > limit;
  return { items, after: hasMore ? items.at(-1)!.id : null, hasMore };
}

/** One operator. Throws 404. */
export async function showPerson(env: Env, id: string) {
  return operatorView(await existingOperator(env, id));
}

/**
 * Adds an operator and returns the first key, if wanted, once. The set-up key adds only the first admin, with a key.
 * Throws 409 if another request made that one meanwhile, or if the set-up key asks for anything else.
 */
export async function addPerson(
  c: AppContext,
  { name, role, withKey, reason }: z.output<typeof AddOperator>,
) {
  const { platformClock, random } = c.get("deps");
  const { clientId: addedBy } = c.get("operator");
  const clientId = `op_${newUuid(random).replaceAll("-", "")}`;
  const key = withKey ? await newOperatorKey(random) : null;
  const after = { name, role, keyPrefix: key?.stored.prefix ?? null };
  return audited(c, actionOn(clientId, "operator.create", { after, reason }), async () => {
    const onlyFirst = isSetup(c);
    if (onlyFirst && (role !== "admin" || key === null)) {
      throw invalidState("The first operator must be an admin with a key", "first_operator");
    }
    const added = await addOperator(
      c.env,
      { clientId, name, role, key: key?.stored ?? null, addedBy, nowMs: platformClock.now() },
      { onlyFirst },
    );
    if (added === null)
      throw invalidState("There is an admin now. Ask that person", "first_operator");
    return { ...operatorView(added), key: key?.text ?? null };
  });
}

/** Changes an operator's name or role. Throws 404, and 409 for the last admin. */
export async function changePerson(
  c: AppContext,
  id: string,
  { reason, ...change }: z.output<typeof ChangeOperator>,
) {
  const { name, role } = await existingOperator(c.env, id);
  const values = { before: { name, role }, after: { name, role, ...change }, reason };
  return audited(c, actionOn(id, "operator.change", values), async () => {
    if (change.role !== undefined) await give(c, id, "role");
    return save(c, id, change);
  });
}

/** Removes an operator, whose keys are refused from the next request on. Throws 404, 409 for the last admin. */
export async function removePerson(c: AppContext, id: string) {
  const { name, role } = await existingOperator(c.env, id);
  const before = { name, role };
  return audited(c, actionOn(id, "operator.remove", { before }), () =>
    save(c, id, { removedAt: c.get("deps").platformClock.now() }),
  );
}

/** Stores a change. Throws 404 for an operator who was removed meanwhile, 409 for the last admin. */
async function save(c: AppContext, id: string, change: OperatorChange) {
  const changed = await changeOperator(c.env, id, change, c.get("deps").platformClock.now());
  if (changed !== null) return operatorView(changed);
  await existingOperator(c.env, id);
  throw lastAdmin();
}
