import type { Backlog } from "../../../company/outbox/outbox-store.ts";
import type { Snapshot, SnapshotQuery } from "../../../company/snapshot.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import { freezeStatement } from "../../../db/projection/company-writes.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import { shownFreeze } from "../../../domain/access/freeze.ts";
import {
  countDiffs,
  diffProjection,
  noDiffs,
  type ProjectionDiffs,
} from "../../../db/projection/projection-diff.ts";
import { keysOf, noKeys, type NumberedKind } from "../../../domain/shared/numbered-records.ts";
import type { ProjectionDiff } from "../../../db/projection/diff.ts";
import type { Mismatch } from "../../../domain/shared/inspection.ts";

/** Comparisons of a projection that differs: a change may happen between two reads. */
const DIFF_ATTEMPTS_MAX = 3;
/** Characters shown of a value that differs: whoever writes into D1 by hand may write any. */
const VALUE_MAX = 200;
/** Fields whose values findings show: ids, amounts, statuses, times, numbers. Any other may name a person. */
const SHOWN_FIELDS = new Set([
  "amount",
  "approval",
  "bookedDay",
  "cancelReason",
  "companyId",
  "count",
  "createdAt",
  "currency",
  "day",
  "deadline",
  "endToEndId",
  "expiresAt",
  "externalNsu",
  "failureCode",
  "fee",
  "fees",
  "gross",
  "held",
  "id",
  "isActive",
  "kind",
  "maxPayments",
  "number",
  "object",
  "openCount",
  "openedAt",
  "paidAmount",
  "paidAt",
  "paidCount",
  "payerMatch",
  "paymentId",
  "paymentMethod",
  "payoutId",
  "pixKeyType",
  "reason",
  "receivedAt",
  "refundReason",
  "refundedAmount",
  "returnedAmount",
  "rule",
  "since",
  "status",
  "transactionId",
  "updatedAt",
  "version",
]);
/** Failed drains after which a lagging D1 is a violation: about half a minute. */
const DRAIN_ATTEMPTS_MAX = 5;

/** What findings call the copies that have a number. */
export const COPY_NAMES: Record<NumberedKind | "withdraw", string> = {
  withdraw: "withdraw",
  dispute: "dispute",
  payment: "unexpected payment",
  link: "payment link",
  subscription: "subscription",
  cycle: "cycle of a subscription",
  contradiction: "contradiction",
};

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

/** Copies a company's freeze to D1, where operators and creates see it, as its object has it; returns it. */
export async function copyFreeze(env: Env, companyId: number): Promise<Snapshot["freeze"]> {
  const freeze = await callCompany(env, companyId, (account) => account.findFreeze());
  await writeFreeze(env, companyId, freeze);
  return freeze;
}

/** As `copyFreeze`, of a freeze that was read. Writes nothing if D1 has it so. */
export async function writeFreeze(
  env: Env,
  companyId: number,
  freeze: Snapshot["freeze"],
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() => freezeStatement(db, companyId, shownFreeze(freeze)).run());
}

/** Changes still on their way to D1 are no violation, unless they have waited for long. */
export function backlogViolations(backlog: Backlog): string[] {
  const { attempts, rejected } = backlog;
  const pending = backlog.entries - rejected;
  return [
    ...(attempts < DRAIN_ATTEMPTS_MAX
      ? []
      : [`I9 D1 is behind by ${pending} changes, tried ${attempts} times`]),
    ...(rejected === 0 ? [] : [`I9 ${rejected} changes are rejected: D1 refuses them`]),
  ];
}

/**
 * Projections that differ from the object, without those that are still on their way to D1. `first`: what the query
 * has read already.
 */
export async function persistentDifferences(
  env: Env,
  companyId: number,
  query: Extract<SnapshotQuery, { transactionIds: string[] }>,
  first?: Snapshot,
): Promise<ProjectionDiffs> {
  let remaining = query;
  let read = first;
  let differences = noDiffs();
  if (isEmpty(query)) return differences;
  for (let comparison = 0; comparison < DIFF_ATTEMPTS_MAX; comparison++) {
    read ??= await fetchSnapshot(env, companyId, remaining);
    differences = await diffProjection(env, companyId, settled(read));
    if (countDiffs(differences) === 0) break;
    remaining = queryOf(differences, read);
    read = undefined;
  }
  return differences;
}

