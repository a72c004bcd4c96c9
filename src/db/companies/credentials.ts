import { and, eq, gt, isNull, or } from "drizzle-orm";
import { NO_BRAND, SCOPES, type Company, type Scope } from "../../domain/shared/company.ts";
import { DEFAULT_FEES, FEE_KINDS, type CompanyTerms } from "../../domain/ledger/fees.ts";
import { DEFAULT_RELEASE_DAYS } from "../../methods/registry.ts";
import { MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import type { StoredPixApi } from "../../domain/shared/psp-settings.ts";
import { unexpectedRules } from "../../domain/charges/unexpected-payment.ts";
import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import type { Mandate } from "../../domain/withdraws/mandate.ts";
import type { WithdrawPolicy } from "../../domain/withdraws/withdraw-policy.ts";
import type { Env } from "../../config.ts";
import { databaseFor, databaseOfClient } from "../client.ts";
import { companyProviders } from "../schema/company-providers.ts";
import { apiKeys, applications, companies } from "../schema/companies.ts";

export interface Credentials {
  company: Company;
  application: Application;
  scopes: ReadonlySet<Scope>;
  /** The application's active keys. */
  keys: ActiveKey[];
}

/** An application as authentication reads it. Times in Unix milliseconds. */
interface Application {
  clientId: string;
  name: string;
  /** CIDR networks that requests may come from; null for any. */
  networks: string[] | null;
  expiresAt: number | null;
  mandate: Mandate | null;
}

/** Times in Unix milliseconds. */
export interface ActiveKey {
  id: number;
  /** SHA-256, in hex. */
  hash: string;
  prefix: string;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/** The PSP columns of a query that joins `JOIN_PIX_API`. */
export const PIX_API_COLUMNS = {
  account: companyProviders.account,
  settings: companyProviders.settings,
  sealed: companyProviders.sealed,
};
export const JOIN_PIX_API = and(
  eq(companyProviders.companyId, companies.id),
  eq(companyProviders.provider, "PixApi"),
);

/**
 * An application with its company, PSP and active keys, in one read; null for a client id that is unknown,
 * deleted, or of a closed company.
 */
export async function findCredentials(
  env: Env,
  clientId: string,
  nowMs: number,
): Promise<Credentials | null> {
  const db = await databaseOfClient(env, clientId);
  const rows = await db
    .select({
      application: applications,
      company: companies,
      key: {
        id: apiKeys.id,
        hash: apiKeys.keyHash,
        prefix: apiKeys.prefix,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
      },
      pixApi: PIX_API_COLUMNS,
    })
    .from(applications)
    .innerJoin(companies, eq(companies.id, applications.companyId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.clientId, applications.clientId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)),
      ),
    )
    .leftJoin(companyProviders, JOIN_PIX_API)
    .where(
      and(
        eq(applications.clientId, clientId),
        isNull(applications.deletedAt),
        isNull(companies.closedAt),
      ),
    );
  const [first] = rows;
  if (first === undefined) return null;
  const { name, networks, expiresAt, mandate } = first.application;
  return {
    company: toCompany(first.company, first.pixApi),
    application: { clientId, name, networks, expiresAt, mandate },
    scopes: scopesOf(first.application.scopes),
    keys: rows.flatMap(({ key }) => (key === null ? [] : [key])),
  };
}

/** The scopes of a stored text; words that are no scope any more are left out. */
export function scopesOf(stored: string): ReadonlySet<Scope> {
  const words = new Set(stored.split(" "));
  return new Set(SCOPES.filter((scope) => words.has(scope)));
}

/** Records that a key was used. The caller does so at most once an hour. */
export async function recordKeyUse(
  env: Env,
  companyId: number,
  keyId: number,
  nowMs: number,
): Promise<void> {
  await databaseFor(env, companyId)
    .update(apiKeys)
    .set({ lastUsedAt: nowMs })
    .where(eq(apiKeys.id, keyId))
    .run();
}

/** Maps the rows of a company and its PSP account to the domain's `Company`. */
export function toCompany(
  row: typeof companies.$inferSelect,
  pixApi: StoredPixApi | null,
): Company {
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
    withdrawPolicy: toWithdrawPolicy(row),
    unexpectedPayments: unexpectedRules(row.unexpectedPayments),
    retentionDays: row.retentionDays,
    brand: { ...NO_BRAND, ...row.brand },
    embedOrigins: row.embedOrigins ?? [],
    terms: toCompanyTerms(row),
    pixApi:
      pixApi === null
        ? null
        : { account: pixApi.account, settings: pixApi.settings, sealed: pixApi.sealed },
    chargesStopped: row.chargesStopped !== 0,
    quotaPercent: row.quotaPercent,
    leadKeySealed: row.leadKeySealed,
    credentialsVersion: row.credentialsVersion,
  };
}

/** A company's own rules for its withdraws, from its row. */
export function toWithdrawPolicy(row: typeof companies.$inferSelect): WithdrawPolicy {
  return {
    duplicateGuard: row.duplicateWithdrawGuard,
    dailyLimit: row.withdrawDailyLimit,
    nightLimit: row.withdrawNightLimit,
    keyDailyLimit: row.withdrawKeyDailyLimit,
    approvalAbove: row.withdrawApprovalAbove,
    allowedPixKeys: {
      enforced: row.allowedPixKeysEnforced,
      coolDownHours: row.allowedPixKeysCoolDownHours,
    },
  };
}

/** A company's terms, with the defaults for the parts that were not agreed. */
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
