import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { changeArchive } from "../../db/archive/change-archive.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { inBackground } from "../../lib/in-background.ts";
import { errorFields, log } from "../../lib/log.ts";

/**
 * Archives a charge as its create was answered, without waiting for it (docs/restore.md). What the archive does not take
 * the company's object keeps, until it does.
 */
export async function archiveCharge(env: Env, row: TransactionRow, nowMs: number): Promise<void> {
  const archive = changeArchive(env);
  if (archive === null) return;
  const { companyId } = row;
  const change = { charges: [row], entries: [] };
  const keep = async (error: unknown) => {
    log("error", "archive_failed", { ...errorFields(error), companyId });
    await callCompany(env, companyId, (account) => account.keepUnarchived({ companyId, change }));
  };
  await inBackground(archive.put(companyId, change, nowMs).catch(keep));
}
