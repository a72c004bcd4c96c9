import { appendAuditEntry } from "../../../db/audit-entries.ts";
import type { ProjectionDiff } from "../../../db/projection/diff.ts";
import {
  countDiffs,
  filterDiffs,
  joinDiffs,
  repairProjection,
  type ProjectionDiffs,
  type Repair,
} from "../../../db/projection/projection-diff.ts";
import { selfCheckStatements, type StoredCheck } from "../../../db/reconciliation/self-checks.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import type { Env } from "../../../config.ts";
import { log } from "../../../lib/log.ts";
import { currentTrace } from "../../../lib/trace/trace.ts";
import { describeDifferences } from "./service.ts";

/** Copies that a check, its log line and its entry in the audit trail name. */
const NAMED_MAX = 20;

/**
 * Copies that one check rewrites, alone in its invocation. Each is one statement of D1 and, where D1 refuses its batch of
 * 20, two more; each batch has one of its own. So 150 are at most 458 of the 1,000 that an invocation may run.
 */
export const MENDS_ALONE = 150;
/** The same of a check beside others: at most 16 statements. A company with more is checked again, alone. */
export const MENDS_TOGETHER = 5;

const ACTOR = {
  kind: "task",
  id: "check_companies",
  name: "check_companies",
  keyPrefix: null,
} as const;

/** Differences by who ends them. */
export interface SortedDifferences {
  /** Copies that are rewritten from the object. */
  mendable: ProjectionDiffs;
  /** What a person looks at first. */
  others: ProjectionDiffs;
}

/**
 * Nobody is asked about a copy that is older than its original or has its version. A newer one may say that the object
 * was taken back in time; so may events beyond the object's (`isObjectOlder`), and then nothing is rewritten.
 */
export function sortDifferences(
  found: readonly ProjectionDiffs[],
  isObjectOlder: boolean,
): SortedDifferences {
  const all = joinDiffs(found);
  const isMendable = ({ isRewritable, projectedVersion, version }: ProjectionDiff<unknown>) =>
    !isObjectOlder && isRewritable && (projectedVersion ?? 0) <= version;
  return {
    mendable: filterDiffs(all, isMendable),
    others: filterDiffs(all, (diff) => !isMendable(diff)),
  };
}

/**
 * Rewrites the copies that differ. D1 notes each with its rewriting (`mended`), so that none is rewritten untold: the
 * gateway's audit trail has them before the check is stored or, after a crash, with the next check. What D1 refuses, for
 * example because another row has its place, is left.
 */
export async function mend(
  env: Env,
  {
    companyId,
    nowMs,
    previous,
  }: { companyId: number; nowMs: number; previous: StoredCheck | null },
  mendable: ProjectionDiffs,
): Promise<Repair> {
  if (previous !== null && isUntold(previous)) {
    await tell(env, companyId, { at: nowMs, copies: previous.mended ?? [] });
  }
  const noted = previous ?? noCheck(companyId);
  const repair = await repairProjection(env, companyId, mendable, (rewritten) =>
    selfCheckStatements(
      env,
      { ...noted, mendedAt: nowMs, mended: namesOf(rewritten) },
      { comparedRows: 0, mendedCopies: 0 },
    ),
  );
  const { rewritten, refused } = repair;
  const count = countDiffs(rewritten);
  if (count > 0) await tell(env, companyId, { at: nowMs, copies: namesOf(rewritten), count });
  if (countDiffs(refused) > 0) {
    const copies = namesOf(refused).join("; ");
    log("error", "projection_not_mended", { companyId, copies });
  }
  return repair;
}

/** The copies that a check, its log line and its entry in the audit trail name. */
export function namesOf(rewritten: ProjectionDiffs): string[] {
  return describeDifferences(rewritten).slice(0, NAMED_MAX);
}

/** Whether a check crashed after it had rewritten copies and before it was stored. */
function isUntold({ mendedAt, checkedAt }: StoredCheck): boolean {
  return mendedAt !== null && mendedAt > checkedAt;
}

async function tell(
  env: Env,
  companyId: number,
  { at, copies, count = copies.length }: { at: number; copies: string[]; count?: number },
): Promise<void> {
  await appendAuditEntry(
    env,
    GATEWAY_TRAIL,
    {
      actor: ACTOR,
      action: "projection.mend",
      target: `company:${companyId}`,
      before: null,
      after: { projections: count, copies },
      reason: "A copy in D1 differed from the company's object.",
      address: null,
      traceId: currentTrace() ?? null,
    },
    at,
  );
  log("warn", "projection_mended", { companyId, projections: count, copies: copies.join("; ") });
}

/** What is stored of a company before its first check ends. */
function noCheck(companyId: number): StoredCheck {
  return {
    companyId,
    checkedAt: 0,
    movement: 0,
    companySequence: 0,
    missingEvents: [],
    suspects: { transactionIds: [], withdrawIds: [] },
    violations: [],
    backlogSince: null,
    openOperations: null,
    round: null,
    roundEndedAt: null,
    mendedAt: null,
    mended: null,
  };
}
