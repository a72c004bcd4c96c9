import { listAuditEntries } from "../../../../src/db/audit-entries.ts";
import type { AuditEntry } from "../../../../src/domain/access/audit-entry.ts";
import { env } from "../../builders/companies/env.ts";

const ENTRIES_MAX = 1_000;

/** The entries of a trail, oldest first. */
export function auditEntriesOf(companyId: number): Promise<AuditEntry[]> {
  return listAuditEntries(env, companyId, 0, ENTRIES_MAX);
}
