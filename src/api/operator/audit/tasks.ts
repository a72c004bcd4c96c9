import type { SnapshotQuery, Snapshot, Backlog } from "../../../company/rpc-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import {
  diffProjection,
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
import type { Mismatch } from "../../../domain/shared/inspection.ts";
import { anchorsToCompare } from "./anchors.ts";
import type { Env } from "../../../config.ts";
import { log } from "../../../lib/log.ts";
import { measureCompany } from "../storage/tasks.ts";

/** Events whose objects one step compares. */
const EVENTS_MAX = 100;
/** Steps of each kind for one company in one minute: 10,000 movements and 2,000 events. */
const STEPS_MAX = 20;
/** Copies that differ are compared once more: a change may have come between two reads. */
const DIFF_ATTEMPTS_MAX = 3;
/** Missing events that are remembered one by one. */
const MISSING_MAX = 100;
/** Characters shown of a value that differs: a list of refunds may be long. */
const VALUE_MAX = 200;
/** Open contradictions that a check names; the operator's list has all of them. */
const CONTRADICTIONS_MAX = 20;
/** What of a charge or a withdraw says who somebody is. */
const PERSONAL_FIELDS = new Set(["card", "pixKey", "creditorDocument"]);
/** Copies that differ, and are remembered to be compared again. */
const MISMATCHES_MAX = 100;
/** Failed attempts after which D1's being behind is a violation of its own: about half a minute. */
const DRAIN_ATTEMPTS_MAX = 5;

/**
 * The cron's check of one company, from where the last one ended: the ledger's audit, and D1's copy
 * of what has changed since. Its cost does not grow with history. The outcome is recorded.
 */
export async function checkCompany(
  env: Env,
  companyId: number,
  nowMs: number,
): Promise<StoredCheck> {
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
  return check;
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

/**
 * The events since the last check without a gap (I8), and the copies of what they were about (I9).
 * What is missing or differs stays a finding for as long as it does, and the check goes on behind it.
 */
async function checkProjection(
  env: Env,
  companyId: number,
  previous: StoredCheck | null,
): Promise<Pick<StoredCheck, "companySequence" | "missingEvents" | "suspects" | "violations">> {
  const known = previous?.missingEvents ?? [];
  const missing = new Set(known.length === 0 ? [] : await missingEvents(env, companyId, known));
  // Asked before D1 is, so that an event that happens meanwhile is not missed by mistake.
  const { companySequence: newest, backlog } = await fetchSnapshot(env, companyId, EMPTY_QUERY);
  const mismatchedBefore = previous?.suspects ?? { transactionIds: [], withdrawIds: [] };
  const pending = backlog.entries - backlog.setAside;
  const found: ProjectionDiffs[] = [await persistentDifferences(env, companyId, mismatchedBefore)];
  let after = previous?.companySequence ?? 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const events = await eventsAfter(env, companyId, after, EVENTS_MAX);
    const isLastPage = events.length < EVENTS_MAX;
    const last = events.at(-1)?.companySequence ?? after;
    const present = new Set(events.map((event) => event.companySequence));
    const expected = pending === 0 && isLastPage ? Math.max(last, newest) : last;
    // Those beyond what is remembered are found by a reconciliation.
    for (let number = after + 1; number <= expected && missing.size < MISSING_MAX; number++) {
      if (!present.has(number)) missing.add(number);
    }
    const objects = parseObjectIds(events.map((event) => event.objectId));
    found.push(await persistentDifferences(env, companyId, objects));
    after = expected;
    if (isLastPage) break;
  }
  const differences = {
    charges: found.flatMap((each) => each.charges),
    withdraws: found.flatMap((each) => each.withdraws),
  };
  const setAside = await setAsideEvents(env, companyId, missing.size > 0);
  return {
    companySequence: after,
    missingEvents: [...missing],
    suspects: mismatchedIds(differences),
    violations: [
      ...backlogViolations(backlog),
      ...new Set(mismatchViolations(differences)),
      ...[...missing]
        .filter((number) => !setAside.has(number))
        .map((number) => `I8 event ${number} is missing`),
    ],
  };
}

