import type { z } from "@hono/zod-openapi";
import type { ApplicationRow, ApplicationSettings } from "../../db/companies/applications.ts";
import type { AuditValues } from "../../domain/access/audit-entry.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import type { SpendingLimits } from "../../domain/withdraws/spending-limits.ts";
import { pendingView } from "../settings/views.ts";
import { maskPixKey } from "../../domain/access/masks.ts";
import { isoTime, isoTimeOrNull } from "../../domain/shared/clock.ts";
import { scopesOf } from "../../domain/shared/company.ts";
import { parsePixKey } from "../../domain/shared/pix-key.ts";
import type { ChangeApplication } from "./schemas.ts";

/** An application as the API shows it. */
export function applicationView(row: ApplicationRow) {
  const { clientId, name, networks, expiresAt } = row;
  const spendingLimits = spendingLimitsView(row.spendingLimits);
  return {
    id: clientId,
    clientId,
    name,
    scopes: [...scopesOf(row.scopes, row.scopesVersion)],
    networks,
    expiresAt: isoTimeOrNull(expiresAt),
    spendingLimits,
    // Its name until 2.0.
    mandate: spendingLimits,
    refundDailyLimit: row.refundDailyLimit,
    pending: pendingView((row.pendingSettings ?? []).map(shownLimit)),
    createdAt: isoTime(row.createdAt),
  };
}

/** A limit that waits as the API shows it: spending limits with their time as text. */
function shownLimit(waiting: PendingSetting): PendingSetting {
  const { from, to } = waiting;
  const shown = (value: unknown) =>
    waiting.field === "spendingLimits" ? spendingLimitsView(value as SpendingLimits | null) : value;
  return { ...waiting, from: shown(from), to: shown(to) };
}

/** An application's spending limits, centavos; null for none. */
export function spendingLimitsView(spendingLimits: SpendingLimits | null) {
  return spendingLimits === null
    ? null
    : { ...spendingLimits, until: isoTimeOrNull(spendingLimits.until) };
}

/** A limit that waits as events show it: with PIX keys masked. */
export function announcedLimit(waiting: PendingSetting): PendingSetting {
  const masked = (value: unknown) => {
    const spendingLimits = value as SpendingLimits | null;
    if (waiting.field !== "spendingLimits" || spendingLimits === null) return value;
    return spendingLimitsView({
      ...spendingLimits,
      pixKeys: spendingLimits.pixKeys?.map(maskedPixKey) ?? null,
    });
  };
  return { ...waiting, from: masked(waiting.from), to: masked(waiting.to) };
}

/** The columns of the fields that a request sends, by either name of the spending limits. */
export function settingsOf(
  request: z.output<typeof ChangeApplication>,
): Partial<ApplicationSettings> {
  const { scopes, mandate, spendingLimits = mandate, ...others } = request;
  const sent = Object.entries({ ...others, spendingLimits, scopes: scopes?.join(" ") });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** An application's settings for the audit trail, with PIX keys masked. */
export function auditedSettings(settings: Partial<ApplicationSettings>): AuditValues {
  const { spendingLimits } = settings;
  if (spendingLimits === undefined || spendingLimits === null) return { ...settings };
  return {
    ...settings,
    spendingLimits: {
      ...spendingLimits,
      pixKeys: spendingLimits.pixKeys?.map(maskedPixKey) ?? null,
    },
  };
}

/** The part of an application that the audit trail shows. */
export function settingsIn(row: ApplicationRow): ApplicationSettings {
  const { name, scopes, networks, expiresAt, spendingLimits, refundDailyLimit } = row;
  return { name, scopes, networks, expiresAt, spendingLimits, refundDailyLimit };
}

/** `key`: canonical; eleven digits are a CPF there, because a phone has its `+55`. */
function maskedPixKey(key: string): string {
  const parsed = parsePixKey(key, /^\d{11}$/.test(key) ? "CPF" : undefined);
  return parsed.kind === "valid" ? maskPixKey(parsed.key) : "***";
}
