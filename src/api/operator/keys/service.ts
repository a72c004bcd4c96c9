import type { Env } from "../../../config.ts";
import { findKey, revokeKey, type KeyRecord } from "../../../db/companies/api-keys.ts";
import { listApplications } from "../../../db/companies/applications.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { notFound } from "../../../http/problems.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** The application of a key to issue: the named one, or the company's only one. Throws 400 and 404. */
export async function applicationOfKey(
  env: Env,
  companyId: number,
  clientId: string | undefined,
  nowMs: number,
): Promise<string> {
  const known = await listApplications(env, companyId, nowMs);
  const [first, second] = known;
  if (clientId === undefined && second !== undefined) {
    throw new Problem({
      code: "VALIDATION_FAILED",
      detail: "The company has several applications.",
      errors: { clientId: [breaks("requiredApplication")] },
    });
  }
  const found = clientId === undefined ? first : known.find((one) => one.clientId === clientId);
  if (found === undefined) throw notFound("application");
  return found.clientId;
}

/** A company's key. Throws 404. */
export async function requireKey(env: Env, companyId: number, keyId: number): Promise<KeyRecord> {
  const key = await findKey(env, { companyId, clientId: null }, keyId);
  if (key === null) throw notFound("key");
  return key;
}

/** Revokes a company's key from the next request on. Throws 404. */
export async function revokeApiKey(
  env: Env,
  companyId: number,
  keyId: number,
  nowMs: number,
): Promise<KeyRecord> {
  const selection = { companyId, clientId: null };
  const revoked = await updateCredentials(env, companyId, () =>
    revokeKey(env, selection, keyId, { nowMs, version: null }),
  );
  if (revoked === null) throw notFound("key");
  return revoked;
}
