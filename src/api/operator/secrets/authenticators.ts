import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { configOf, type Env } from "../../../config.ts";
import {
  replaceAuthenticator,
  staleAuthenticators,
  type EncryptedAuthenticator,
} from "../../../db/people/authenticators.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { authSecrets } from "../../../http/auth/auth-secrets.ts";

/** People per call: each takes one call to D1. */
const PEOPLE_MAX = 200;

/**
 * Encrypts the secrets of authenticator apps and the recovery codes that another key of `SECRETS_KEY` encrypted under
 * the current one, of so many people. Idempotent. What no key opens, or was changed meanwhile, remains.
 */
export async function resealAuthenticators(env: Env) {
  const [current, ...others] = await authSecrets(configOf(env).secretsKeys);
  if (current === undefined) throw new Error("SECRETS_KEY has no key");
  const keys = new Map([current, ...others].map(({ version, value }) => [version, value]));
  const key = { keys, currentVersion: current.version };
  const reseal = async (data: string) =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  // As better-auth writes it: `$ba$<version>$<hex>`.
  const rows = await staleAuthenticators(env, `$ba$${current.version}$`, PEOPLE_MAX);
  const resealed = await Promise.all(rows.map((row) => resealOne(env, row, reseal)));
  const done = resealed.filter(Boolean).length;
  return { resealed: done, remaining: rows.length - done };
}

async function resealOne(
  env: Env,
  row: EncryptedAuthenticator,
  reseal: (data: string) => Promise<string>,
): Promise<boolean> {
  try {
    const [secret, backupCodes] = [await reseal(row.secret), await reseal(row.backupCodes)];
    return await replaceAuthenticator(env, row, { secret, backupCodes });
  } catch (error) {
    // One that no key opens stops no other.
    log("error", "reseal_failed", { ...errorFields(error), place: "authenticator" });
    return false;
  }
}
