import type { Backlog, Snapshot, SnapshotQuery } from "../../../company/rpc-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { diffProjection, type ProjectionDiffs } from "../../../db/projection/projection-diff.ts";
import type { Mismatch } from "../../../domain/shared/inspection.ts";

/** Comparisons of a projection that differs: a change may happen between two reads. */
const DIFF_ATTEMPTS_MAX = 3;
/** Characters shown of a value that differs: a list of refunds may be long. */
const VALUE_MAX = 200;
/** Fields with personal data. */
const PERSONAL_FIELDS = new Set(["card", "pixKey", "creditorDocument"]);
/** Failed drains after which a lagging D1 is a violation: about half a minute. */
const DRAIN_ATTEMPTS_MAX = 5;

/** Asks a snapshot for its sequence numbers and backlog only. */
export const EMPTY_QUERY: SnapshotQuery = { transactionIds: [], withdrawIds: [] };

/** The charges and withdraws of a query as the company's object has them, with its backlog. */
export function fetchSnapshot(
  env: Env,
  companyId: number,
  query: SnapshotQuery,
): Promise<Snapshot> {
  return callCompany(env, companyId, (account) => account.snapshot(query));
}

/** Changes still on their way to D1 are no violation, unless they have waited for long. */
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

/** Projections that differ from the object, without those that are still on their way to D1. */
export async function persistentDifferences(
  env: Env,
  companyId: number,
  query: SnapshotQuery,
): Promise<ProjectionDiffs> {
  let remaining = query;
  let differences: ProjectionDiffs = { charges: [], withdraws: [], dailyTotals: [] };
  if (isEmpty(query)) return differences;
  for (let comparison = 0; comparison < DIFF_ATTEMPTS_MAX; comparison++) {
    const read = await fetchSnapshot(env, companyId, remaining);
    const { transactionIds, withdrawIds, entries, setAside } = read.backlog;
    differences = await diffProjection(env, companyId, {
      charges: read.charges.filter((each) => !transactionIds.includes(each.transactionId)),
      withdraws: read.withdraws.filter((each) => !withdrawIds.includes(each.id)),
      // Any entry on its way may change any day.
      dailyTotals: entries > setAside ? [] : read.dailyTotals,
    });
    const { charges, withdraws, dailyTotals } = differences;
    if (charges.length + withdraws.length + dailyTotals.length === 0) break;
    remaining = {
      transactionIds: charges.map(({ snapshot }) => snapshot.transactionId),
      withdrawIds: withdraws.map(({ snapshot }) => snapshot.id),
      days: [...new Set(dailyTotals.map(({ snapshot }) => snapshot.day))],
    };
  }
  return differences;
}

function isEmpty(query: SnapshotQuery): boolean {
  if (!("transactionIds" in query)) return false;
  const { transactionIds, withdrawIds, days = [] } = query;
  return transactionIds.length + withdrawIds.length + days.length === 0;
}

/** The differences as violations of invariant I9 (docs/architecture.md). */
export function mismatchViolations({ charges, withdraws, dailyTotals }: ProjectionDiffs): string[] {
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
    ...dailyTotals.map(({ snapshot, projectedVersion, mismatches }) => {
      const how = projectedVersion === null ? "it is not there" : describeMismatches(mismatches);
      return `I9 D1 differs on the day ${snapshot.day} of ${snapshot.paymentMethod}: ${how}`;
    }),
  ];
}

/** The fields that differ with both values, for operators and the log; personal data without values. */
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
