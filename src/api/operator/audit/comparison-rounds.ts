import {
  countDiffs,
  joinDiffs,
  newestTransaction,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import {
  dueSteps,
  isRoundDue,
  newRound,
  type ComparisonRound,
  type CopyCursor,
} from "../../../domain/reconciliation/comparison-round.ts";
import type { Env } from "../../../config.ts";
import { compareCopies, type ComparedCopies } from "./compare-copies.ts";
import { EMPTY_QUERY, fetchSnapshot } from "./service.ts";

/** Steps of one check: each runs some 15 statements and calls, and some 30 where copies differ. */
const STEPS_MAX = 3;
/** Steps that a check repeats; an operator's `verify` finds what is beyond them. */
const FAULTY_MAX = 2;

/** What a check did of a company's round. */
export interface RoundSlice {
  round: ComparisonRound;
  /** Rows of D1 that it compared. */
  rows: number;
  differences: ProjectionDiffs;
  violations: string[];
  missingEvents: [first: number, last: number][];
  /** False if another step is due already. */
  isComplete: boolean;
}

/**
 * Takes the due steps of a company's round over all copies, or of a new one, after those that found something last
 * time: each check repeats them until they find nothing. The caller stores the round with the check, so that after a
 * crash the same steps are taken again.
 */
export async function continueRound(
  env: Env,
  companyId: number,
  last: ComparisonRound | null,
  nowMs: number,
): Promise<RoundSlice> {
  const before =
    last === null || isRoundDue(last, nowMs) ? await begin(env, companyId, last, nowMs) : last;
  const repeated: Step[] = [];
  for (const from of before.faulty) repeated.push(await takeStep(env, companyId, from));
  const due = Math.min(dueSteps(before, nowMs), STEPS_MAX - repeated.length);
  const taken = before.endedAt === null ? await takeSteps(env, companyId, before.after, due) : [];
  const rows = taken.reduce((sum, step) => sum + step.rows, 0);
  const all = [...repeated, ...taken];
  const faulty = all.filter(isFaulty).map(({ from }) => from);
  const newest = taken.at(-1);
  const round = {
    ...before,
    after: newest?.after ?? before.after,
    stepsDone: before.stepsDone + taken.length,
    rows: before.rows + rows,
    endedAt: newest?.isDone === true ? nowMs : before.endedAt,
    faulty: faulty.slice(0, FAULTY_MAX),
  };
  return {
    round,
    rows,
    differences: joinDiffs(all.map(({ differences }) => differences)),
    violations: all.flatMap(({ violations }) => violations),
    missingEvents: all.flatMap(({ missingEvents }) => missingEvents),
    isComplete: dueSteps(round, nowMs) === 0,
  };
}

type Step = ComparedCopies & { from: CopyCursor };

/** Takes steps, at most `count` of them: to the end, or to one that finds something and takes as many calls as several. */
async function takeSteps(
  env: Env,
  companyId: number,
  start: CopyCursor,
  count: number,
): Promise<Step[]> {
  const taken: Step[] = [];
  let from = start;
  while (taken.length < count) {
    const step = await takeStep(env, companyId, from);
    taken.push(step);
    if (step.isDone || isFaulty(step)) break;
    from = step.after;
  }
  return taken;
}

/** Operators may have archived the oldest events (docs/storage.md), so only those after D1's first are missed. */
async function takeStep(env: Env, companyId: number, from: CopyCursor): Promise<Step> {
  return { from, ...(await compareCopies(env, companyId, from, true)) };
}

function isFaulty({ differences, violations }: Step): boolean {
  return countDiffs(differences) > 0 || violations.length > 0;
}

async function begin(
  env: Env,
  companyId: number,
  last: ComparisonRound | null,
  nowMs: number,
): Promise<ComparisonRound> {
  const { withdrawCount, newest, companySequence } = await fetchSnapshot(
    env,
    companyId,
    EMPTY_QUERY,
  );
  const transactions = await newestTransaction(env, companyId);
  const rows = [transactions, withdrawCount, ...Object.values(newest)];
  return newRound(last, { rows, events: companySequence }, nowMs);
}
