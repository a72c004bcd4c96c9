import { DIRECTORY, databaseNamed, databasesOf, isSharded } from "../databases.ts";
import { setFence, type StepLease } from "./fences.ts";
import {
  applyChanges,
  isCapturingChanges,
  captureChanges,
  stopChangeCapture,
  startChangeCapture,
} from "./change-capture.ts";
import { deleteTenantRows, isSameRow, rowKeyOf, readRows, writeRows } from "./rows.ts";
import { tenantTables, type TenantTable } from "./tenant-tables.ts";
import {
  beginMigration,
  completeStep,
  findShardAssignment,
  cutover,
  STAGES_AFTER_CUTOVER,
  staleMigrations,
  releaseStep,
  acquireStep,
  type ActiveMigration,
  type MigrationStage,
  type ShardAssignmentRow,
  type StageProgress,
} from "./migration-steps.ts";
import { SCAN_START, scanRows, type ScanPosition } from "./scan.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Rows that one step copies, compares or deletes, and changes it applies: a second or two of D1. */
const STEP_ROWS = 200;
/** Pages of changes that a company may be kept waiting for; where there are more, it is let go on. */
const CUTOVER_PAGES_MAX = 10;
/** Times that changes are caught up with before the fence goes up, however many still come. */
const CATCH_UP_MAX = 50;
/** Longer than a step takes: whoever has not come to its end by then has died. */
const LEASE_MS = 15_000;
/** A move that somebody may wait for is gone on with by the cron after this. */
const STALLED_AFTER_MS = 5_000;
/** Moves that the cron goes on with in one minute, and steps of each. */
const MIGRATIONS_MAX = 5;
const STEPS_MAX = 20;

export interface MigrationReport {
  /** Where the company lives now. */
  database: string;
  /** Whereto it is on its way, and how far that is; null where it is not. */
  target: string | null;
  stage: ShardAssignmentRow["stage"];
  atTable: string;
  /** Somebody else is at it: to be asked again. */
  busy: boolean;
}

/** A turn with all it works on. */
interface MigrationStep extends StepLease {
  env: Env;
  row: ActiveMigration;
  source: D1Database;
  target: D1Database;
  tables: TenantTable[];
}

/**
 * Brings a company one bounded step nearer to a database, or one that is on its way nearer to where it
 * was (`abort`). May be repeated from anywhere, after any crash. Throws `INVALID_STATE` where another
 * move is on, or it is too late to abort.
 */
export async function migrateTenant(
  env: Env,
  companyId: number,
  request: { to: string } | { abort: true },
  now: () => number,
): Promise<MigrationReport> {
  if ("to" in request && !databasesOf(env).has(request.to))
    throw invalidMigration(`No database has the name ${request.to}`);
  const before = await findShardAssignment(env, companyId);
  const isMigrating = before !== null && before.target !== null;
  if ("abort" in request) {
    if (!isMigrating) throw invalidMigration("No migration of the company is running");
    if (STAGES_AFTER_CUTOVER.includes(before.stage!))
      throw invalidMigration(
        "The migration of the company is past its cutover and cannot be aborted",
      );
  } else if (isMigrating && before.target !== request.to && before.stage !== "aborting") {
    throw invalidMigration(`Another migration of the company is running, to ${before.target}`);
  } else if (!isMigrating && (before?.database ?? DIRECTORY) === request.to) {
    return reportOf(before, false);
  }
  const leaseUntil = now() + LEASE_MS;
  const lease =
    "to" in request && !isMigrating
      ? await beginMigration(env, companyId, request.to, leaseUntil)
      : await acquireStep(env, companyId, now(), leaseUntil, "abort" in request);
  if (lease === null) return reportOf(await findShardAssignment(env, companyId), true);
  await runStep(env, lease, now);
  return reportOf(await findShardAssignment(env, companyId), false);
}

