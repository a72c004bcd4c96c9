import { DIRECTORY, databaseNamed, databasesOf, isSpread } from "../databases.ts";
import { setFence, type Turn } from "./fences.ts";
import { applyChanges, isWatched, noteChanges, unwatchChanges, watchChanges } from "./changes.ts";
import { deleteAll, isSameRow, keyOf, readRows, writeRows } from "./rows.ts";
import { movedTables, type MovedTable } from "./tables.ts";
import {
  beginMove,
  endTurn,
  findPlacement,
  flip,
  FLIPPED,
  leftMoves,
  releaseTurn,
  takeTurn,
  type Moving,
  type MoveStage,
  type PlacementRow,
  type Progress,
} from "./turns.ts";
import { FIRST, walkRows, type Position } from "./walk.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Rows that one step copies, compares or deletes, and changes it applies: a second or two of D1. */
const STEP_ROWS = 200;
/** Pages of changes that a company may be kept waiting for; where there are more, it is let go on. */
const CLOSING_PAGES_MAX = 10;
/** Times that changes are caught up with before the fence goes up, however many still come. */
const CATCH_UP_MAX = 50;
/** Longer than a step takes: whoever has not come to its end by then has died. */
const LEASE_MS = 15_000;
/** A move that somebody may wait for is gone on with by the cron after this. */
const IDLE_MS = 5_000;
/** Moves that the cron goes on with in one minute, and steps of each. */
const MOVES_MAX = 5;
const STEPS_MAX = 20;

export interface MoveReport {
  /** Where the company lives now. */
  database: string;
  /** Whereto it is on its way, and how far that is; null where it is not. */
  target: string | null;
  stage: PlacementRow["stage"];
  atTable: string;
  /** Somebody else is at it: to be asked again. */
  busy: boolean;
}

/** A turn with all it works on. */
interface Step extends Turn {
  env: Env;
  row: Moving;
  source: D1Database;
  target: D1Database;
  tables: MovedTable[];
}

/**
 * Brings a company one bounded step nearer to a database, or one that is on its way nearer to where it
 * was (`abort`). May be repeated from anywhere, after any crash. Throws `INVALID_STATE` where another
 * move is on, or it is too late to abort.
 */
export async function moveCompany(
  env: Env,
  companyId: number,
  wish: { to: string } | { abort: true },
  now: () => number,
): Promise<MoveReport> {
  if ("to" in wish && !databasesOf(env).has(wish.to)) throw invalid(`No database is ${wish.to}`);
  const before = await findPlacement(env, companyId);
  const isMoving = before !== null && before.target !== null;
  if ("abort" in wish) {
    if (!isMoving) throw invalid("The company is not being moved");
    if (FLIPPED.includes(before.stage!)) throw invalid("The company has moved already");
  } else if (isMoving && before.target !== wish.to && before.stage !== "aborting") {
    throw invalid(`The company is on its way to ${before.target}`);
  } else if (!isMoving && (before?.database ?? DIRECTORY) === wish.to) {
    return reportOf(before, false);
  }
  const leaseUntil = now() + LEASE_MS;
  const turn =
    "to" in wish && !isMoving
      ? await beginMove(env, companyId, wish.to, leaseUntil)
      : await takeTurn(env, companyId, now(), leaseUntil, "abort" in wish);
  if (turn === null) return reportOf(await findPlacement(env, companyId), true);
  await runTurn(env, turn, now);
  return reportOf(await findPlacement(env, companyId), false);
}

/** Ends moves whose script has died where somebody may be waiting. For the cron. */
export async function finishMoves(env: Env, { clock }: { clock: Clock }): Promise<void> {
  // Nothing moves where there is one database.
  if (!isSpread(env)) return;
  for (const { companyId, stage } of await leftMoves(env, clock.now() - IDLE_MS, MOVES_MAX)) {
    try {
      for (let steps = 0; steps < STEPS_MAX; steps++) {
        const now = clock.now();
        const turn = await takeTurn(env, companyId, now, now + LEASE_MS, stage === "aborting");
        if (turn === null) break;
        await runTurn(env, turn, () => clock.now());
      }
    } catch (error) {
      log("error", "move_failed", { ...errorFields(error), companyId });
    }
  }
}

/** What each stage does in one turn, and where that leaves the move. */
const STAGES: Record<MoveStage, (step: Step) => Promise<Progress | "over">> = {
  preparing: prepare,
  copying: copy,
  comparing: compare,
  catching_up: catchUp,
  closing: close,
  opening: open,
  clearing: clear,
  aborting: abandon,
};

async function runTurn(env: Env, row: PlacementRow, now: () => number): Promise<void> {
  const { source, target, stage } = row;
  if (source === null || target === null || stage === null) throw new Error("nothing is moved");
  try {
    const step = await stepOf(env, { ...row, source, target, stage });
    await endTurn(env, row, now(), await STAGES[stage](step));
  } catch (error) {
    // Another may go on at once. What it finds is what the stage left, which may be run again.
    await releaseTurn(env, row, now()).catch(() => undefined);
    throw error;
  }
}

