import { frozenByService } from "../../../domain/access/freeze.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  countDiffs,
  cutDiffs,
  eventsAfter,
  joinDiffs,
  missingEvents,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import { listOpenContradictions } from "../../../db/reconciliation/contradictions.ts";
import {
  findSelfCheck,
  saveSelfCheck,
  type StoredCheck,
} from "../../../db/reconciliation/self-checks.ts";
import { contradictionId } from "../../../domain/reconciliation/contradiction.ts";
import { isTransactionSubject, withdrawIdOfSubject } from "../../../domain/shared/event-subject.ts";
import { anchorsToCompare } from "./anchors.ts";
import { continueRound } from "./comparison-rounds.ts";
import { mend, MENDS_ALONE, namesOf, sortDifferences } from "./mend.ts";
import type { Env } from "../../../config.ts";
import { log } from "../../../lib/log.ts";
import { measureCompany } from "../storage/tasks.ts";
import {
  backlogViolations,
  EMPTY_QUERY,
  fetchSnapshot,
  writeFreeze,
  mismatchViolations,
  persistentDifferences,
} from "./service.ts";

/** Events whose objects one step compares. */
const EVENTS_MAX = 100;
/**
 * Steps of each kind per company and invocation: 10,000 movements and 2,000 events. A page of events is 4 statements of
 * D1, and 10 if a copy differs, after which the next invocation goes on.
 */
const STEPS_MAX = 20;
/** Missing events that a check stores by number. */
const MISSING_MAX = 100;
/** Open contradictions that a check names; the operator's list shows all of them. */
const CONTRADICTIONS_MAX = 20;
/** Projections that differ and are stored for the next check to compare again. */
const MISMATCHES_MAX = 100;
const NO_SUSPECTS: StoredCheck["suspects"] = { transactionIds: [], withdrawIds: [] };

/**
 * Audits a company's ledger and its projections in D1 from where the last check ended, so that the cost does
 * not grow with history, and takes what is due of the round over all copies. Rewrites copies that differ. Stores and
 * returns the check.
 */
export async function checkCompany(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<StoredCheck> {
  return (await checkSlice(env, companyId, nowMs)).check;
}

/**
 * As `checkCompany`; `isComplete` is false if there is more than one invocation can check. With more than `mendsMax`
 * copies to rewrite the check is stored as if it had not moved on, so that the next one finds the others.
 */
export async function checkSlice(
  env: Env,
  companyId: number,
  nowMs: number,
  mendsMax: number = MENDS_ALONE,
): Promise<{ check: StoredCheck; isComplete: boolean }> {
  const previous = await findSelfCheck(env, companyId);
  const audit = await continueAudit(env, companyId);
  const compared = await continueRound(env, companyId, previous?.round ?? null, nowMs);
  const projection = await checkProjection(env, companyId, previous, compared.missingEvents);
  const contradictions = await listOpenContradictions(env, companyId, CONTRADICTIONS_MAX);
  const { mendable, others } = sortDifferences(
    [projection.differences, compared.differences],
    projection.isObjectOlder,
  );
  const { first, rest } = cutDiffs(mendable, mendsMax);
  const { rewritten, refused } = await mend(env, { companyId, nowMs, previous }, first);
  const mendedCopies = countDiffs(rewritten);
  const left = joinDiffs([others, refused]);
  // Copies that D1 refuses each time must not keep the check from moving on.
  const isHeldBack = countDiffs(rest) > 0 && countDiffs(refused) === 0;
  const reached = isHeldBack
    ? {
        round: previous?.round ?? null,
        rows: 0,
        companySequence: previous?.companySequence ?? 0,
        suspects: previous?.suspects ?? NO_SUSPECTS,
      }
    : {
        ...compared,
        companySequence: projection.companySequence,
        suspects: mismatchedIds(joinDiffs([left, rest])),
      };
  const found = [...projection.violations, ...mismatchViolations(left), ...compared.violations];
  const check: StoredCheck = {
    companyId,
    checkedAt: nowMs,
    movement: audit.movement,
    companySequence: reached.companySequence,
    missingEvents: projection.missingEvents,
    suspects: reached.suspects,
    backlogSince: projection.backlogSince,
    openOperations: projection.openOperations,
    round: reached.round && { ...reached.round, mended: reached.round.mended + mendedCopies },
    roundEndedAt: reached.round?.endedAt ?? previous?.roundEndedAt ?? null,
    // Never after the check, also where the clock was set back: that would mean that it is not told yet.
    mendedAt: mendedCopies > 0 ? nowMs : earlierOf(previous?.mendedAt ?? null, nowMs),
    mended: mendedCopies > 0 ? namesOf(rewritten) : (previous?.mended ?? null),
    violations: [
      ...audit.violations,
      ...new Set(found),
      ...contradictions.map(
        ({ number, kind, object }) =>
          `contradiction ${contradictionId(companyId, number)} is open: ${kind} of ${object}`,
      ),
    ],
  };
  await saveSelfCheck(env, check, { comparedRows: reached.rows, mendedCopies });
  await measureCompany(env, companyId, audit.storageBytes, nowMs);
  if (found.length > 0) {
    log("error", "projection_diverged", { companyId, violations: found.join("; ") });
  }
  const isComplete = audit.done && projection.isComplete && compared.isComplete && !isHeldBack;
  return { check, isComplete };
}

function earlierOf(at: number | null, nowMs: number): number | null {
  return at === null ? null : Math.min(at, nowMs);
}

async function continueAudit(env: Env, companyId: number) {
  const anchors = await anchorsToCompare(env, companyId);
  for (let steps = 1; ; steps++) {
    const step = await callCompany(env, companyId, (account) =>
      account.auditLedger({ companyId, pass: "cron", fromStart: false, anchors }),
    );
    if (step.done || steps === STEPS_MAX) return step;
  }
}

type ProjectionCheck = Pick<
  StoredCheck,
  "companySequence" | "missingEvents" | "violations" | "backlogSince" | "openOperations"
> & { differences: ProjectionDiffs; isObjectOlder: boolean; isComplete: boolean };

/**
 * Checks that the events since the last check have no gap (I8) and that the projections of their objects
 * match (I9). The check continues past what is missing or differs and compares it again next time.
 */
async function checkProjection(
  env: Env,
  companyId: number,
  previous: StoredCheck | null,
  gaps: [first: number, last: number][],
): Promise<ProjectionCheck> {
  const known = [...(previous?.missingEvents ?? []), ...numbersOf(gaps)];
  const missing = new Set(known.length === 0 ? [] : await missingEvents(env, companyId, known));
  // Read before D1, so that an event written in between does not count as missing.
  const snapshot = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const { companySequence: newest, backlog, freeze, openOperations } = snapshot;
  await writeFreeze(env, companyId, freeze);
  const mismatchedBefore = previous?.suspects ?? NO_SUSPECTS;
  const pending = backlog.entries - backlog.rejected;
  const found: ProjectionDiffs[] = [await persistentDifferences(env, companyId, mismatchedBefore)];
  let after = previous?.companySequence ?? 0;
  let isComplete = false;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const events = await eventsAfter(env, companyId, after, EVENTS_MAX);
    const isLastPage = events.length < EVENTS_MAX;
    const last = events.at(-1)?.companySequence ?? after;
    const present = new Set(events.map((event) => event.companySequence));
    const expected = pending === 0 && isLastPage ? Math.max(last, newest) : last;
    // An operator's `verify` finds those beyond the limit.
    for (let number = after + 1; number <= expected && missing.size < MISSING_MAX; number++) {
      if (!present.has(number)) missing.add(number);
    }
    const objects = parseObjectIds(events.map((event) => event.objectId));
    const differences = await persistentDifferences(env, companyId, objects);
    found.push(differences);
    after = expected;
    isComplete = isLastPage;
    if (isComplete || countDiffs(differences) > 0) break;
  }
  const rejected = await rejectedEvents(env, companyId, missing.size > 0);
  const isObjectOlder = after > newest && (await freezeIfOlder(env, companyId, after));
  return {
    isComplete,
    companySequence: after,
    missingEvents: [...missing],
    differences: joinDiffs(found),
    isObjectOlder,
    backlogSince: backlog.oldestAt,
    openOperations,
    violations: [
      ...backlogViolations(backlog),
      ...(isObjectOlder ? [`I8 the object is older than D1, which has event ${after}`] : []),
      ...[...missing]
        .filter((number) => !rejected.has(number))
        .map((number) => `I8 event ${number} is missing`),
    ],
  };
}

