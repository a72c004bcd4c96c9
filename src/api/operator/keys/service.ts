import {
  ACTIVE_KEYS_MAX,
  addKey,
  listKeys,
  revokeKey,
  type KeyRecord,
} from "../../../db/companies/api-keys.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
/** The newest keys that a list shows: years of rotations. */
const KEYS_SHOWN_MAX = 100;

export interface KeyContext {
  env: Env;
  deps: Pick<Dependencies, "clock" | "random">;
  company: Company;
}

/**
 * Issues a key, which only this response shows, and lets the company's others expire. Throws 409 if two others
 * would stay active.
 */
export async function issueApiKey({ env, deps, company }: KeyContext, oldExpiresInHours: number) {
  const prefix = company.mode === "live" ? "sk_live_" : "sk_test_";
  const key = prefix + toBase64Url(deps.random.bytes(KEY_BYTES));
  const hash = await sha256Hex(key);
  const nowMs = deps.clock.now();
  const othersExpireAt = nowMs + oldExpiresInHours * HOUR_MS;
  const added = await updateCredentials(env, company.id, () =>
    addKey(env, company.id, { hash, nowMs, othersEndAt: othersExpireAt }),
  );
  if (added === null) {
    throw invalidState(
      `The company has ${ACTIVE_KEYS_MAX} active API keys. Revoke one, or send oldExpiresInHours 0 to expire the others at once`,
    );
  }
  return { ...keyView(added), key };
}

/** A company's newest keys, without the secrets. */
export async function listApiKeys({ env, company }: KeyContext) {
  const keys = await listKeys(env, company.id, KEYS_SHOWN_MAX);
  return { items: keys.map(keyView) };
}

/** Revokes a key from the next request on. Throws 404. */
export async function revokeApiKey({ env, deps, company }: KeyContext, keyId: number) {
  const revoked = await updateCredentials(env, company.id, () =>
    revokeKey(env, company.id, keyId, deps.clock.now()),
  );
  if (revoked === null) throw notFound("key");
  return keyView(revoked);
}

function keyView({ id, createdAt, expiresAt, revokedAt }: KeyRecord) {
  return {
    id,
    createdAt: isoTime(createdAt),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
  };
}