/** What of a snapshot is not on its way to D1. */
function settled({ charges, withdraws, dailyTotals, numbered, backlog }: Snapshot) {
  const { transactionIds, withdrawIds, records, days } = backlog;
  return {
    charges: charges.filter((each) => !transactionIds.includes(each.transactionId)),
    withdraws: withdraws.filter((each) => !withdrawIds.includes(each.id)),
    dailyTotals: dailyTotals.filter((each) => !days.includes(each.day)),
    numbered: {
      dispute: numbered.dispute.filter(({ id }) => !records.dispute.includes(id)),
      payment: numbered.payment.filter(({ paymentId }) => !records.payment.includes(paymentId)),
      link: numbered.link.filter(({ number }) => !records.link.includes(number)),
      subscription: numbered.subscription.filter(
        ({ number }) => !records.subscription.includes(number),
      ),
      cycle: numbered.cycle.filter(({ number }) => !records.cycle.includes(number)),
      contradiction: numbered.contradiction.filter(
        ({ number }) => !records.contradiction.includes(number),
      ),
    },
  };
}

/** Asks for what differs once more. */
function queryOf({ charges, withdraws, dailyTotals, numbered }: ProjectionDiffs, read: Snapshot) {
  const isOneOf = (kind: NumberedKind) => (record: { number: number }) =>
    numbered.some((diff) => diff.kind === kind && diff.snapshot.number === record.number);
  return {
    transactionIds: charges.map(({ snapshot }) => snapshot.transactionId),
    withdrawIds: withdraws.map(({ snapshot }) => snapshot.id),
    days: [...new Set(dailyTotals.map(({ snapshot }) => snapshot.day))],
    records: keysOf({
      dispute: read.numbered.dispute.filter(isOneOf("dispute")),
      payment: read.numbered.payment.filter(isOneOf("payment")),
      link: read.numbered.link.filter(isOneOf("link")),
      subscription: read.numbered.subscription.filter(isOneOf("subscription")),
      cycle: read.numbered.cycle.filter(isOneOf("cycle")),
      contradiction: read.numbered.contradiction.filter(isOneOf("contradiction")),
    }),
  };
}

function isEmpty({
  transactionIds,
  withdrawIds,
  days = [],
  records = noKeys(),
}: Extract<SnapshotQuery, { transactionIds: string[] }>): boolean {
  const lists = [transactionIds, withdrawIds, days, ...Object.values(records)];
  return lists.every(({ length }) => length === 0);
}

/** The differences as violations of invariant I9 (docs/architecture.md). */
export function mismatchViolations(differences: ProjectionDiffs): string[] {
  return describeDifferences(differences).map((text) => `I9 ${text}`);
}

/** Each difference as a sentence. */
export function describeDifferences(differences: ProjectionDiffs): string[] {
  const { charges, withdraws, dailyTotals, numbered } = differences;
  return [
    ...charges.map((diff) => {
      const { transactionId } = diff.snapshot;
      return diff.projectedVersion === null
        ? `transaction ${transactionId} is not in D1`
        : differs(`transaction ${transactionId}`, diff);
    }),
    ...withdraws.map((diff) => differs(`withdraw ${diff.snapshot.id}`, diff)),
    ...numbered.map((diff) => differs(`${COPY_NAMES[diff.kind]} ${diff.snapshot.number}`, diff)),
    ...dailyTotals.map((diff) => {
      const { day, paymentMethod } = diff.snapshot;
      return differs(`the day ${day} of ${paymentMethod}`, diff);
    }),
  ];
}

function differs(what: string, { projectedVersion, mismatches }: ProjectionDiff<unknown>): string {
  const how = projectedVersion === null ? "it is not there" : describeMismatches(mismatches);
  return `D1 differs on ${what}: ${how}`;
}

/** The fields that differ, for operators, the audit trail and the log: with both values where they may be shown. */
function describeMismatches(mismatches: Mismatch[]): string {
  const texts = mismatches.map(({ field, here, there }) => {
    if (!SHOWN_FIELDS.has(field)) return `${field} is another`;
    const [inD1, inObject] = [here, there].map((value) =>
      JSON.stringify(value).slice(0, VALUE_MAX),
    );
    return `${field} is ${inD1} in D1 and ${inObject} in the object`;
  });
  return texts.join(", ");
}