/**
 * Freezes the withdraws of an object that does not know an event that D1 has: it was restored to an earlier time,
 * and what it would pay out may be paid out already (docs/restore.md). Read after D1, because the event may have
 * been announced since the last read.
 */
async function freezeIfOlder(env: Env, companyId: number, event: number): Promise<boolean> {
  const { companySequence } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  if (companySequence >= event) return false;
  await callCompany(env, companyId, (account) =>
    account.setFrozen({
      companyId,
      change: true,
      cause: frozenByService("the object is older than D1"),
    }),
  );
  return true;
}

/**
 * Events of rejected entries. Read after D1, so that one that was rejected in between
 * does not count as missing. They stay on the list of missing events: an operator may discard them.
 */
async function rejectedEvents(
  env: Env,
  companyId: number,
  isNeeded: boolean,
): Promise<Set<number>> {
  if (!isNeeded) return new Set();
  const { backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  return new Set(backlog.rejectedEvents);
}

/** The first numbers of gaps: an operator's `verify` finds those beyond the limit. */
function numbersOf(gaps: [first: number, last: number][]): number[] {
  const numbers: number[] = [];
  for (const [first, last] of gaps) {
    for (let number = first; number <= last && numbers.length < MISSING_MAX; number++) {
      numbers.push(number);
    }
  }
  return numbers;
}

/** Projections that differ and are not rewritten: each check compares them again until they match. */
function mismatchedIds({ charges, withdraws }: ProjectionDiffs): StoredCheck["suspects"] {
  const transactionIds = charges.map(({ snapshot }) => snapshot.transactionId);
  const withdrawIds = withdraws.map(({ snapshot }) => snapshot.id);
  return {
    transactionIds: [...new Set(transactionIds)].slice(0, MISMATCHES_MAX),
    withdrawIds: [...new Set(withdrawIds)].slice(0, MISMATCHES_MAX),
  };
}

function parseObjectIds(objectIds: string[]): { transactionIds: string[]; withdrawIds: number[] } {
  const ids = [...new Set(objectIds)];
  return {
    transactionIds: ids.filter(isTransactionSubject),
    withdrawIds: ids.flatMap((id) => withdrawIdOfSubject(id) ?? []),
  };
}
