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
 * Compares refunds and returns that waited with the decisions about them and with the statement, once all requests are
 * finished: an approved one moved its money once, any other one none.
 */
export function refundApprovalProblems(
  journal: Journal,
  observed: Observed,
  refunds: Refunds,
): string[] {
  const onTransaction = movementsBy(observed.movements, "transactionId");
  const problems: string[] = [];
  for (const [transactionId, seen] of refunds) {
    const booked = onTransaction(transactionId);
    problems.push(
      ...seen.flatMap((refund) => refundProblems(journal, observed, transactionId, refund)),
      ...countProblems(transactionId, "refund_requested", booked, seen),
      ...countProblems(transactionId, "refund_done", booked, withStatus(seen, "DONE")),
      ...countProblems(transactionId, "refund_failed", booked, withStatus(seen, "FAILED")),
    );
  }
  return [...problems, ...returnProblems(journal, observed)];
}

function refundProblems(
  journal: Journal,
  { companyId }: Observed,
  transactionId: string,
  { id, status, approval }: RefundSeen,
): string[] {
  const problems: string[] = [];
  const { approved, refused } = decisionsOf(journal, companyId, "refund")(id);
  const is = `refund ${id} is ${status} and its approval ${approval}`;
  const decided = approved.length > 0 ? "approved" : refused.length > 0 ? "refused" : "pending";
  if (approval !== "none" && approval !== decided) problems.push(`lost: ${decided} ${is}`);
  // The bank refuses what it gave back by a dispute.
  const own = intentsBySubject(journal, companyId).get(transactionId) ?? [];
  const ends = { none: "DONE", approved: "DONE", refused: "FAILED", pending: "PENDING" };
  const mayFail = status === "FAILED" && own.some(isTaking);
  const mayWait = status === "PENDING" && approved.some((each) => isSentLater(journal, each, own));
  if (status !== ends[approval as keyof typeof ends] && !mayFail && !mayWait) {
    problems.push(`wrong: ${is}`);
  }
  return problems;
}

function returnProblems(journal: Journal, { companyId, payments }: Observed): string[] {
  const problems: string[] = [];
  for (const intent of journal.of(companyId, "refund_approve").filter(isAcknowledged)) {
    const { kind, paymentId } = intent.answer.data;
    const payment = payments.find(({ id }) => id === paymentId);
    if (kind !== "return" || payment?.status === "returned") continue;
    const mayWait = payment?.status === "returning" && isSentLater(journal, intent, []);
    if (!mayWait)
      problems.push(`lost: approved return of ${paymentId}, which is ${payment?.status}`);
  }
  return problems;
}

/**
 * Whether an approved refund may still wait. One that met a freeze before it was sent is looked at again after a quarter
 * of an hour. For ten minutes a refusal of a repeated send is not believed: the first one may still arrive.
 */
function isSentLater(journal: Journal, approval: Intent, own: Intent[]): boolean {
  const wasCutOff = approval.attempts > 1;
  return (wasCutOff && own.some(isTaking)) || journal.mayHaveBeenFrozenDuring(approval);
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
