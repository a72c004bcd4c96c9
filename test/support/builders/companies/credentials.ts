import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import type { Scope } from "../../../../src/domain/shared/company.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import { env, type TestCompany } from "./env.ts";

/** Issues one more key of the company, as a rotation does. */
export async function issueKey(
  company: TestCompany,
  state: { expiresAt?: number; revokedAt?: number } = {},
): Promise<string> {
  const key = `sk_test_${newUuid(systemRandom)}`;
  await env.DB.prepare(
    `INSERT INTO api_keys (company_id, client_id, key_hash, prefix, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(
      company.id,
      company.clientId,
      await sha256Hex(key),
      key.slice(0, 12),
      Date.now(),
      state.expiresAt ?? null,
      state.revokedAt ?? null,
    )
    .run();
  return key;
}

/** One more application of the company, with all of its scopes and a key. */
export async function issueApplication(company: TestCompany): Promise<TestCompany> {
  const clientId = `app_test_${newUuid(systemRandom)}`;
  await env.DB.prepare(
    `INSERT INTO applications (client_id, company_id, name, scopes, scopes_version, created_at)
     SELECT ?, company_id, 'Outra', scopes, scopes_version, created_at FROM applications WHERE client_id = ?`,
  )
    .bind(clientId, company.clientId)
    .run();
  const apiKey = await issueKey({ ...company, clientId });
  return {
    ...company,
    clientId,
    apiKey,
    credentials: { "X-Client-Id": clientId, "X-API-Key": apiKey },
  };
}

export async function revokeKey(key: string): Promise<void> {
  await env.DB.prepare("UPDATE api_keys SET revoked_at = ? WHERE key_hash = ?")
    .bind(Date.now(), await sha256Hex(key))
    .run();
}

export async function expireKey(key: string, expiresAt: number): Promise<void> {
  await env.DB.prepare("UPDATE api_keys SET expires_at = ? WHERE key_hash = ?")
    .bind(expiresAt, await sha256Hex(key))
    .run();
}

export async function setScopes(company: TestCompany, scopes: readonly Scope[]): Promise<void> {
  await env.DB.prepare("UPDATE applications SET scopes = ? WHERE company_id = ?")
    .bind(scopes.join(" "), company.id)
    .run();
}

/** A credentials version that is never outdated. */
export const CURRENT_VERSION = Number.MAX_SAFE_INTEGER;
