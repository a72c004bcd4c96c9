import { SCOPES, SCOPES_VERSION, type Scope } from "../../../../src/domain/shared/company.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { SpendingLimits } from "../../../../src/domain/withdraws/spending-limits.ts";
import { env, type TestCompany } from "./env.ts";
import { issueKey } from "./credentials.ts";

interface Limits {
  scopes?: readonly Scope[];
  networks?: string[];
  expiresAt?: number;
  spendingLimits?: SpendingLimits | null;
}

/** One more application of a company, with a key; as a company whose calls are that application's. */
export async function givenApplication(
  company: TestCompany,
  { scopes = SCOPES, networks, expiresAt, spendingLimits }: Limits = {},
): Promise<TestCompany> {
  const clientId = `app_test_${newUuid(systemRandom)}`;
  await env.DB.prepare(
    `INSERT INTO applications (client_id, company_id, name, scopes, scopes_version, created_at, networks, expires_at, mandate)
     VALUES (?, ?, 'Another', ?, ?, ?, ?, ?, ?)`,
  )
    .bind(
      clientId,
      company.id,
      scopes.join(" "),
      SCOPES_VERSION,
      Date.now(),
      networks === undefined ? null : JSON.stringify(networks),
      expiresAt ?? null,
      spendingLimits === undefined || spendingLimits === null
        ? null
        : JSON.stringify(spendingLimits),
    )
    .run();
  const apiKey = await issueKey({ ...company, clientId });
  const credentials = { "X-Client-Id": clientId, "X-API-Key": apiKey };
  return { ...company, clientId, apiKey, credentials };
}

/** Sets the daily limit of an application's refunds, in centavos. */
export async function limitRefunds({ clientId }: TestCompany, dailyLimit: number): Promise<void> {
  await env.DB.prepare("UPDATE applications SET refund_daily_limit = ? WHERE client_id = ?")
    .bind(dailyLimit, clientId)
    .run();
}
