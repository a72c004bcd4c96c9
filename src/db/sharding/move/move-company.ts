/**
 * The live move of a company from one database (source) to another (target). This file runs the
 * stages; each call runs one bounded step, which is safe to repeat after a crash.
 *
 * 1. `preparing`: empties the target, fences it `arriving`, starts change capture in the source.
 * 2. `copying`: copies all rows in key order.
 * 3. `comparing`: compares all rows and logs the different ones as changed.
 * 4. `catching_up`: applies logged changes until few are left.
 * 5. `closing`: fences the source `closing`, so that writes wait, applies the last changes, and assigns
 *    the company to the target in the directory. This is the cutover: no rollback after it.
 * 6. `opening`: fences the source `left` and the target `here`, stops change capture.
 * 7. `clearing`: deletes the source's rows.
 *
 * `aborting` replaces any stage before the cutover: it reopens the source and empties the target.
 * `move-steps.ts` has the stage and the lease of the running step, `fences.ts` the fences,
 * `change-capture.ts` the triggers and their log, `scan.ts` and `rows.ts` the reads and writes, and
 * `company-tables.ts` the tables that move. The tables are in `db/schema/routing.ts`.
 */
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
import { companyTables, type CompanyTable } from "./company-tables.ts";
import {
  activeMoves,
  beginMove,
  completeStep,
  findShardAssignment,
  cutover,
  STAGES_AFTER_CUTOVER,
  staleMoves,
  releaseStep,
  acquireStep,
  type ActiveMove,
  type MoveStage,
  type ShardAssignmentRow,
  type StageProgress,
} from "./move-steps.ts";
import { SCAN_START, scanRows, type ScanPosition } from "./scan.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Rows or changes of one step: a second or two of D1. */
const STEP_ROWS = 200;
/** Pages of changes applied while writes wait. If there are more, the source reopens. */
const CUTOVER_PAGES_MAX = 10;
/** Passes of `catching_up`. After that the cutover starts, however many changes still come. */
const CATCH_UP_MAX = 50;
/** Longer than a step takes: after this its holder counts as dead. */
const LEASE_MS = 15_000;
/** The cron resumes a stalled move after this long. */
const STALLED_AFTER_MS = 5_000;
/** Moves that one cron run resumes, and steps of each. */
const MOVES_MAX = 5;
const STEPS_MAX = 20;

/** The progress of a company's move. */
export interface MoveReport {
  /** The company's current database. */
  database: string;
  /** The target of the running move; null if none runs. */
  target: string | null;
  stage: ShardAssignmentRow["stage"];
  atTable: string;
  /** Another step holds the lease: call again later. */
  busy: boolean;
}

/** A leased step with its databases and tables. */
interface MoveStep extends StepLease {
  env: Env;
  row: ActiveMove;
  source: D1Database;
  target: D1Database;
  tables: CompanyTable[];
}

/**
 * Runs one bounded step of a company's move, or of its rollback (`abort`). Safe to repeat after any
 * crash. Throws `INVALID_STATE` if another move runs, none runs to abort, the cutover is past, or
 * the databases have different schemas.
 */
export async function moveCompany(
  env: Env,
  companyId: number,
  request: { to: string } | { abort: true },
  now: () => number,
): Promise<MoveReport> {
  if ("to" in request && !databasesOf(env).has(request.to))
    throw invalidMove(`No database has the name ${request.to}`);
  const before = await findShardAssignment(env, companyId);
  const isMoving = before !== null && before.target !== null;
  if ("abort" in request) {
    if (!isMoving) throw invalidMove("No move of the company is running");
    if (STAGES_AFTER_CUTOVER.includes(before.stage!))
      throw invalidMove("The move of the company is past its cutover and cannot be aborted");
  } else if (isMoving && before.target !== request.to && before.stage !== "aborting") {
    throw invalidMove(`Another move of the company is running, to ${before.target}`);
  } else if (!isMoving && (before?.database ?? DIRECTORY) === request.to) {
    return reportOf(before, false);
  }
  const leaseUntil = now() + LEASE_MS;
  const lease =
    "to" in request && !isMoving
      ? await beginMove(env, companyId, request.to, leaseUntil)
      : await acquireStep(env, companyId, now(), leaseUntil, "abort" in request);
  if (lease === null) return reportOf(await findShardAssignment(env, companyId), true);
  await runStep(env, lease, now);
  return reportOf(await findShardAssignment(env, companyId), false);
}

/** A company's database and running move. */
export async function moveReport(env: Env, companyId: number): Promise<MoveReport> {
  return reportOf(await findShardAssignment(env, companyId), false);
}

/** The running moves of all companies, and the databases that there are. */
export async function runningMoves(env: Env, limit: number) {
  const rows = await activeMoves(env, limit);
  return {
    items: rows.map((row) => Object.assign(reportOf(row, false), { companyId: row.companyId })),
    databases: [...databasesOf(env).keys()],
  };
}

