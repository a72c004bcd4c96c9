import { and, eq } from "drizzle-orm";
import type { Policies } from "../domain/access/company-guards.ts";
import type { WithPending } from "../domain/access/pending-setting.ts";
import {
  unexpectedRules,
  type UnexpectedPaymentRules,
} from "../domain/charges/unexpected-payment.ts";
import { NO_BRAND, type Brand, type Company } from "../domain/shared/company.ts";
import { NO_REMINDERS, type Reminders } from "../domain/reminders/reminder.ts";
import type { WithdrawPolicy } from "../domain/withdraws/withdraw-policy.ts";
import type { Env } from "../config.ts";
import { withoutUndefined } from "../lib/without-undefined.ts";
import { databaseFor } from "./client.ts";
import { companies } from "./schema/companies.ts";
import { runIdempotent } from "./storage-errors.ts";
import { mergePatch } from "./companies/companies.ts";
import { toRefundPolicy, toWithdrawPolicy } from "./companies/credentials.ts";
import { isCurrentVersion } from "./companies/credentials-version.ts";

/** The settings that a company sets for itself. */
export type CompanySettings = Policies &
  Pick<
    Company,
    | "pendingSettings"
    | "unexpectedPayments"
    | "retentionDays"
    | "brand"
    | "embedOrigins"
    | "reminders"
  >;

/** A partial change of the withdraw policy. Parts left out stay. */
export interface PolicyChange extends Partial<Omit<WithdrawPolicy, "allowedPixKeys">> {
  allowedPixKeys?: Partial<WithdrawPolicy["allowedPixKeys"]>;
}

/** New values of settings that guard no money. Those left out stay. */
export interface OtherSettings {
  retentionDays?: number | null | undefined;
  unexpectedPayments?: UnexpectedPaymentRules | undefined;
  brand?: Partial<Brand> | undefined;
  embedOrigins?: string[] | undefined;
  reminders?: Reminders | undefined;
}

/** A company's settings as they are stored, with the version of its credentials; null if there is no such company. */
export async function findSettings(
  env: Env,
  companyId: number,
): Promise<{ settings: CompanySettings; version: number } | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(companies)
    .where(eq(companies.id, companyId));
  return row === undefined ? null : { settings: toSettings(row), version: row.credentialsVersion };
}

/**
 * Writes the rules of money with what waits, and the other settings that are given, if the company's credentials still
 * have the version; returns all. Null if they have another one.
 */
export async function writeSettings(
  env: Env,
  company: { id: number; version: number },
  { settings: policies, pending }: WithPending<Policies>,
  others: OtherSettings = {},
): Promise<CompanySettings | null> {
  const { unexpectedPayments, brand } = others;
  const [row] = await runIdempotent(() =>
    databaseFor(env, company.id)
      .update(companies)
      .set({
        ...columnsOf(policies),
        pendingSettings: pending.length === 0 ? null : [...pending],
        ...withoutUndefined({
          retentionDays: others.retentionDays,
          embedOrigins: others.embedOrigins,
          reminders: others.reminders,
        }),
        ...(unexpectedPayments === undefined
          ? {}
          : { unexpectedPayments: mergePatch(companies.unexpectedPayments, unexpectedPayments) }),
        ...(brand === undefined ? {} : { brand: mergePatch(companies.brand, brand) }),
      })
      .where(and(eq(companies.id, company.id), isCurrentVersion(company.id, company.version)))
      .returning()
      .all(),
  );
  return row === undefined ? null : toSettings(row);
}

function columnsOf({ withdrawPolicy, refundPolicy }: Policies) {
  const { allowedPixKeys } = withdrawPolicy;
  return {
    duplicateWithdrawGuard: withdrawPolicy.duplicateGuard,
    withdrawDailyLimit: withdrawPolicy.dailyLimit,
    withdrawNightLimit: withdrawPolicy.nightLimit,
    withdrawKeyDailyLimit: withdrawPolicy.keyDailyLimit,
    withdrawApprovalAbove: withdrawPolicy.approvalAbove,
    allowedPixKeysEnforced: allowedPixKeys.enforced,
    allowedPixKeysCoolDownHours: allowedPixKeys.coolDownHours,
    refundDailyLimit: refundPolicy.dailyLimit,
    refundApprovalAbove: refundPolicy.approvalAbove,
    roleLimits: refundPolicy.roleLimits,
  };
}

function toSettings(row: typeof companies.$inferSelect): CompanySettings {
  return {
    withdrawPolicy: toWithdrawPolicy(row),
    refundPolicy: toRefundPolicy(row),
    pendingSettings: row.pendingSettings ?? [],
    unexpectedPayments: unexpectedRules(row.unexpectedPayments),
    retentionDays: row.retentionDays,
    brand: { ...NO_BRAND, ...row.brand },
    embedOrigins: row.embedOrigins ?? [],
    reminders: row.reminders ?? NO_REMINDERS,
  };
}
