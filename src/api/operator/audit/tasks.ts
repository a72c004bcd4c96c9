import { frozenByService } from "../../../domain/access/freeze.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  eventsAfter,
  missingEvents,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import { listUndecidedContradictions } from "../../../db/reconciliation/contradictions.ts";
import {
  findSelfCheck,
  saveSelfCheck,
  type StoredCheck,
} from "../../../db/reconciliation/self-checks.ts";
import { contradictionId } from "../../../domain/reconciliation/contradiction.ts";
import { isTransactionSubject, withdrawIdOfSubject } from "../../../domain/shared/event-subject.ts";
import { anchorsToCompare } from "./anchors.ts";
import type { Env } from "../../../config.ts";
import { log } from "../../../lib/log.ts";
import { measureCompany } from "../storage/tasks.ts";
import {
  backlogViolations,
  EMPTY_QUERY,
  fetchSnapshot,
  mismatchViolations,
  persistentDifferences,
} from "./service.ts";

/** Events whose objects one step compares. */
const EVENTS_MAX = 100;
/** Steps of each kind per company and invocation: 10,000 movements and 2,000 events. */
const STEPS_MAX = 20;
/** Missing events that a check stores by number. */
const MISSING_MAX = 100;
/** Open contradictions that a check names; the operator's list shows all of them. */
const CONTRADICTIONS_MAX = 20;
/** Projections that differ and are stored for the next check to compare again. */
const MISMATCHES_MAX = 100;

/**
 * Audits a company's ledger and its projections in D1 from where the last check ended, so that the cost does
 * not grow with history. Stores and returns the check.
 */
export async function checkCompany(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<StoredCheck> {
  return (await checkSlice(env, companyId, nowMs)).check;
}

/** As `checkCompany`; `isComplete` is false if the company moved more than one invocation can check. */
export async function checkSlice(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<{ check: StoredCheck; isComplete: boolean }> {
  const previous = await findSelfCheck(env, companyId);
  const audit = await continueAudit(env, companyId);
  const projection = await checkProjection(env, companyId, previous);
  const contradictions = await listUndecidedContradictions(env, companyId, CONTRADICTIONS_MAX);
  const check = {
    companyId,
    checkedAt: nowMs,
    movement: audit.movement,
    companySequence: projection.companySequence,
    missingEvents: projection.missingEvents,
    suspects: projection.suspects,
    backlogSince: projection.backlogSince,
    violations: [
      ...audit.violations,
      ...projection.violations,
      ...contradictions.map(
        ({ number, kind, object }) =>
          `contradiction ${contradictionId(companyId, number)} is open: ${kind} of ${object}`,
      ),
    ],
  };
  await saveSelfCheck(env, check);
  await measureCompany(env, companyId, audit.storageBytes, nowMs);
  if (projection.violations.length > 0) {
    log("error", "projection_diverged", {
      companyId,
      violations: projection.violations.join("; "),
    });
  }
  return { check, isComplete: audit.done && projection.isComplete };
}

async function continueAudit(env: Env, companyId: number) {
  const anchors = await anchorsToCompare(env, companyId);
  for (let steps = 1; ; steps++) {
    const step = await callCompany(env, companyId, (account) =>
      account.auditLedger(companyId, "cron", false, anchors),
    );
    if (step.done || steps === STEPS_MAX) return step;
  }
}

type ProjectionCheck = Pick<
  StoredCheck,
  "companySequence" | "missingEvents" | "suspects" | "violations" | "backlogSince"
> & { isComplete: boolean };

/**
 * Checks that the events since the last check have no gap (I8) and that the projections of their objects
 * match (I9). The check continues past what is missing or differs and compares it again next time.
 */
async function checkProjection(
  env: Env,
  companyId: number,
  previous: StoredCheck | null,
): Promise<ProjectionCheck> {
  const known = previous?.missingEvents ?? [];
  const missing = new Set(known.length === 0 ? [] : await missingEvents(env, companyId, known));
  // Read before D1, so that an event written in between does not count as missing.
  const { companySequence: newest, backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const mismatchedBefore = previous?.suspects ?? { transactionIds: [], withdrawIds: [] };
  const pending = backlog.entries - backlog.setAside;
  const found: ProjectionDiffs[] = [await persistentDifferences(env, companyId, mismatchedBefore)];
  let after = previous?.companySequence ?? 0;
  let isComplete = false;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const events = await eventsAfter(env, companyId, after, EVENTS_MAX);
    const isLastPage = events.length < EVENTS_MAX;
    const last = events.at(-1)?.companySequence ?? after;
    const present = new Set(events.map((event) => event.companySequence));
    const expected = pending === 0 && isLastPage ? Math.max(last, newest) : last;
    // An operator's reconciliation finds those beyond the limit.
    for (let number = after + 1; number <= expected && missing.size < MISSING_MAX; number++) {
      if (!present.has(number)) missing.add(number);
    }
    const objects = parseObjectIds(events.map((event) => event.objectId));
    found.push(await persistentDifferences(env, companyId, objects));
    after = expected;
    isComplete = isLastPage;
    if (isComplete) break;
  }
  const differences = {
    charges: found.flatMap((each) => each.charges),
    withdraws: found.flatMap((each) => each.withdraws),
    dailyTotals: found.flatMap((each) => each.dailyTotals),
  };
  const setAside = await setAsideEvents(env, companyId, missing.size > 0);
  const isOlder = after > newest && (await freezeIfOlder(env, companyId, after));
  return {
    isComplete,
    companySequence: after,
    missingEvents: [...missing],
    suspects: mismatchedIds(differences),
    backlogSince: backlog.oldestAt,
    violations: [
      ...backlogViolations(backlog),
      ...(isOlder ? [`I8 the object is older than D1, which has event ${after}`] : []),
      ...new Set(mismatchViolations(differences)),
      ...[...missing]
        .filter((number) => !setAside.has(number))
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
    account.setFrozen(companyId, true, frozenByService("the object is older than D1")),
  );
  return true;
}

/**
 * Events that D1 has refused and that were set aside. Read after D1, so that one that was set aside in between
 * does not count as missing. They stay on the list of missing events: an operator may discard them.
 */
async function setAsideEvents(
  env: Env,
  companyId: number,
  isNeeded: boolean,
): Promise<Set<number>> {
  if (!isNeeded) return new Set();
  const { backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  return new Set(backlog.setAsideEvents);
}

/** Projections that differ: each check compares them again until they match. */
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