/** Ends moves whose script has died where somebody may be waiting. For the cron. */
export async function resumeMigrations(env: Env, { clock }: { clock: Clock }): Promise<void> {
  // Nothing moves where there is one database.
  if (!isSharded(env)) return;
  for (const { companyId, stage } of await staleMigrations(
    env,
    clock.now() - STALLED_AFTER_MS,
    MIGRATIONS_MAX,
  )) {
    try {
      for (let steps = 0; steps < STEPS_MAX; steps++) {
        const now = clock.now();
        const lease = await acquireStep(env, companyId, now, now + LEASE_MS, stage === "aborting");
        if (lease === null) break;
        await runStep(env, lease, () => clock.now());
      }
    } catch (error) {
      log("error", "tenant_migration_failed", { ...errorFields(error), companyId });
    }
  }
}

/** What each stage does in one turn, and where that leaves the move. */
const STAGES: Record<MigrationStage, (step: MigrationStep) => Promise<StageProgress | "over">> = {
  preparing: prepare,
  copying: copy,
  comparing: compare,
  catching_up: catchUp,
  closing: completeCutover,
  opening: activateTarget,
  clearing: deleteSource,
  aborting: rollback,
};

async function runStep(env: Env, row: ShardAssignmentRow, now: () => number): Promise<void> {
  const { source, target, stage } = row;
  if (source === null || target === null || stage === null)
    throw new Error("no migration is running");
  try {
    const step = await stepOf(env, { ...row, source, target, stage });
    await completeStep(env, row, now(), await STAGES[stage](step));
  } catch (error) {
    // Another may go on at once. What it finds is what the stage left, which may be run again.
    await releaseStep(env, row, now()).catch(() => undefined);
    throw error;
  }
}

/** Both databases must know the same tables: what one has no column for would be lost. */
async function stepOf(env: Env, row: ActiveMigration): Promise<MigrationStep> {
  const { companyId, move, epoch } = row;
  const source = databaseNamed(env, row.source);
  const target = databaseNamed(env, row.target);
  const [tables, others] = await Promise.all([tenantTables(source), tenantTables(target)]);
  if (JSON.stringify(tables) !== JSON.stringify(others)) {
    throw invalidMigration(`${row.source} and ${row.target} have different schema migrations`);
  }
  return { companyId, move, epoch, env, row, source, target, tables };
}

