import type { z } from "@hono/zod-openapi";
import type { Env } from "../../../config.ts";
import { ACTIVE_KEYS_MAX } from "../../../db/companies/api-keys.ts";
import {
  addOperatorKey,
  findOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from "../../../db/operator/operator-keys.ts";
import { findOperatorCredentials } from "../../../db/operator/operators.ts";
import { keyPrefix } from "../../../domain/access/masks.ts";
import { isoTimeOrNull, type RandomSource } from "../../../domain/shared/clock.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { audited } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { forbidden, invalidState, notFound } from "../../../http/problems.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { actionOn, existingOperator, give, lastAdmin } from "./person.ts";
import type { IssueOperatorKey } from "./schemas.ts";
import { operatorKeyView } from "./views.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
/** The newest keys that a list shows: years of rotations. */
const KEYS_SHOWN_MAX = 100;

/** A new key: the text that only its first answer shows, and what is stored of it. */
export async function newOperatorKey(random: RandomSource) {
  const text = `sk_operator_${toBase64Url(random.bytes(KEY_BYTES))}`;
  return { text, stored: { hash: await sha256Hex(text), prefix: keyPrefix(text) } };
}

/** An operator's newest keys, without the keys themselves. Throws 404. */
export async function keysOfPerson(env: Env, id: string) {
  await existingOperator(env, id);
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
  request: z.output<typeof IssueOperatorKey>,
) {
  const { overlapHours, reason } = request;
  const { platformClock, random } = c.get("deps");
  const nowMs = platformClock.now();
  await existingOperator(c.env, id);
  const expiresAt = await allowedEnd(c, request.expiresAt ?? null, nowMs);
  const { text, stored } = await newOperatorKey(random);
  const after = { keyPrefix: stored.prefix, expiresAt: isoTimeOrNull(expiresAt), overlapHours };
  return audited(c, actionOn(id, "operator_key.issue", { after, reason }), async () => {
    await give(c, id, "key");
    const othersEndAt = nowMs + overlapHours * HOUR_MS;
    const added = await addOperatorKey(c.env, id, { ...stored, nowMs, expiresAt, othersEndAt });
    if (added !== null) return { ...operatorKeyView(added), key: text };
    throw invalidState(
      `The operator has ${ACTIVE_KEYS_MAX} active keys. Revoke one, or send overlapHours 0`,
      "too_many",
    );
  });
}

/** When a key to issue ends, in Unix milliseconds; null for never. Throws 400 and 403. */
async function allowedEnd(
  c: AppContext,
  expiresAt: number | null,
  nowMs: number,
): Promise<number | null> {
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "The key would have expired already.",
      errors: { expiresAt: [breaks("inFuture")] },
    });
  }
  const { clientId, role } = c.get("operator");
  if (role === "admin") return expiresAt;
  const longest = await longestEnd(c.env, clientId, nowMs);
  if (expiresAt !== null && expiresAt > longest) {
    throw forbidden(
      "Only an admin issues a key that lasts longer than those you have.",
      "rights_beyond_own",
    );
  }
  return expiresAt ?? (Number.isFinite(longest) ? longest : null);
}

/** When an operator's longest key ends; infinity for never. Throws 403 for one who has come by the console only. */
async function longestEnd(env: Env, clientId: string, nowMs: number): Promise<number> {
  const own = await findOperatorCredentials(env, clientId, nowMs);
  const ends = (own?.keys ?? []).map((key) => key.expiresAt ?? Number.POSITIVE_INFINITY);
  if (ends.length === 0) throw forbidden("An admin issues your first key.", "rights_beyond_own");
  return Math.max(...ends);
}

/** Revokes an operator's key from the next request on. Throws 404, and 409 for the last admin's last key. */
export async function revokePersonKey(c: AppContext, id: string, keyId: number) {
  const key = await findOperatorKey(c.env, id, keyId);
  if (key === null) throw notFound("key");
  const before = { keyPrefix: key.prefix };
  return audited(c, actionOn(id, "operator_key.revoke", { before }), async () => {
    const revoked = await revokeOperatorKey(c.env, id, keyId, c.get("deps").platformClock.now());
    if (revoked === null) throw lastAdmin();
    return operatorKeyView(revoked);
  });
}
