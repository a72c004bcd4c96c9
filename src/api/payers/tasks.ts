import type { Env } from "../../config.ts";
import { CompanyMovingError } from "../../db/sharding/routed-database.ts";
import { dueOfAll, type Due, type FanOut } from "../../db/sharding/fan-out.ts";
import type { Shard } from "../../db/client.ts";
import { SINGLE_STEP, type TaskStep } from "../../domain/shared/cron-step.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { ERASE_BATCH, enqueueNext, runErasures } from "./erase.ts";
import { ARCHIVE_CALLS_MAX, type ArchiveBudget } from "./erase-archived.ts";
import { postponeErasures } from "./repository.ts";
import {
  chargesMadeUntil,
  dueErasures,
  dueRetentionScans,
  endRetention,
  enqueueRetention,
  unfinishedRequests,
  type RetentionScan,
} from "./retention-repository.ts";

/** Requests, and companies with retention, of one step; each is two calls to D1. */
const SCANS_MAX = 20;
/** Charges that one scan puts in line. */
const SCANNED_MAX = 500;
/** Erasures of one step, in batches of 50: about 40 calls of the 1,000 that an invocation may make. */
const ERASURES_MAX = 500;
const DAY_MS = 24 * 60 * 60_000;
/** A company whose charges are all in line is looked at again after this. */
const NEXT_SCAN_MS = 60 * 60_000;
/** Erasures that failed wait, so that those of other companies go first. */
const RETRY_MS = 10 * 60_000;

/**
 * The cron's erasing of payers' data: puts the charges of requests and of companies with retention in line,
 * then takes the next step of what is due. Where more is due, another invocation continues.
 */
export async function erasePayers(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  step: TaskStep = SINGLE_STEP,
  { fanOut, nowMs: now }: Due = dueOfAll(env, deps),
): Promise<void> {
  const requests = await unfinishedRequests(fanOut, SCANS_MAX);
  for (const { row, database } of requests) {
    await guarded(
      fanOut,
      database,
      async () => void (await enqueueNext(env, row, SCANNED_MAX, now)),
    );
  }
  const scans = await dueRetentionScans(fanOut, now, SCANS_MAX);
  for (const { row, database } of scans) {
    await guarded(fanOut, database, () => scanRetention(env, row, now));
  }
  const due = await dueErasures(fanOut, now, ERASURES_MAX);
  const budget = { callsLeft: ARCHIVE_CALLS_MAX };
  for (const rows of Map.groupBy(due, ({ row }) => row.erasure.companyId).values()) {
    for (let at = 0; at < rows.length; at += ERASE_BATCH) {
      const batch = rows.slice(at, at + ERASE_BATCH);
      const [first] = batch;
      if (first !== undefined && budget.callsLeft > 0) {
        await guarded(fanOut, first.database, () => runOrPostpone(env, batch, now, budget));
      }
    }
  }
  const isFull =
    budget.callsLeft <= 0 ||
    requests.length === SCANS_MAX ||
    scans.length === SCANS_MAX ||
    due.length === ERASURES_MAX;
  if (isFull) await step.continue(null);
}

/** Puts the charges of a company in line that were made `retentionDays` ago: none has ended earlier. */
async function scanRetention(env: Env, scan: RetentionScan, nowMs: number): Promise<void> {
  const { companyId, retentionDays } = scan;
  if (retentionDays === null) return endRetention(env, companyId);
  const madeUntil = nowMs - retentionDays * DAY_MS;
  const charges = await chargesMadeUntil(env, scan, madeUntil, SCANNED_MAX);
  const afterSeq = charges.at(-1)?.seq ?? scan.afterSeq;
  const nextRunAt = charges.length === SCANNED_MAX ? nowMs : nowMs + NEXT_SCAN_MS;
  const seqs = charges.filter(({ holdsData }) => holdsData).map(({ seq }) => seq);
  await enqueueRetention(env, companyId, seqs, { afterSeq, nextRunAt }, nowMs);
}

type DueErasure = Awaited<ReturnType<typeof dueErasures>>[number];

async function runOrPostpone(
  env: Env,
  batch: DueErasure[],
  nowMs: number,
  budget: ArchiveBudget,
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const { retentionDays, erasure } = first.row;
  const { companyId } = erasure;
  const erasures = batch.map(({ row }) => row.erasure);
  try {
    await runErasures(env, companyId, erasures, retentionDays, nowMs, budget);
  } catch (error) {
    if (error instanceof CompanyMovingError) throw error;
    log("error", "payer_erasure_failed", { ...errorFields(error), companyId });
    const later = erasures.map(({ seq }) => ({ seq, at: nowMs + RETRY_MS }));
    await postponeErasures(env, companyId, later, []);
  }
}

/** Excludes a database that fails; a company that is being moved is left for a later run. */
async function guarded(fanOut: FanOut, database: Shard, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CompanyMovingError)) fanOut.exclude(database, error);
  }
}
