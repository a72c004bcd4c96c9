import { isAcknowledged, type Intent, type Journal } from "../journal.ts";
import type { Movement, Observed, RefundSeen } from "../observe.ts";
import { decisionsOf } from "./check-decisions.ts";
import { intentsBySubject } from "./check-durability.ts";
import { movementsBy } from "./check-statement.ts";

/** The refunds of transactions, by them. */
export type Refunds = ReadonlyMap<string, RefundSeen[]>;

/** Transactions of which a refund waited for an approval, by the client's log. */
export function transactionsThatWaited(journal: Journal, companyId: number): string[] {
  const answers = journal
    .of(companyId, "refund")
    .filter(isAcknowledged)
    .map(({ answer }) => answer.data as { id: string; refunds?: RefundSeen[] });
  const waited = answers.filter(({ refunds = [] }) =>
    refunds.some(({ approval }) => approval === "pending"),
  );
  return [...new Set(waited.map(({ id }) => id))];
}

/**
 * Compares refunds that waited with the decisions about them and with the statement, once all requests are finished:
 * an approved one moved its money once, any other one none.
 */
export function refundApprovalProblems(
  journal: Journal,
  { companyId, movements }: Observed,
  refunds: Refunds,
): string[] {
  const onTransaction = movementsBy(movements, "transactionId");
  const intents = intentsBySubject(journal, companyId);
  const decisionsOn = decisionsOf(journal, companyId, "refund");
  const problems: string[] = [];
  for (const [transactionId, seen] of refunds) {
    // The bank refuses what it gave back by a dispute.
    const isDisputed = intents.get(transactionId)?.some(isTaking) === true;
    for (const { id, status, approval } of seen) {
      const { approved, refused } = decisionsOn(id);
      const is = `refund ${id} is ${status} and its approval ${approval}`;
      const decided = approved.length > 0 ? "approved" : refused.length > 0 ? "refused" : "pending";
      if (approval !== "none" && approval !== decided) problems.push(`lost: ${decided} ${is}`);
      const ends = { none: "DONE", approved: "DONE", refused: "FAILED", pending: "PENDING" };
      const mayFail = status === "FAILED" && isDisputed;
      if (status !== ends[approval as keyof typeof ends] && !mayFail) problems.push(`wrong: ${is}`);
    }
    const booked = onTransaction(transactionId);
    problems.push(
      ...countProblems(transactionId, "refund_requested", booked, seen),
      ...countProblems(transactionId, "refund_done", booked, withStatus(seen, "DONE")),
      ...countProblems(transactionId, "refund_failed", booked, withStatus(seen, "FAILED")),
    );
  }
  return problems;
}

/** Centavos of a transaction's refunds that reached the payer. */
export function refundedAmount(refunds: RefundSeen[]): number {
  return withStatus(refunds, "DONE").reduce((sum, { amount }) => sum + amount, 0);
}

function countProblems(
  id: string,
  type: string,
  booked: { of: (type: string) => Movement[] },
  seen: RefundSeen[],
): string[] {
  const count = booked.of(type).length;
  if (count === seen.length) return [];
  const word = count > seen.length ? "doubled" : "lost";
  return [`${word}: ${type} of ${id}: ${count}, and ${seen.length} refunds show it`];
}

function withStatus(refunds: RefundSeen[], wanted: string): RefundSeen[] {
  return refunds.filter(({ status }) => status === wanted);
}

function isTaking({ kind }: Intent): boolean {
  return kind === "dispute" || kind === "chargeback";
}
