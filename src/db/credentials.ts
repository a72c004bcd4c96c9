import { and, eq, gt, isNull, or } from "drizzle-orm";
import { SCOPES, type Company, type Scope } from "../domain/company.ts";
import type { PixKeyType } from "../domain/pix-key.ts";
import type { Env } from "../env.ts";
import { directoryOf } from "./client.ts";
import { apiKeys, applications, companies } from "./schema/companies.ts";

export interface Credentials {
  company: Company;
  scopes: ReadonlySet<Scope>;
  /** SHA-256 of the keys that are active now. */
  keyHashes: string[];
}

/** One read of an application with its company and the company's active keys. */
export async function findCredentials(
  env: Env,
  clientId: string,
  nowMs: number,
): Promise<Credentials | null> {
  const rows = await directoryOf(env)
    .select({ scopes: applications.scopes, company: companies, keyHash: apiKeys.keyHash })
    .from(applications)
    .innerJoin(companies, eq(companies.id, applications.companyId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.companyId, companies.id),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)),
      ),
    )
    .where(eq(applications.clientId, clientId));
  const [first] = rows;
  if (first === undefined) return null;
  return {
    company: toCompany(first.company),
    scopes: new Set(SCOPES.filter((scope) => first.scopes.split(" ").includes(scope))),
    keyHashes: rows.flatMap((row) => (row.keyHash === null ? [] : [row.keyHash])),
  };
}

export function toCompany(row: typeof companies.$inferSelect): Company {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    providerCompanyId: row.providerCompanyId,
    mainPixKey:
      row.mainPixKey === null || row.mainPixKeyType === null
        ? null
        : { type: row.mainPixKeyType satisfies PixKeyType, value: row.mainPixKey },
    bankDocument: row.bankDocument,
    webhookUrl: row.webhookUrl,
    withdrawPolicy: {
      duplicateGuard: row.duplicateWithdrawGuard,
      dailyLimit: row.withdrawDailyLimit,
    },
  };
}
