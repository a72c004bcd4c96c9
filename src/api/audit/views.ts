import type { AuditEntry } from "../../domain/access/audit-entry.ts";
import { isoTime } from "../../domain/shared/clock.ts";

/** An audit entry as the API shows it: all that its hash covers. */
export function auditEntryView({ actor, at, ...entry }: AuditEntry) {
  const { keyPrefix, ...who } = actor;
  return {
    companyId: entry.companyId,
    sequence: entry.sequence,
    at: isoTime(at),
    actor: who,
    keyPrefix,
    action: entry.action,
    target: entry.target,
    before: entry.before,
    after: entry.after,
    reason: entry.reason,
    address: entry.address,
    traceId: entry.traceId,
    hash: entry.hash,
  };
}
