import type { z } from "@hono/zod-openapi";
import type { ApplicationRow, ApplicationSettings } from "../../db/companies/applications.ts";
import type { AuditValues } from "../../domain/access/audit-entry.ts";
import { maskPixKey } from "../../domain/access/masks.ts";
import { isoTime, isoTimeOrNull } from "../../domain/shared/clock.ts";
import { scopesOf } from "../../domain/shared/company.ts";
import { parsePixKey } from "../../domain/shared/pix-key.ts";
import type { ChangeApplication } from "./schemas.ts";

/** An application as the API shows it. */
export function applicationView(row: ApplicationRow) {
  const { clientId, name, networks, expiresAt, mandate } = row;
  return {
    id: clientId,
    clientId,
    name,
    scopes: [...scopesOf(row.scopes, row.scopesVersion)],
    networks,
    expiresAt: isoTimeOrNull(expiresAt),
    mandate: mandate === null ? null : { ...mandate, until: isoTimeOrNull(mandate.until) },
    refundDailyLimit: row.refundDailyLimit,
    createdAt: isoTime(row.createdAt),
  };
}

/** The columns of the fields that a request sends. */
export function settingsOf(
  request: z.output<typeof ChangeApplication>,
): Partial<ApplicationSettings> {
  const { scopes, ...others } = request;
  const sent = Object.entries({ ...others, scopes: scopes?.join(" ") });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** An application's settings for the audit trail, with PIX keys masked. */
export function auditedSettings(settings: Partial<ApplicationSettings>): AuditValues {
  const { mandate } = settings;
  if (mandate === undefined || mandate === null) return { ...settings };
  return {
    ...settings,
    mandate: { ...mandate, pixKeys: mandate.pixKeys?.map(maskedPixKey) ?? null },
  };
}

/** The part of an application that the audit trail shows. */
export function settingsIn(row: ApplicationRow): ApplicationSettings {
  const { name, scopes, networks, expiresAt, mandate, refundDailyLimit } = row;
  return { name, scopes, networks, expiresAt, mandate, refundDailyLimit };
}

/** `key`: canonical; eleven digits are a CPF there, because a phone has its `+55`. */
function maskedPixKey(key: string): string {
  const parsed = parsePixKey(key, /^\d{11}$/.test(key) ? "CPF" : undefined);
  return parsed.kind === "valid" ? maskPixKey(parsed.key) : "***";
}