/** Resumes stalled moves in the stages that block writes. For the cron. */
export async function resumeMoves(
  env: Env,
  { platformClock }: { platformClock: Clock },
): Promise<void> {
  if (!isSharded(env)) return;
  for (const { companyId, stage } of await staleMoves(
    env,
    platformClock.now() - STALLED_AFTER_MS,
    MOVES_MAX,
  )) {
    try {
      for (let steps = 0; steps < STEPS_MAX; steps++) {
        const now = platformClock.now();
        const lease = await acquireStep(env, companyId, now, now + LEASE_MS, stage === "aborting");
        if (lease === null) break;
        await runStep(env, lease, () => platformClock.now());
      }
    } catch (error) {
      log("error", "company_move_failed", { ...errorFields(error), companyId });
    }
  }
}

/** The step of each stage, which returns the next stage and position. */
const STAGES: Record<MoveStage, (step: MoveStep) => Promise<StageProgress | "over">> = {
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
    throw new Error("no company move is running");
  try {
    const step = await stepOf(env, { ...row, source, target, stage });
    await completeStep(env, row, now(), await STAGES[stage](step));
  } catch (error) {
    // Releases the lease at once: the stage is safe to run again.
    await releaseStep(env, row, now()).catch(() => undefined);
    throw error;
  }
}

/** Requires equal tables in both databases: a missing column would lose its values. */
async function stepOf(env: Env, row: ActiveMove): Promise<MoveStep> {
  const { companyId, move, epoch } = row;
  const source = databaseNamed(env, row.source);
  const target = databaseNamed(env, row.target);
  const [tables, others] = await Promise.all([companyTables(source), companyTables(target)]);
  if (JSON.stringify(tables) !== JSON.stringify(others)) {
    throw invalidMove(`${row.source} and ${row.target} have different schema migrations`);
  }
  return { companyId, move, epoch, env, row, source, target, tables };
}

/** Empties the target, then starts change capture in the source. */
async function prepare(step: MoveStep): Promise<StageProgress> {
  const { source, target, tables } = step;
  await setFence(target, step, "arriving");
  await setFence(source, step, "here");
  const isEmpty = await deleteTenantRows(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return progressTo("preparing");
  await startChangeCapture(source, step, tables);
  return progressTo("copying");
}

async function copy(step: MoveStep): Promise<StageProgress> {
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
 * Compares all rows of source and target. Rows that differ, mostly because they changed after the copy,
 * are logged as changed.
 */
async function compare(step: MoveStep): Promise<StageProgress> {
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

/** Applies logged changes until few are left. `afterKey` counts the passes. */
async function catchUp(step: MoveStep): Promise<StageProgress> {
  const { source, target, tables, row } = step;
  await setFence(target, step, "arriving");
  const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
  const passes = Number(JSON.parse(row.afterKey) ?? 0) + 1;
  if (applied < STEP_ROWS || passes >= CATCH_UP_MAX) return progressTo("closing");
  return progressTo("catching_up", { atTable: "", afterKey: String(passes) });
}

/**
 * Writes wait only here: it closes the source, applies the last changes and assigns the company to the
 * target. Its duration does not depend on the company's size.
 */
async function completeCutover(step: MoveStep): Promise<StageProgress> {
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

async function drainChanges(step: MoveStep): Promise<StageProgress | "equal"> {
  const { source, target, tables, companyId } = step;
  // A schema migration that recreated a table has dropped its triggers: changes were missed.
  if (!(await isCapturingChanges(source, companyId, tables))) return progressTo("preparing");
  for (let page = 0; page < CUTOVER_PAGES_MAX; page++) {
    const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
    if (applied < STEP_ROWS) return "equal";
  }
  return progressTo("catching_up");
}

/** Fences the source before it opens the target, so that no read returns an older state. */
async function activateTarget(step: MoveStep): Promise<StageProgress> {
  await setFence(step.source, step, "left");
  await setFence(step.target, step, "here");
  await stopChangeCapture(step.source, step, "left");
  return progressTo("clearing");
}

/** Deletes the source's rows. Its fence stays, for isolates with a stale assignment. */
async function deleteSource(step: MoveStep): Promise<StageProgress | "over"> {
  await setFence(step.source, step, "left");
  const isEmpty = await deleteTenantRows(step.source, step, "left", step.tables, STEP_ROWS);
  return isEmpty ? "over" : progressTo("clearing");
}

/** Reopens the source, stops change capture and empties the target. */
async function rollback(step: MoveStep): Promise<StageProgress | "over"> {
  const { source, target, tables } = step;
  await setFence(source, step, "here");
  await stopChangeCapture(source, step, "here");
  await setFence(target, step, "arriving");
  const isEmpty = await deleteTenantRows(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return progressTo("aborting");
  await setFence(target, step, "left");
  return "over";
}

function progressTo(stage: MoveStage, position: ScanPosition = SCAN_START): StageProgress {
  return { stage, ...position };
}

function reportOf(row: ShardAssignmentRow | null, busy: boolean): MoveReport {
  return {
    database: row?.database ?? DIRECTORY,
    target: row?.target ?? null,
    stage: row?.stage ?? null,
    atTable: row?.atTable ?? "",
    busy,
  };
}

function invalidMove(detail: string): Problem {
  return new Problem({ code: "INVALID_STATE", reason: "company_moving", detail: `${detail}.` });
}
