import { archiveUnreadable, invalidState } from "../../../http/problems.ts";
import { callCompany } from "../../../company-client/stub.ts";
import { archiveKeyAt } from "../../../db/archive/change-archive.ts";
import { newestNumbers } from "../../../db/archive/newest-numbers.ts";
import { hasArchive, readArchive, type ArchivedCharge } from "../../../db/archive/read-archive.ts";
import { missingEvents } from "../../../db/projection/projection-diff.ts";
import { noteLostRefs } from "../../../db/provider-refs.ts";
import { projectionWriter } from "../../../db/projection/projection-writer.ts";
import { TextsUnreachable } from "../../../db/archive/texts-wait.ts";
import type { Env } from "../../../config.ts";
import { EntryRejected, subjectOf, type OutboxEntry } from "../../../domain/events/outbox-entry.ts";
import { eraseRestored } from "../../payers/erase-subscriptions.ts";
import { rememberChanges, statementsToRemember } from "./remember.ts";
import { restoreCharges } from "./repository.ts";
import { EMPTY_QUERY, fetchSnapshot, writeFreeze } from "../audit/service.ts";

/** Objects of the archive that one step reads at once. */
const READ_MAX = 50;
/** Charges, and entries, that are written in one batch: as many as a drain writes. */
const BATCH_MAX = 20;
/** Statements of D1 that one step runs: an invocation has 1,000, and the last step needs some of its own. */
const STATEMENTS_MAX = 960;
/** At most, for one of each in a batch of many; and for one alone, once D1 has refused that batch. */
const STATEMENTS_OF = {
  charge: { inBatch: 2, alone: 3 },
  entry: { inBatch: 6, alone: 9 },
};
/** What a batch of charges and one of entries read. */
const READS_MAX = 4;

/** Runs of the object, of 1,000 changes each, in one step. */
const ARCHIVE_RUNS_MAX = 10;

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
 * above D1's, and erases the payers in it whom D1 has no more. Safe to repeat: what D1 has stays. The company must be
 * frozen before.
 */
export async function restoreStep(
  env: Env,
  companyId: number,
  { after, since, nowMs }: { after: string; since: number; nowMs: number },
): Promise<RestoreStep> {
  if (after === "") {
    await archiveKept(env, companyId);
    await noteLostRefs(env, companyId, nowMs);
  }
  const start = after === "" ? archiveKeyAt(companyId, since) : after;
  const page = await readArchive(env, companyId, start, READ_MAX);
  const refused: string[] = [];
  let [statements, changes, next] = [0, 0, ""];
  for (const batch of batchesOf(page.changes)) {
    if (statements + statementsOf(batch, true) > STATEMENTS_MAX) break;
    const refusals = await restoreBatch(env, companyId, batch, nowMs);
    refused.push(...refusals);
    statements += statementsOf(batch, refusals.length > 0);
    changes += batch.changes;
    next = batch.lastKey;
  }
  const isLast = !page.hasMore && next === (page.changes.at(-1)?.key ?? "");
  const renumbered = isLast ? await raiseNumbers(env, companyId) : 0;
  if (isLast) await eraseRestored(env, companyId);
  return {
    archive: hasArchive(env),
    after: isLast ? null : next,
    changes,
    renumbered,
    refused,
  };
}

/**
 * Has the object archive what it has kept, before the first page is read: changes are archived under their own times, so
 * that a later page would pass over them. A charge that is missed would be made a second time under its key.
 * Throws 409 if the archive does not take all.
 */
async function archiveKept(env: Env, companyId: number): Promise<void> {
  let left = Infinity;
  for (let runs = 0; runs < ARCHIVE_RUNS_MAX; runs++) {
    const before = left;
    left = await callCompany(env, companyId, (account) => account.runNow());
    if (left === 0 || !hasArchive(env)) return;
    if (left >= before) break;
  }
  throw invalidState(
    `The company's object keeps ${left} changes that the archive does not have yet. Begin the restore anew; ` +
      "if they do not get fewer, the archive takes nothing",
    "restore_interrupted",
  );
}

/** Changes that are written together, in the archive's order. */
interface Batch {
  changes: number;
  charges: ArchivedCharge[];
  entries: OutboxEntry[];
  lastKey: string;
}

/** Changes as batches of at most `BATCH_MAX` charges and as many entries; a single change has no more. */
function batchesOf(changes: Awaited<ReturnType<typeof readArchive>>["changes"]): Batch[] {
  const batches: Batch[] = [];
  for (const { key, change } of changes) {
    const { charges, entries } = change ?? { charges: [], entries: [] };
    const last = batches.at(-1);
    const fits =
      last !== undefined &&
      last.charges.length + charges.length <= BATCH_MAX &&
      last.entries.length + entries.length <= BATCH_MAX;
    const batch = fits ? last : { changes: 0, charges: [], entries: [], lastKey: key };
    if (!fits) batches.push(batch);
    batch.changes += change === null ? 0 : 1;
    batch.charges.push(...charges);
    batch.entries.push(...entries);
    batch.lastKey = key;
  }
  return batches;
}

/** The statements of a batch, at most; `isRefused`: D1 refuses some of it, so that each is written alone, too. */
function statementsOf({ charges, entries }: Batch, isRefused: boolean): number {
  const { charge, entry } = STATEMENTS_OF;
  const inBatch =
    charges.length * charge.inBatch +
    entries.length * entry.inBatch +
    statementsToRemember({ charges, entries }) +
    READS_MAX;
  return isRefused
    ? inBatch + charges.length * charge.alone + entries.length * entry.alone
    : inBatch;
}

/** Writes a batch again. Returns what D1 refuses, with the reason. */
async function restoreBatch(
  env: Env,
  companyId: number,
  { charges, entries }: Batch,
  nowMs: number,
): Promise<string[]> {
  const known = await restoreCharges(env, companyId, charges);
  const refused = charges
    .filter(({ id }) => !known.has(id))
    .map(
      ({ id }) =>
        `transaction ${id} could not be written: it was made again under its idempotency key, or is damaged`,
    );
  const refusals = await writeAgain(env, companyId, entries, nowMs);
  await rememberChanges(env, companyId, { charges, entries }, nowMs);
  return [...refused, ...refusals];
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
    await projectionWriter(env, { textsWaitMs: Infinity }).write(companyId, entries, nowMs);
    return [];
  } catch (error) {
    if (error instanceof TextsUnreachable) throw archiveUnreadable();
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

/** Events that the object gave a number that D1 had are rejected entries after its drain; they get new ones. */
async function raiseNumbers(env: Env, companyId: number): Promise<number> {
  await callCompany(env, companyId, (account) => account.runNow());
  const { backlog, freeze } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const waiting = backlog.rejectedEvents;
  const missing = new Set(waiting.length === 0 ? [] : await missingEvents(env, companyId, waiting));
  const takenEvents = waiting.filter((number) => !missing.has(number));
  await writeFreeze(env, companyId, freeze);
  const newest = await newestNumbers(env, companyId);
  return callCompany(env, companyId, (account) =>
    account.raiseNumbers({ companyId, lowest: { ...newest, takenEvents } }),
  );
}
