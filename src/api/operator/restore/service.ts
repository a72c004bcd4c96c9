import { callCompany } from "../../../company-client/stub.ts";
import { hasArchive, readArchive, archiveKeyAt } from "../../../db/archive/change-archive.ts";
import { newestNumbers } from "../../../db/archive/newest-numbers.ts";
import { missingEvents } from "../../../db/projection/projection-diff.ts";
import { projectionWriter } from "../../../db/projection/projection-writer.ts";
import type { Env } from "../../../config.ts";
import { EntryRejected, subjectOf, type OutboxEntry } from "../../../domain/events/outbox-entry.ts";
import { restoreCharge } from "../../transactions/repository.ts";
import { EMPTY_QUERY, fetchSnapshot } from "../audit/service.ts";

/** Objects of the archive that one step reads: each is up to 20 entries, and up to 20 charges of six statements. */
const CHANGES_MAX = 5;

/** What one step of a restore did. */
export interface RestoreStep {
  /** Whether an archive is bound; without one only the numbers are raised. */
  archive: boolean;
  /** Send it back for the next step; null after the last one. */
  after: string | null;
  changes: number;
  /** Events of the object that got a new number, in the last step. */
  renumbered: number;
  /** What could not be written again, with the reason. */
  refused: string[];
}

/**
 * One bounded step: writes a page of the archive to D1 again, then, in the last step, raises the object's numbers
 * above D1's. Safe to repeat: what D1 has stays. The company must be frozen before.
 */
export async function restoreStep(
  env: Env,
  companyId: number,
  { after, since, nowMs }: { after: string; since: number; nowMs: number },
): Promise<RestoreStep> {
  const start = after === "" ? archiveKeyAt(companyId, since) : after;
  const page = await readArchive(env, companyId, start, CHANGES_MAX);
  const refused: string[] = [];
  for (const { charges, entries } of page.changes) {
    for (const charge of charges) {
      if (await restoreCharge(env, charge)) continue;
      refused.push(`transaction ${charge.id} was made again under its idempotency key`);
    }
    refused.push(...(await writeAgain(env, companyId, entries, nowMs)));
  }
  const renumbered = page.after === null ? await raiseNumbers(env, companyId) : 0;
  return {
    archive: hasArchive(env),
    after: page.after,
    changes: page.changes.length,
    renumbered,
    refused,
  };
}

/** All entries in one batch or, if D1 refuses it, one by one. Returns the refusals. */
async function writeAgain(
  env: Env,
  companyId: number,
  entries: OutboxEntry[],
  nowMs: number,
): Promise<string[]> {
  if (entries.length === 0) return [];
  try {
    await projectionWriter(env).write(companyId, entries, nowMs);
    return [];
  } catch (error) {
    if (!(error instanceof EntryRejected)) throw error;
    const [first] = entries;
    if (first !== undefined && entries.length === 1) {
      return [`${subjectOf(first)}: ${error.message}`];
    }
  }
  const refusals = [];
  for (const entry of entries) refusals.push(...(await writeAgain(env, companyId, [entry], nowMs)));
  return refusals;
}

/** Events that the object gave a number that D1 had are set aside by its drain; they get new ones. */
async function raiseNumbers(env: Env, companyId: number): Promise<number> {
  await callCompany(env, companyId, (account) => account.runNow());
  const { backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const waiting = backlog.setAsideEvents;
  const missing = new Set(waiting.length === 0 ? [] : await missingEvents(env, companyId, waiting));
  const takenEvents = waiting.filter((number) => !missing.has(number));
  const newest = await newestNumbers(env, companyId);
  return callCompany(env, companyId, (account) =>
    account.raiseNumbers(companyId, { ...newest, takenEvents }),
  );
}
