import { listAuditEntries } from "../../../../src/db/audit-entries.ts";
import type { AuditEntry } from "../../../../src/domain/access/audit-entry.ts";
import { env } from "../../builders/companies/env.ts";

const PAGE = 1_000;

/** The entries of a trail, oldest first: all of them, for the gateway's has those of every test. */
export async function auditEntriesOf(companyId: number): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (;;) {
    const after = entries.at(-1)?.sequence ?? 0;
    const page = await listAuditEntries(env, companyId, after, PAGE);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}