/**
 * Events that D1 is still owed behind later ones. Asked after D1 was, so that one that was set aside in
 * between is no missing one; those missing are remembered all the same, for they may be given up.
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

/** Copies that differ are compared in each check until they do not; the check goes on behind them. */
function mismatchedIds({ charges, withdraws }: ProjectionDiffs): StoredCheck["suspects"] {
  const transactionIds = charges.map(({ snapshot }) => snapshot.transactionId);
  const withdrawIds = withdraws.map(({ snapshot }) => snapshot.id);
  return {
    transactionIds: [...new Set(transactionIds)].slice(0, MISMATCHES_MAX),
    withdrawIds: [...new Set(withdrawIds)].slice(0, MISMATCHES_MAX),
  };
}

export const EMPTY_QUERY: SnapshotQuery = { transactionIds: [], withdrawIds: [] };

export function fetchSnapshot(
  env: Env,
  companyId: number,
  query: SnapshotQuery,
): Promise<Snapshot> {
  return callCompany(env, companyId, (account) => account.snapshot(query));
}

/** What D1 is still owed is no difference; that it is owed it for long is a violation. */
export function backlogViolations(backlog: Backlog): string[] {
  const { attempts, setAside } = backlog;
  const pending = backlog.entries - setAside;
  return [
    ...(attempts < DRAIN_ATTEMPTS_MAX
      ? []
      : [`I9 D1 is behind by ${pending} changes, tried ${attempts} times`]),
    ...(setAside === 0 ? [] : [`I9 ${setAside} changes are set aside: D1 refuses them`]),
  ];
}

/**
 * Where D1's copies of these differ for good: what is still owed to D1 is left out, and what changed
 * between two reads is read again.
 */
export async function persistentDifferences(
  env: Env,
  companyId: number,
  query: SnapshotQuery,
): Promise<ProjectionDiffs> {
  const hasNoTransactions = "transactionIds" in query && query.transactionIds.length === 0;
  if (hasNoTransactions && query.withdrawIds.length === 0) return { charges: [], withdraws: [] };
  let remaining = query;
  let differences: ProjectionDiffs = { charges: [], withdraws: [] };
  for (let comparison = 0; comparison < DIFF_ATTEMPTS_MAX; comparison++) {
    const read = await fetchSnapshot(env, companyId, remaining);
    const { transactionIds, withdrawIds } = read.backlog;
    differences = await diffProjection(env, companyId, {
      charges: read.charges.filter((each) => !transactionIds.includes(each.transactionId)),
      withdraws: read.withdraws.filter((each) => !withdrawIds.includes(each.id)),
    });
    const { charges, withdraws } = differences;
    if (charges.length + withdraws.length === 0) break;
    remaining = {
      transactionIds: charges.map(({ snapshot }) => snapshot.transactionId),
      withdrawIds: withdraws.map(({ snapshot }) => snapshot.id),
    };
  }
  return differences;
}

export function mismatchViolations({ charges, withdraws }: ProjectionDiffs): string[] {
  return [
    ...charges.map(({ snapshot, projectedVersion, mismatches }) =>
      projectedVersion === null
        ? `I9 transaction ${snapshot.transactionId} is not in D1`
        : `I9 D1 differs on transaction ${snapshot.transactionId}: ${describeMismatches(mismatches)}`,
    ),
    ...withdraws.map(({ snapshot, projectedVersion, mismatches }) => {
      const how = projectedVersion === null ? "it is not there" : describeMismatches(mismatches);
      return `I9 D1 differs on withdraw ${snapshot.id}: ${how}`;
    }),
  ];
}

/** What differs, for an operator and the log: what may be somebody's data is only named. */
function describeMismatches(mismatches: Mismatch[]): string {
  const texts = mismatches.map(({ field, here, there }) => {
    if (PERSONAL_FIELDS.has(field)) return `${field} is another`;
    const [inD1, inObject] = [here, there].map((value) =>
      JSON.stringify(value).slice(0, VALUE_MAX),
    );
    return `${field} is ${inD1} in D1 and ${inObject} in the object`;
  });
  return texts.join(", ");
}

function parseObjectIds(objectIds: string[]): { transactionIds: string[]; withdrawIds: number[] } {
  const ids = [...new Set(objectIds)];
  return {
    transactionIds: ids.filter(isTransactionSubject),
    withdrawIds: ids.flatMap((id) => withdrawIdOfSubject(id) ?? []),
  };
}
