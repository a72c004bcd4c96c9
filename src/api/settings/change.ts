import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import {
  findSettings,
  writeSettings,
  type CompanySettings,
  type OtherSettings,
} from "../../db/company-settings.ts";
import { COMPANY_GUARDS, companyAt, roleLimitField } from "../../domain/access/company-guards.ts";
import { planChange, settledAt, type PendingSetting } from "../../domain/access/pending-setting.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { Brand } from "../../domain/shared/company.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";
import { tooManyVersionConflicts } from "../../http/auth/optimistic-auth.ts";
import { notFound } from "../../http/problems.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import type { ChangeSettings } from "./schemas.ts";
import { updateCredentials } from "./update-credentials.ts";

/** Attempts of a write. Each conflict means that the company's credentials changed after they were read. */
const ATTEMPTS_MAX = 4;

/** Whose settings change, by whom and when. */
export interface SettingsContext {
  companyId: number;
  by: Requester;
  nowMs: number;
}

/**
 * Changes the settings that are sent and keeps the others; returns all. What is tighter holds at once. What is looser
 * waits for the cool-down that holds now, at least a day, and is announced; `loosened` is that part.
 */
export async function changeSettings(
  env: Env,
  context: SettingsContext,
  request: z.output<typeof ChangeSettings>,
): Promise<{ settings: CompanySettings; loosened: PendingSetting[] }> {
  const { companyId, by, nowMs } = context;
  const change = guardedChangeOf(request);
  const changed = await writeAtVersion(env, companyId, (stored) => {
    const { withdrawPolicy } = companyAt(stored, nowMs);
    const plan = planChange(
      COMPANY_GUARDS,
      { settings: stored, pending: stored.pendingSettings },
      change,
      { by: by.id, nowMs, delayMs: coolDownMs(withdrawPolicy) },
    );
    return { ...plan, others: otherSettingsOf(request) };
  });
  const { loosened } = changed.plan;
  await announceLoosened(env, context, loosened, null);
  return { settings: changed.settings, loosened };
}

/** Refuses a loosened setting that waits: the tighter one stays. Throws 404 if none waits. */
export async function refusePending(
  env: Env,
  { companyId, nowMs }: Pick<SettingsContext, "companyId" | "nowMs">,
  field: string,
): Promise<CompanySettings> {
  const { settings } = await writeAtVersion(env, companyId, (stored) => {
    const now = settledAt(
      COMPANY_GUARDS,
      { settings: stored, pending: stored.pendingSettings },
      nowMs,
    );
    const pending = now.pending.filter((each) => each.field !== field);
    if (pending.length === now.pending.length) throw notFound("pending setting");
    return { settings: now.settings, pending };
  });
  return settings;
}

/**
 * Announces loosened settings by the object's events, once. After the write, so that nothing is announced that does not
 * wait; a repeated request announces what a lost answer left out.
 */
export async function announceLoosened(
  env: Env,
  { companyId, by }: Pick<SettingsContext, "companyId" | "by">,
  loosened: readonly PendingSetting[],
  applicationId: string | null,
): Promise<void> {
  if (loosened.length === 0) return;
  const changes = loosened.map(({ by: _by, ...change }) => change);
  await callCompany(env, companyId, (account) =>
    account.announceSettingsChange({ companyId, applicationId, changes, requestedBy: by }),
  );
}

/** Reads, plans and writes settings until nothing else has changed meanwhile. */
async function writeAtVersion<
  Plan extends Parameters<typeof writeSettings>[2] & { others?: OtherSettings },
>(
  env: Env,
  companyId: number,
  planOf: (stored: CompanySettings) => Plan,
): Promise<{ settings: CompanySettings; plan: Plan }> {
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
    const stored = await findSettings(env, companyId);
    if (stored === null) throw notFound("company");
    const plan = planOf(stored.settings);
    const company = { id: companyId, version: stored.version };
    const settings = await updateCredentials(env, companyId, () =>
      writeSettings(env, company, plan, plan.others),
    );
    if (settings !== null) return { settings, plan };
  }
  throw tooManyVersionConflicts();
}

/** The rules of money that a request names, by the name that each waits under. */
function guardedChangeOf(request: z.output<typeof ChangeSettings>): Record<string, unknown> {
  const { allowedPixKeys, roleLimits = {} } = request;
  const ofRoles = Object.entries(roleLimits).map(([role, limits]) => [
    roleLimitField(role),
    limits?.refundDailyLimit,
  ]);
  return withoutUndefined({
    duplicateWithdrawGuard: request.duplicateWithdrawGuard,
    withdrawDailyLimit: request.withdrawDailyLimit,
    withdrawNightLimit: request.withdrawNightLimit,
    withdrawKeyDailyLimit: request.withdrawKeyDailyLimit,
    withdrawApprovalAbove: request.withdrawApprovalAbove,
    "allowedPixKeys.enforced": allowedPixKeys?.enforced,
    "allowedPixKeys.coolDownHours": allowedPixKeys?.coolDownHours,
    refundDailyLimit: request.refundDailyLimit,
    refundApprovalAbove: request.refundApprovalAbove,
    ...(Object.fromEntries(ofRoles) as Record<string, unknown>),
  });
}

function otherSettingsOf(request: z.output<typeof ChangeSettings>): OtherSettings {
  return {
    retentionDays: request.retentionDays,
    unexpectedPayments: request.unexpectedPayments && withoutUndefined(request.unexpectedPayments),
    brand: request.brand && brandChange(request.brand),
    embedOrigins: request.embedOrigins && originsOf(request.embedOrigins),
    reminders: request.reminders,
  };
}

function brandChange(sent: Record<string, string | null | undefined>): Partial<Brand> {
  const { color, ...rest } = sent;
  return withoutUndefined({ ...rest, color: color?.toLowerCase() ?? color }) as Partial<Brand>;
}

/** Checked origins as a browser writes them, each once. */
function originsOf(sent: string[]): string[] {
  return [...new Set(sent.map((origin) => new URL(origin).origin))];
}
