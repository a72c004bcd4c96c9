import { and, eq, gt, isNull, or } from "drizzle-orm";
import { SCOPES, type Company, type Scope } from "../domain/company.ts";
import {
  DEFAULT_FEES,
  DEFAULT_RELEASE_DAYS,
  FEE_KINDS,
  type CompanyTerms,
} from "../domain/fees.ts";
import { MIN_WITHDRAW_CENTS } from "../domain/money.ts";
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
    terms: toCompanyTerms(row),
  };
}

/** What was agreed with a company, the defaults where nothing was. */
export function toCompanyTerms(
  row: Pick<typeof companies.$inferSelect, "fees" | "releaseDays" | "minimumWithdraw">,
): CompanyTerms {
  const fees = { ...DEFAULT_FEES };
  for (const kind of FEE_KINDS) fees[kind] = { ...fees[kind], ...row.fees?.[kind] };
  return {
    fees,
    releaseDays: { ...DEFAULT_RELEASE_DAYS, ...row.releaseDays },
    minimumWithdraw: row.minimumWithdraw ?? MIN_WITHDRAW_CENTS,
  };
}
