import {
  ACTIVE_KEYS_MAX,
  addKey,
  listKeys,
  revokeKey,
  type KeyRecord,
} from "../../../db/companies/api-keys.ts";
import { listApplications } from "../../../db/companies/applications.ts";
import { keyPrefix } from "../../../domain/access/api-key.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { Problem } from "../../../domain/shared/problem.ts";
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
 * Issues a key of an application, which only this response shows, and lets the application's others expire.
 * Throws 404, and 409 if two others would stay active.
 */
export async function issueApiKey(
  { env, deps, company }: KeyContext,
  request: { clientId?: string | undefined; oldExpiresInHours: number },
) {
  const clientId = await requireApplication(env, company.id, request.clientId);
  const prefix = company.mode === "live" ? "sk_live_" : "sk_test_";
  const key = prefix + toBase64Url(deps.random.bytes(KEY_BYTES));
  const hash = await sha256Hex(key);
  const nowMs = deps.clock.now();
  const othersExpireAt = nowMs + request.oldExpiresInHours * HOUR_MS;
  const added = await updateCredentials(env, company.id, () =>
    addKey(
      env,
      { companyId: company.id, clientId },
      { hash, prefix: keyPrefix(key), nowMs, expiresAt: null, othersEndAt: othersExpireAt },
    ),
  );
  if (added === null) {
    throw invalidState(
      `The application has ${ACTIVE_KEYS_MAX} active API keys. Revoke one, or send oldExpiresInHours 0 to expire the others at once`,
    );
  }
  return { ...keyView(added), key };
}

/** A company's newest keys, without the secrets. */
export async function listApiKeys({ env, company }: KeyContext) {
  const keys = await listKeys(env, { companyId: company.id, clientId: null }, KEYS_SHOWN_MAX);
  return { items: keys.map(keyView) };
}

/** Revokes a key from the next request on. Throws 404. */
export async function revokeApiKey({ env, deps, company }: KeyContext, keyId: number) {
  const revoked = await updateCredentials(env, company.id, () =>
    revokeKey(env, { companyId: company.id, clientId: null }, keyId, deps.clock.now()),
  );
  if (revoked === null) throw notFound("key");
  return keyView(revoked);
}

/** The application of a key to issue: the named one, or the company's only one. Throws 400 and 404. */
async function requireApplication(env: Env, companyId: number, clientId: string | undefined) {
  const known = await listApplications(env, companyId);
  const [first, second] = known;
  if (clientId === undefined && second !== undefined) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "The company has several applications.",
      errors: { clientId: ["is required: the client id of the key's application"] },
    });
  }
  const found = clientId === undefined ? first : known.find((one) => one.clientId === clientId);
  if (found === undefined) throw notFound("application");
  return found.clientId;
}

function keyView({ id, clientId, prefix, lastUsedAt, ...times }: KeyRecord) {
  const { createdAt, expiresAt, revokedAt } = times;
  return {
    id,
    clientId,
    prefix,
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    createdAt: isoTime(createdAt),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
  };
}