/** An empty target that is for this move, and a source that notes what changes from now on. */
async function prepare(step: MigrationStep): Promise<StageProgress> {
  const { source, target, tables } = step;
  await setFence(target, step, "arriving");
  await setFence(source, step, "here");
  const isEmpty = await deleteTenantRows(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return progressTo("preparing");
  await startChangeCapture(source, step, tables);
  return progressTo("copying");
}

async function copy(step: MigrationStep): Promise<StageProgress> {
  const { source, target, tables, companyId, row } = step;
  await setFence(target, step, "arriving");
  const next = await scanRows(source, tables, companyId, row, STEP_ROWS, (table, rows) =>
    writeRows(
      target,
      step,
      rows.map((each) => ({ table, key: rowKeyOf(table, each), row: each })),
    ),
  );
  return next === null ? progressTo("comparing") : progressTo("copying", next);
}

/**
 * Every row of the source and every row of the target, side by side. Those that differ, mostly because
 * of what happened since they were copied, are noted to be copied again.
 */
async function compare(step: MigrationStep): Promise<StageProgress> {
  const { source, target, tables, companyId, row } = step;
  const next = await scanRows(
    source,
    tables,
    companyId,
    row,
    STEP_ROWS,
    async (table, rows, range) => {
      const limit = rows.length + STEP_ROWS;
      const targetRows = await readRows(target, table, companyId, { ...range, limit });
      const unmatched = new Map(
        targetRows.map((each) => [JSON.stringify(rowKeyOf(table, each)), each]),
      );
      const different = rows.flatMap((each) => {
        const key = rowKeyOf(table, each);
        const copied = unmatched.get(JSON.stringify(key)) ?? null;
        unmatched.delete(JSON.stringify(key));
        return isSameRow(each, copied) ? [] : [{ table, key }];
      });
      const extra = [...unmatched.values()].map((each) => ({ table, key: rowKeyOf(table, each) }));
      await captureChanges(source, companyId, [...different, ...extra]);
    },
  );
  return next === null ? progressTo("catching_up") : progressTo("comparing", next);
}

/** Applies what was noted meanwhile, until little is left of it. `afterKey` counts the rounds. */
async function catchUp(step: MigrationStep): Promise<StageProgress> {
  const { source, target, tables, row } = step;
  await setFence(target, step, "arriving");
  const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
  const passes = Number(JSON.parse(row.afterKey) ?? 0) + 1;
  if (applied < STEP_ROWS || passes >= CATCH_UP_MAX) return progressTo("closing");
  return progressTo("catching_up", { atTable: "", afterKey: String(passes) });
}

/**
 * The only time that writes wait: the fence goes up, what is left of the changes is applied, and the
 * directory names the target. Its length does not depend on how much the company has.
 */
async function completeCutover(step: MigrationStep): Promise<StageProgress> {
  const { env, source, companyId, row } = step;
  await setFence(step.target, step, "arriving");
  let outcome: StageProgress | "equal";
  try {
    await setFence(source, step, "closing");
    outcome = await drainChanges(step);
  } catch (error) {
    await setFence(source, step, "here");
    throw error;
  }
  if (outcome !== "equal") {
    await setFence(source, step, "here");
    return outcome;
  }
  const { results } = await source
    .prepare("SELECT client_id AS clientId FROM applications WHERE company_id = ?")
    .bind(companyId)
    .all<{ clientId: string }>();
  const clientIds = results.map(({ clientId }) => clientId);
  const isCutOver = await cutover(env, row, clientIds);
  if (!isCutOver) throw new Error("another step holds the lease");
  return activateTarget(step);
}

async function drainChanges(step: MigrationStep): Promise<StageProgress | "equal"> {
  const { source, target, tables, companyId } = step;
  // A migration that came between has made a table anew, and with it nothing was noted any more.
  if (!(await isCapturingChanges(source, companyId, tables))) return progressTo("preparing");
  for (let page = 0; page < CUTOVER_PAGES_MAX; page++) {
    const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
    if (applied < STEP_ROWS) return "equal";
  }
  return progressTo("catching_up");
}

/** The source is not read any more before the target is written: nobody sees an older state again. */
async function activateTarget(step: MigrationStep): Promise<StageProgress> {
  await setFence(step.source, step, "left");
  await setFence(step.target, step, "here");
  await stopChangeCapture(step.source, step, "left");
  return progressTo("clearing");
}

/** The source's rows go; its fence stays, for isolates that remember the company there. */
async function deleteSource(step: MigrationStep): Promise<StageProgress | "over"> {
  await setFence(step.source, step, "left");
  const isEmpty = await deleteTenantRows(step.source, step, "left", step.tables, STEP_ROWS);
  return isEmpty ? "over" : progressTo("clearing");
}

/** As if there had been no move. */
async function rollback(step: MigrationStep): Promise<StageProgress | "over"> {
  const { source, target, tables } = step;
  await setFence(source, step, "here");
  await stopChangeCapture(source, step, "here");
  await setFence(target, step, "arriving");
  const isEmpty = await deleteTenantRows(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return progressTo("aborting");
  await setFence(target, step, "left");
  return "over";
}

function progressTo(stage: MigrationStage, position: ScanPosition = SCAN_START): StageProgress {
  return { stage, ...position };
}

function reportOf(row: ShardAssignmentRow | null, busy: boolean): MigrationReport {
  return {
    database: row?.database ?? DIRECTORY,
    target: row?.target ?? null,
    stage: row?.stage ?? null,
    atTable: row?.atTable ?? "",
    busy,
  };
}

function invalidMigration(detail: string): Problem {
  return new Problem({ code: "INVALID_STATE", detail: `${detail}.` });
}
