import { createMiddleware } from "hono/factory";
import { configOf } from "../../config.ts";
import { recordOperatorKeyUse } from "../../db/operator/operator-keys.ts";
import {
  findOperator,
  findOperatorCredentials,
  hasAdmin,
  type OperatorRecord,
} from "../../db/operator/operators.ts";
import {
  isPermitted,
  type Operator,
  type OperatorPermission,
  type OperatorPerson,
} from "../../domain/operators/operator.ts";
import { assert } from "../../lib/assert.ts";
import { sha256Hex, timingSafeEqual } from "../../lib/hash.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { forbidden } from "../problems.ts";
import { enforceRateLimit } from "../rate-limits/enforce.ts";
import { findActiveKey, noteKeyUse } from "./active-keys.ts";
import { invalidCredentials, presentedCredentials, type PresentedCredentials } from "./auth.ts";
import { operatorOfRequest } from "./person-requests.ts";
import { ReadOncePerPage } from "./read-once-per-page.ts";

/** The client id of the environment's `BOOTSTRAP_KEY`, which only makes an admin while none can sign in. */
export const SETUP_CLIENT_ID = "setup";

/**
 * Authenticates an operator, by the two headers or as the one for whom the console asks, and checks that the role
 * has the permission. Throws the same 401 for every failed authentication, 403, 429.
 */
export function requireOperator(permission: OperatorPermission) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await authenticateOperator(c, await presentedIdentity(c), permission);
    await next();
  });
}

/**
 * As `requireOperator("people:write")`, except that every operator is admitted to the routes of his own keys:
 * those whose parameter `id` is his client id.
 */
export const requireOperatorOrSelf = createMiddleware<AppEnv>(async (c, next) => {
  const presented = await presentedIdentity(c);
  const isSelf = c.req.param("id") === presented.clientId;
  await authenticateOperator(c, presented, isSelf ? null : "people:write");
  await next();
});

/**
 * As `requireOperator("people:write")`. While no admin can sign in, the client id `setup` with the
 * environment's `BOOTSTRAP_KEY` is admitted too.
 */
export const requireOperatorOrSetup = createMiddleware<AppEnv>(async (c, next) => {
  const presented = await presentedIdentity(c);
  if (!("keyHash" in presented) || presented.clientId !== SETUP_CLIENT_ID) {
    await authenticateOperator(c, presented, "people:write");
  } else if (await isSetup(c, presented)) {
    await enforceRateLimit(c, "application", SETUP_CLIENT_ID);
    c.set("operator", {
      clientId: SETUP_CLIENT_ID,
      name: "Set-up key",
      role: "admin",
      keyPrefix: "BOOTSTRAP_KEY",
    });
  } else {
    throw invalidCredentials();
  }
  await next();
});

/** The operator for whom the console asks, else the credentials of the headers, unverified. Throws 401. */
async function presentedIdentity(c: AppContext): Promise<OperatorPerson | PresentedCredentials> {
  return operatorOfRequest(c.req.raw) ?? presentedCredentials(c);
}

async function authenticateOperator(
  c: AppContext,
  presented: OperatorPerson | PresentedCredentials,
  permission: OperatorPermission | null,
): Promise<void> {
  const operator =
    "keyHash" in presented
      ? await authenticateKey(c, presented)
      : await authenticatePerson(c, presented);
  const { role } = operator;
  if (permission !== null && !isPermitted(operator, permission)) {
    throw forbidden(`The role ${role} does not have the permission ${permission}.`);
  }
  c.set("operator", operator);
}

/** Operators, as their pages' requests have found them. */
const operators = new ReadOncePerPage<OperatorRecord>();

/** The operator for whom the console asks. The request counts against his limit. Throws 401, 429. */
async function operatorOfPerson(c: AppContext, clientId: string): Promise<OperatorRecord> {
  const found = await findOperator(c.env, clientId);
  if (found === null) throw invalidCredentials();
  await enforceRateLimit(c, "application", clientId);
  return found;
}

/** The operator as he is now: the session's page may have been opened before he was changed. */
async function authenticatePerson(
  c: AppContext,
  { clientId, userId }: OperatorPerson,
): Promise<Operator> {
  const found = await operators.read(c.req.raw, () => operatorOfPerson(c, clientId));
  assert(found.clientId === clientId, "a page is for one operator");
  if (found.userId !== userId) throw invalidCredentials();
  return { clientId, name: found.name, role: found.role, keyPrefix: null };
}

async function authenticateKey(
  c: AppContext,
  { clientId, keyHash }: PresentedCredentials,
): Promise<Operator> {
  const now = c.get("deps").platformClock.now();
  const found = await findOperatorCredentials(c.env, clientId, now);
  const key = found === null ? null : findActiveKey(found.keys, keyHash, now);
  if (found === null || key === null) throw invalidCredentials();
  await enforceRateLimit(c, "application", clientId);
  noteKeyUse(c, key, () => recordOperatorKeyUse(c.env, key.id, now));
  return { clientId, name: found.name, role: found.role, keyPrefix: key.prefix };
}

/** Whether a request presents the set-up key while no admin can sign in. */
async function isSetup(c: AppContext, { keyHash }: PresentedCredentials): Promise<boolean> {
  const { bootstrapKey } = configOf(c.env);
  const isKey = bootstrapKey !== null && timingSafeEqual(await sha256Hex(bootstrapKey), keyHash);
  return isKey && !(await hasAdmin(c.env, c.get("deps").platformClock.now()));
}
