import { createMiddleware } from "hono/factory";
import { configOf, type Env } from "../../config.ts";
import {
  findOperatorCredentials,
  hasAdmin,
  recordOperatorKeyUse,
} from "../../db/operator/operators.ts";
import { PERMISSIONS_OF_ROLE, type OperatorPermission } from "../../domain/access/operator.ts";
import { sha256Hex, timingSafeEqual } from "../../lib/hash.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { forbidden } from "../problems.ts";
import { enforceRateLimit } from "../rate-limits/enforce.ts";
import { findActiveKey, noteKeyUse } from "./active-keys.ts";
import { invalidCredentials, presentedCredentials, type PresentedCredentials } from "./auth.ts";

/** The client id of the environment's `OPERATOR_KEY`, which only makes the first admin. */
export const SETUP_CLIENT_ID = "setup";

/**
 * Authenticates an operator by the two headers and checks that the role has the permission. Throws the same
 * 401 for every failed authentication, 403, 429.
 */
export function requireOperator(permission: OperatorPermission) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await authenticateOperator(c, await presentedCredentials(c), permission);
    await next();
  });
}

/**
 * As `requireOperator("people:write")`. While the gateway has no admin, the client id `setup` with the
 * environment's `OPERATOR_KEY` is admitted too.
 */
export const requireOperatorOrSetup = createMiddleware<AppEnv>(async (c, next) => {
  const presented = await presentedCredentials(c);
  if (presented.clientId !== SETUP_CLIENT_ID) {
    await authenticateOperator(c, presented, "people:write");
  } else if ((await isSetupKey(c.env, presented)) && !(await hasAdmin(c.env))) {
    await enforceRateLimit(c, "application", SETUP_CLIENT_ID);
    c.set("operator", {
      clientId: SETUP_CLIENT_ID,
      name: "Set-up key",
      role: "admin",
      keyPrefix: "OPERATOR_KEY",
    });
  } else {
    throw invalidCredentials();
  }
  await next();
});

async function authenticateOperator(
  c: AppContext,
  { clientId, keyHash }: PresentedCredentials,
  permission: OperatorPermission,
): Promise<void> {
  const now = c.get("deps").clock.now();
  const found = await findOperatorCredentials(c.env, clientId, now);
  const key = found === null ? null : findActiveKey(found.keys, keyHash, now);
  if (found === null || key === null) throw invalidCredentials();
  await enforceRateLimit(c, "application", clientId);
  const { name, role } = found;
  if (!PERMISSIONS_OF_ROLE[role].includes(permission)) {
    throw forbidden(`The role ${role} does not have the permission ${permission}.`);
  }
  c.set("operator", { clientId, name, role, keyPrefix: key.prefix });
  noteKeyUse(c, key, () => recordOperatorKeyUse(c.env, key.id, now));
}

async function isSetupKey(env: Env, { keyHash }: PresentedCredentials): Promise<boolean> {
  const { operatorKey } = configOf(env);
  return operatorKey !== null && timingSafeEqual(await sha256Hex(operatorKey), keyHash);
}
