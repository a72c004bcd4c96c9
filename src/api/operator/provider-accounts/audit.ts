import type { AuditValues } from "../../../domain/access/audit-entry.ts";
import { isPixApi, type AccountConnection } from "../../../domain/psp/psp-account.ts";
import { auditedSettings, withoutQuery } from "../pix-api/audit.ts";
import { kindOf } from "./schemas.ts";
import type { NewAccount } from "./service.ts";

type Audited = AccountConnection &
  Pick<NewAccount, "account" | "methods" | "priority" | "conditions"> & { state?: string };

/** An account for the audit trail, without secrets. */
export function auditedAccount(shown: Audited): AuditValues {
  const { account, provider, methods, priority, conditions, state = "active" } = shown;
  const settings = isPixApi(shown)
    ? auditedSettings(shown.settings)
    : { ...shown.settings, baseUrl: withoutQuery(shown.settings.baseUrl) };
  const terms = { methods, priority, conditions, state };
  return { account, provider: kindOf(provider), ...terms, settings };
}
