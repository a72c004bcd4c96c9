import type { z } from "@hono/zod-openapi";
import { findSelfCheck } from "../../../db/reconciliation/self-checks.ts";
import { saveAcknowledgement } from "../../../db/watch/alarms.ts";
import { saveProviderExpiry } from "../../../db/watch/providers.ts";
import type { Env } from "../../../config.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { pixApiAccount } from "../../../domain/psp/psp-account.ts";
import { invalidState } from "../../../http/problems.ts";
import type { AccessEnd } from "./watch-schemas.ts";

/** Notes that somebody knows of the violations of a company's last check. Throws 409 without any. */
export async function acknowledgeViolations(
  env: Env,
  companyId: number,
  { by, reason, nowMs }: { by: string; reason: string; nowMs: number },
) {
  const violations = (await findSelfCheck(env, companyId))?.violations ?? [];
  if (violations.length === 0)
    throw invalidState("The company's last check found no violation", "unchanged");
  await saveAcknowledgement(env, {
    companyId,
    violations: JSON.stringify(violations),
    at: nowMs,
    actorName: by,
    reason,
  });
  return { at: isoTime(nowMs), by, reason };
}

/** Stores when a company's access to its current PSP account ends. Throws 409 without a PSP. */
export async function saveAccessEnd(
  env: Env,
  { id: companyId, accounts }: Company,
  ends: z.output<typeof AccessEnd>,
): Promise<void> {
  const current = pixApiAccount(accounts);
  if (current === null) throw invalidState("The company has no PSP", "no_provider");
  const { account, settings } = current;
  await saveProviderExpiry(env, {
    companyId,
    account,
    host: new URL(settings.baseUrl).host,
    certificateExpiresAt: timeOf(ends.certificateExpiresAt),
    credentialsExpireAt: timeOf(ends.credentialsExpireAt),
  });
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
