import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { keyPrefix } from "../../../../src/domain/shared/api-key.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { Mandate } from "../../../../src/domain/withdraws/mandate.ts";
import { sha256Hex } from "../../../../src/lib/hash.ts";
import { env, type TestCompany } from "./env.ts";

/** The company as another of its applications calls it. */
export async function givenApplication(
  company: TestCompany,
  { scopes = SCOPES, mandate = null }: { scopes?: readonly Scope[]; mandate?: Mandate | null } = {},
): Promise<TestCompany> {
  const clientId = `app_test_${newUuid(systemRandom)}`;
  const apiKey = `sk_test_${newUuid(systemRandom)}`;
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO applications (client_id, company_id, name, scopes, created_at, mandate)
       VALUES (?, ?, 'second', ?, ?, ?)`,
    ).bind(
      clientId,
      company.id,
      scopes.join(" "),
      now,
      mandate === null ? null : JSON.stringify(mandate),
    ),
    env.DB.prepare(
      "INSERT INTO api_keys (company_id, client_id, key_hash, prefix, created_at) VALUES (?, ?, ?, ?, ?)",
    ).bind(company.id, clientId, await sha256Hex(apiKey), keyPrefix(apiKey), now),
  ]);
  const credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
  return { ...company, clientId, apiKey, credentials };
}