/** Both databases must know the same tables: what one has no column for would be lost. */
async function stepOf(env: Env, row: Moving): Promise<Step> {
  const { companyId, move, turn } = row;
  const source = databaseNamed(env, row.source);
  const target = databaseNamed(env, row.target);
  const [tables, others] = await Promise.all([movedTables(source), movedTables(target)]);
  if (JSON.stringify(tables) !== JSON.stringify(others)) {
    throw invalid(`${row.source} and ${row.target} have not the same migrations`);
  }
  return { companyId, move, turn, env, row, source, target, tables };
}

/** An empty target that is for this move, and a source that notes what changes from now on. */
async function prepare(step: Step): Promise<Progress> {
  const { source, target, tables } = step;
  await setFence(target, step, "arriving");
  await setFence(source, step, "here");
  const isEmpty = await deleteAll(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return at("preparing");
  await watchChanges(source, step, tables);
  return at("copying");
}

async function copy(step: Step): Promise<Progress> {
  const { source, target, tables, companyId, row } = step;
  await setFence(target, step, "arriving");
  const next = await walkRows(source, tables, companyId, row, STEP_ROWS, (table, rows) =>
    writeRows(
      target,
      step,
      rows.map((each) => ({ table, key: keyOf(table, each), row: each })),
    ),
  );
  return next === null ? at("comparing") : at("copying", next);
}

/**
 * Every row of the source and every row of the target, side by side. Those that differ, mostly because
 * of what happened since they were copied, are noted to be copied again.
 */
async function compare(step: Step): Promise<Progress> {
  const { source, target, tables, companyId, row } = step;
  const next = await walkRows(
    source,
    tables,
    companyId,
    row,
    STEP_ROWS,
    async (table, rows, range) => {
      const limit = rows.length + STEP_ROWS;
      const copies = await readRows(target, table, companyId, { ...range, limit });
      const left = new Map(copies.map((each) => [JSON.stringify(keyOf(table, each)), each]));
      const different = rows.flatMap((each) => {
        const key = keyOf(table, each);
        const copied = left.get(JSON.stringify(key)) ?? null;
        left.delete(JSON.stringify(key));
        return isSameRow(each, copied) ? [] : [{ table, key }];
      });
      const strays = [...left.values()].map((each) => ({ table, key: keyOf(table, each) }));
      await noteChanges(source, companyId, [...different, ...strays]);
    },
  );
  return next === null ? at("catching_up") : at("comparing", next);
}

/** Applies what was noted meanwhile, until little is left of it. `afterKey` counts the rounds. */
async function catchUp(step: Step): Promise<Progress> {
  const { source, target, tables, row } = step;
  await setFence(target, step, "arriving");
  const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
  const rounds = Number(JSON.parse(row.afterKey) ?? 0) + 1;
  if (applied < STEP_ROWS || rounds >= CATCH_UP_MAX) return at("closing");
  return at("catching_up", { atTable: "", afterKey: String(rounds) });
}

/**
 * The only time that writes wait: the fence goes up, what is left of the changes is applied, and the
 * directory names the target. Its length does not depend on how much the company has.
 */
async function close(step: Step): Promise<Progress> {
  const { env, source, companyId, row } = step;
  await setFence(step.target, step, "arriving");
  let outcome: Progress | "equal";
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
  const isFlipped = await flip(env, row, clientIds);
  if (!isFlipped) throw new Error("another turn was taken");
  return open(step);
}

async function drainChanges(step: Step): Promise<Progress | "equal"> {
  const { source, target, tables, companyId } = step;
  // A migration that came between has made a table anew, and with it nothing was noted any more.
  if (!(await isWatched(source, companyId, tables))) return at("preparing");
  for (let page = 0; page < CLOSING_PAGES_MAX; page++) {
    const applied = await applyChanges(source, target, step, tables, STEP_ROWS);
    if (applied < STEP_ROWS) return "equal";
  }
  return at("catching_up");
}

/** The source is not read any more before the target is written: nobody sees an older state again. */
async function open(step: Step): Promise<Progress> {
  await setFence(step.source, step, "left");
  await setFence(step.target, step, "here");
  await unwatchChanges(step.source, step, "left");
  return at("clearing");
}

/** The source's rows go; its fence stays, for isolates that remember the company there. */
async function clear(step: Step): Promise<Progress | "over"> {
  await setFence(step.source, step, "left");
  const isEmpty = await deleteAll(step.source, step, "left", step.tables, STEP_ROWS);
  return isEmpty ? "over" : at("clearing");
}

/** As if there had been no move. */
async function abandon(step: Step): Promise<Progress | "over"> {
  const { source, target, tables } = step;
  await setFence(source, step, "here");
  await unwatchChanges(source, step, "here");
  await setFence(target, step, "arriving");
  const isEmpty = await deleteAll(target, step, "arriving", tables, STEP_ROWS);
  if (!isEmpty) return at("aborting");
  await setFence(target, step, "left");
  return "over";
}

function at(stage: MoveStage, position: Position = FIRST): Progress {
  return { stage, ...position };
}

function reportOf(row: PlacementRow | null, busy: boolean): MoveReport {
  return {
    database: row?.database ?? DIRECTORY,
    target: row?.target ?? null,
    stage: row?.stage ?? null,
    atTable: row?.atTable ?? "",
    busy,
  };
}

function invalid(detail: string): Problem {
  return new Problem({ code: "INVALID_STATE", detail: `${detail}.` });
}
