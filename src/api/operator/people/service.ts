import type { z } from "@hono/zod-openapi";
import { publicOrigin, type Env } from "../../../config.ts";
import { ACTIVE_KEYS_MAX } from "../../../db/companies/api-keys.ts";
import {
  addOperatorKey,
  findOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from "../../../db/operator/operator-keys.ts";
import {
  addOperator,
  changeOperator,
  findOperator,
  findOperatorCredentials,
  listOperators,
  recordGiving,
} from "../../../db/operator/operators.ts";
import { putSignInLink } from "../../../db/operator/sign-in-links.ts";
import { keyPrefix } from "../../../domain/access/api-key.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { GivenThing } from "../../../domain/operators/giving.ts";
import { isoTime, isoTimeOrNull, type RandomSource } from "../../../domain/shared/clock.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { audited } from "../../../http/audit.ts";
import { SETUP_CLIENT_ID } from "../../../http/auth/operator-auth.ts";
import type { AppContext } from "../../../http/context.ts";
import { forbidden, invalidState, notFound } from "../../../http/problems.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import type { AddOperator, ChangeOperator, IssueOperatorKey, MakeSignInLink } from "./schemas.ts";
import { operatorKeyView, operatorView } from "./views.ts";

const KEY_BYTES = 32;
const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const LINK_MS = 24 * HOUR_MS;
/** The newest keys that a list shows: years of rotations. */
const KEYS_SHOWN_MAX = 100;
const LAST_ADMIN =
  "This is the last admin who can sign in. Give another operator the role admin and a key first";

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

/**
 * Adds an operator and returns the first key, if wanted, once. The set-up key adds only the first admin, with a key.
 * Throws 409 if another request made that one meanwhile, or if the set-up key asks for anything else.
 */
export async function addPerson(c: AppContext, request: z.output<typeof AddOperator>) {
  const { clock, random } = c.get("deps");
  const { name, role, withKey, reason } = request;
  const isSetup = c.get("operator").clientId === SETUP_CLIENT_ID;
  const clientId = `op_${newUuid(random).replaceAll("-", "")}`;
  const key = withKey ? newOperatorKey(random) : null;
  const prefix = key === null ? null : keyPrefix(key);
  const target = operatorTarget(clientId);
  const action = {
    companyId: GATEWAY_TRAIL,
    action: "operator.create",
    target,
    reason: reason ?? null,
  };
  return audited(c, { ...action, after: { name, role, keyPrefix: prefix } }, async () => {
    if (isSetup && (role !== "admin" || !withKey)) {
      throw invalidState("The first operator must be an admin with a key");
    }
    const added = await addOperator(
      c.env,
      {
        clientId,
        name,
        role,
        key: key === null ? null : { hash: await sha256Hex(key), prefix: keyPrefix(key) },
        addedBy: c.get("operator").clientId,
        nowMs: clock.now(),
      },
      { onlyFirst: isSetup },
    );
    if (added === null) throw invalidState("There is an admin now. Ask that person");
    return { ...operatorView(added), key };
  });
}

/** One operator. Throws 404. */
export async function showPerson(env: Env, id: string) {
  return operatorView(await requirePerson(env, id));
}

/** Changes an operator's name or role. Throws 404, and 409 for the last admin. */
export async function changePerson(
  c: AppContext,
  id: string,
  { reason, ...change }: z.output<typeof ChangeOperator>,
) {
  const { name, role } = await requirePerson(c.env, id);
  const action = {
    companyId: GATEWAY_TRAIL,
    action: "operator.change",
    target: operatorTarget(id),
  };
  const values = {
    before: { name, role },
    after: { name, role, ...change },
    reason: reason ?? null,
  };
  return audited(c, { ...action, ...values }, async () => {
    if (change.role !== undefined) await give(c, id, "role");
    const changed = await changeOperator(c.env, id, change, c.get("deps").clock.now());
    if (changed === null) throw await lastAdminOrUnknown(c.env, id);
    return operatorView(changed);
  });
}

/** Removes an operator, whose keys are refused from the next request on. Throws 404, 409 for the last admin. */
export async function removePerson(c: AppContext, id: string) {
  const { name, role } = await requirePerson(c.env, id);
  const action = {
    companyId: GATEWAY_TRAIL,
    action: "operator.remove",
    target: operatorTarget(id),
  };
  return audited(c, { ...action, before: { name, role } }, async () => {
    const now = c.get("deps").clock.now();
    const removed = await changeOperator(c.env, id, { removedAt: now }, now);
    if (removed === null) throw await lastAdminOrUnknown(c.env, id);
    return operatorView(removed);
  });
}

/**
 * Makes the link by which a person becomes this operator in the console, which only this response shows. Throws 404,
 * and 409 for the set-up key if the operator is no admin or an admin can sign in by now.
 */
export async function makeSignInLink(
  c: AppContext,
  id: string,
  { reason }: z.output<typeof MakeSignInLink>,
) {
  const { clock, random } = c.get("deps");
  const isSetup = c.get("operator").clientId === SETUP_CLIENT_ID;
  const token = toBase64Url(random.bytes(TOKEN_BYTES));
  const nowMs = clock.now();
  const expiresAt = nowMs + LINK_MS;
  await requirePerson(c.env, id);
  const entry = {
    companyId: GATEWAY_TRAIL,
    action: "sign_in_link.create",
    target: operatorTarget(id),
    after: { expiresAt: isoTime(expiresAt) },
    reason: reason ?? null,
  };
  return audited(c, entry, async () => {
    await give(c, id, "link");
    const link = { tokenHash: await sha256Hex(token), expiresAt };
    const operator = await putSignInLink(c.env, id, link, { onlyFirst: isSetup, nowMs });
    if (operator === null) {
      await requirePerson(c.env, id);
      throw invalidState("The set-up key makes the link of an admin, while none can sign in");
    }
    const { clientId, name, role } = operator;
    const url = `${publicOrigin(c.env, c.req.url)}/console/operator/set-up/${token}`;
    return { clientId, name, role, expiresAt: isoTime(expiresAt), url };
  });
}

/** An operator's newest keys, without the keys themselves. Throws 404. */
export async function keysOfPerson(env: Env, id: string) {
  await requirePerson(env, id);
  return { items: (await listOperatorKeys(env, id, KEYS_SHOWN_MAX)).map(operatorKeyView) };
}

/**
 * Issues a key, which only this response shows, and lets the operator's others expire. A key that an operator
 * issues himself ends with his longest key, unless he may write people. Throws 404, 400 for a time that is
 * past, 403 for one beyond his own, 409 if two others would stay active.
 */
export async function issuePersonKey(
  c: AppContext,
  id: string,
  { overlapHours, expiresAt, reason }: z.output<typeof IssueOperatorKey>,
) {
  const { clock, random } = c.get("deps");
  const nowMs = clock.now();
  await requirePerson(c.env, id);
  const endsAt = await keyEnd(c, expiresAt ?? null, nowMs);
  const key = newOperatorKey(random);
  const prefix = keyPrefix(key);
  const action = { companyId: GATEWAY_TRAIL, action: "operator_key.issue", reason: reason ?? null };
  const after = { keyPrefix: prefix, expiresAt: isoTimeOrNull(endsAt), overlapHours };
  return audited(c, { ...action, target: operatorTarget(id), after }, async () => {
    await give(c, id, "key");
    const added = await addOperatorKey(c.env, id, {
      hash: await sha256Hex(key),
      prefix,
      nowMs,
      expiresAt: endsAt,
      othersEndAt: nowMs + overlapHours * HOUR_MS,
    });
    if (added !== null) return { ...operatorKeyView(added), key };
    throw invalidState(
      `The operator has ${ACTIVE_KEYS_MAX} active keys. Revoke one, or send overlapHours 0`,
    );
  });
}

/** Revokes an operator's key from the next request on. Throws 404, and 409 for the last admin's last key. */
export async function revokePersonKey(c: AppContext, id: string, keyId: number) {
  const key = await findOperatorKey(c.env, id, keyId);
  if (key === null) throw notFound("key");
  const target = operatorTarget(id);
  const action = { companyId: GATEWAY_TRAIL, action: "operator_key.revoke", target };
  return audited(c, { ...action, before: { keyPrefix: key.prefix } }, async () => {
    const revoked = await revokeOperatorKey(c.env, id, keyId, c.get("deps").clock.now());
    if (revoked === null) throw invalidState(LAST_ADMIN);
    return operatorKeyView(revoked);
  });
}

/** When a key to issue ends; null for never. Throws 400 and 403. */
async function keyEnd(
  c: AppContext,
  expiresAt: number | null,
  nowMs: number,
): Promise<number | null> {
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "The key would have expired already.",
      errors: { expiresAt: ["must be in the future"] },
    });
  }
  const { clientId, role } = c.get("operator");
  if (role === "admin") return expiresAt;
  const own = await findOperatorCredentials(c.env, clientId, nowMs);
  const ends = (own?.keys ?? []).map((key) => key.expiresAt ?? Number.POSITIVE_INFINITY);
  const longest = Math.max(...ends);
  // One who came by the console only.
  if (ends.length === 0) throw forbidden("An admin issues your first key.");
  if (expiresAt !== null && expiresAt > longest) {
    throw forbidden("Only an admin issues a key that lasts longer than those you have.");
  }
  return expiresAt ?? (Number.isFinite(longest) ? longest : null);
}

/** Who gives another operator a right is no second person beside him for a day. Nothing for one's own. */
async function give(c: AppContext, to: string, what: GivenThing): Promise<void> {
  const { clientId: by } = c.get("operator");
  if (by !== to) await recordGiving(c.env, { to, by, what, at: c.get("deps").clock.now() });
}

async function requirePerson(env: Env, id: string) {
  const found = await findOperator(env, id);
  if (found === null) throw notFound("operator");
  return found;
}

/** Why a change had no effect: the operator was removed meanwhile, or is the last admin. */
async function lastAdminOrUnknown(env: Env, id: string): Promise<Problem> {
  return (await findOperator(env, id)) === null ? notFound("operator") : invalidState(LAST_ADMIN);
}

function newOperatorKey(random: RandomSource): string {
  return `sk_operator_${toBase64Url(random.bytes(KEY_BYTES))}`;
}

function operatorTarget(id: string): string {
  return `operator:${id}`;
}
