import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { NO_BRAND, scopesOf, type Company, type Scope } from "../../domain/shared/company.ts";
import { DEFAULT_FEES, FEE_KINDS, type CompanyTerms } from "../../domain/ledger/fees.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import { NO_REMINDERS } from "../../domain/reminders/reminder.ts";
import type { Standing } from "../../domain/access/standing.ts";
import { DEFAULT_ROLE_LIMITS, type RefundPolicy } from "../../domain/exits/refund-policy.ts";
import { DEFAULT_RELEASE_DAYS } from "../../methods/registry.ts";
import { MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import type { PspAccount } from "../../domain/psp/psp-account.ts";
import { STOP_REASON_BITS } from "../../domain/storage/storage-limits.ts";
import { unexpectedRules } from "../../domain/charges/unexpected-payment.ts";
import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import type { SpendingLimits } from "../../domain/withdraws/spending-limits.ts";
import type { WithdrawPolicy } from "../../domain/withdraws/withdraw-policy.ts";
import type { Env } from "../../config.ts";
import { databaseFor, databaseOfClient } from "../client.ts";
import { prepareOnce, type Parameter } from "../prepared-query.ts";
import { OLD_METHODS } from "../schema/psp-accounts.ts";
import { apiKeys, applications, companies } from "../schema/companies.ts";

export interface Credentials {
  company: Company;
  application: Application;
  scopes: ReadonlySet<Scope>;
  /** The application's active keys. */
  keys: ApplicationKey[];
}

/** An application as authentication reads it. Times in Unix milliseconds. */
interface Application {
  clientId: string;
  name: string;
  /** CIDR networks that requests may come from; null for any. */
  networks: string[] | null;
  expiresAt: number | null;
  spendingLimits: SpendingLimits | null;
  /** Centavos that it sends back a day (America/Sao_Paulo); null for no limit of its own. */
  refundDailyLimit: number | null;
  standing: Standing;
  /** Limits that were loosened; they hold from the time that each waits for (`applicationAt`). */
  pendingSettings: PendingSetting[] | null;
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

/** An application's key. `standing`: who issued it, where that was not its application or the operator. */
export interface ApplicationKey extends ActiveKey {
  standing: Standing;
}

/**
 * The connected accounts of a query's company (JSON of `PspAccount`), with the one of `company_providers` that was not
 * carried over yet. Each part names the company itself: a view would be read whole.
 */
const COMPANY_ACCOUNTS = sql<string>`(
  SELECT json_group_array(json_object('account', account, 'provider', provider, 'settings', json(settings),
    'sealed', sealed, 'methods', json(methods), 'priority', priority, 'conditions', json(conditions), 'state', state,
    'createdAt', created_at))
  FROM (
    SELECT account, provider, settings, sealed, methods, priority, conditions, state, created_at FROM psp_accounts
    WHERE company_id = companies.id AND state IN ('active', 'draining')
    UNION ALL
    SELECT account, provider, settings, sealed,
      ${OLD_METHODS}, 1, '{}', 'active', created_at
    FROM company_providers WHERE company_id = companies.id AND NOT EXISTS (
      SELECT 1 FROM psp_accounts AS carried
      WHERE carried.company_id = companies.id AND carried.account = company_providers.account)))`;

/** What `toCompany` takes of a query on `companies`. */
export const COMPANY_COLUMNS = { company: companies, accounts: COMPANY_ACCOUNTS.as("accounts") };

const selectCredentials = prepareOnce((db, value: Parameter<{ clientId: string; nowMs: number }>) =>
  db
    .select({
      application: applications,
      ...COMPANY_COLUMNS,
      key: {
        id: apiKeys.id,
        hash: apiKeys.keyHash,
        prefix: apiKeys.prefix,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        createdAt: apiKeys.createdAt,
        givenBy: apiKeys.givenBy,
      },
    })
    .from(applications)
    .innerJoin(companies, eq(companies.id, applications.companyId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.clientId, applications.clientId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, value("nowMs"))),
      ),
    )
    .where(
      and(
        eq(applications.clientId, value("clientId")),
        isNull(applications.deletedAt),
        isNull(companies.closedAt),
      ),
    ),
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
  const rows = await selectCredentials(await databaseOfClient(env, clientId), { clientId, nowMs });
  const [first] = rows;
  if (first === undefined) return null;
  const { name, networks, expiresAt, spendingLimits, refundDailyLimit, pendingSettings } =
    first.application;
  const standing = standingOf(first.application.givenAt, first.application.givenBy);
  return {
    company: toCompany(first),
    application: {
      clientId,
      name,
      networks,
      expiresAt,
      spendingLimits,
      refundDailyLimit,
      standing,
      pendingSettings,
    },
    scopes: scopesOf(first.application.scopes, first.application.scopesVersion),
    keys: rows.flatMap(({ key }) => {
      if (key === null) return [];
      const { createdAt, givenBy, ...active } = key;
      return [{ ...active, standing: standingOf(givenBy === null ? null : createdAt, givenBy) }];
    }),
  };
}

/** A stored standing; nulls for rights that the operator gave or that are older than the record. */
export function standingOf(givenAt: number | null, givenBy: string[] | null): Standing {
  return { since: givenAt ?? 0, givenBy: givenBy ?? [] };
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

/** Maps a company's row and its accounts (`COMPANY_COLUMNS`) to the domain's `Company`. */
export function toCompany({
  company: row,
  accounts,
}: {
  company: typeof companies.$inferSelect;
  accounts: string;
}): Company {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    clockOffsetMs: row.clockOffsetMs,
    sandboxFaults: row.mode === "sandbox" ? (row.sandboxFaults ?? []) : [],
    providerCompanyId: row.providerCompanyId,
    mainPixKey:
      row.mainPixKey === null || row.mainPixKeyType === null
        ? null
        : { type: row.mainPixKeyType satisfies PixKeyType, value: row.mainPixKey },
    mainPixKeySince: row.mainPixKeySince,
    bankDocument: row.bankDocument,
    webhookUrl: row.webhookUrl,
    withdrawPolicy: toWithdrawPolicy(row),
    refundPolicy: toRefundPolicy(row),
    pendingSettings: row.pendingSettings ?? [],
    unexpectedPayments: unexpectedRules(row.unexpectedPayments),
    retentionDays: row.retentionDays,
    brand: { ...NO_BRAND, ...row.brand },
    embedOrigins: row.embedOrigins ?? [],
    reminders: row.reminders ?? NO_REMINDERS,
    terms: toCompanyTerms(row),
    accounts: accountsOf(accounts),
    chargesStopped: stopOf(row.chargesStopped),
    quotaPercent: row.quotaPercent,
    leadKeySealed: row.leadKeySealed,
    credentialsVersion: row.credentialsVersion,
  };
}

function accountsOf(stored: string): PspAccount[] {
  const accounts = JSON.parse(stored) as PspAccount[];
  return accounts.toSorted(
    (left, right) => left.priority - right.priority || (left.account < right.account ? -1 : 1),
  );
}

function stopOf(bits: number): Company["chargesStopped"] {
  if ((bits & STOP_REASON_BITS.freeze) !== 0) return "freeze";
  return bits === 0 ? null : "storage";
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

/** A company's own rules for refunds and returns, from its row. */
export function toRefundPolicy(row: typeof companies.$inferSelect): RefundPolicy {
  return {
    dailyLimit: row.refundDailyLimit,
    approvalAbove: row.refundApprovalAbove,
    roleLimits: { ...DEFAULT_ROLE_LIMITS, ...row.roleLimits },
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
