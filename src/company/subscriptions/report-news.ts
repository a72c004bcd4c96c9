import type { SubscriptionEventType } from "../../domain/events/event-types.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import {
  debitEnd,
  type DebitEnd,
  type DebitReason,
} from "../../domain/subscriptions/debit-codes.ts";
import { debitDayOf } from "../../domain/subscriptions/debit-window.ts";
import {
  takenAttempts,
  type CycleDebit,
  type DebitState,
  type MandateState,
  type SubscriptionMandate,
  type ToldEnd,
} from "../../domain/subscriptions/records.ts";
import {
  attemptNews,
  isSubscriptionOver,
  mergedAttempts,
  type DebitAttempt,
} from "../../domain/subscriptions/subscription.ts";
import type { StepResult, ToldDebit } from "./command-types.ts";
import type { StoredCycle } from "./cycle-store.ts";
import type { StoredSubscription } from "./subscription-store.ts";

/** Later states first told by an older answer are not taken back. */
export const MANDATE_RANK: Record<MandateState, number> = {
  none: 0,
  created: 1,
  approved: 2,
  rejected: 3,
  cancelled: 3,
  expired: 3,
};

/** A debit without a retry that is ordered. */
export const NO_RETRY = { retryDay: null, retryOrderedAt: null };

/** A mandate with its members in one order, to be compared as text. */
export function pickMandate(mandate: SubscriptionMandate): SubscriptionMandate {
  const { id, requestId, status, qrcode, payerIspb, reason, orderedAt, sentAt, isEnding } = mandate;
  const { needsApproval, end } = mandate;
  const told = { id, requestId, status, qrcode, payerIspb, reason, orderedAt, sentAt, isEnding };
  return { ...told, ...(needsApproval === undefined ? {} : { needsApproval }), ...endOf(end) };
}

/** The end of a mandate with its members in one order; none while it lasts. */
export function endOf(end: ToldEnd | undefined): Pick<SubscriptionMandate, "end"> {
  if (end === undefined) return {};
  const { by, providerCode, providerMessage } = end;
  return { end: { by, providerCode, providerMessage } };
}

/** Whether what a mandate has become makes another status of its subscription. */
export function changesStatus({ status }: StoredSubscription, mandate: MandateState): boolean {
  if (isSubscriptionOver(status)) return false;
  return mandate === "approved"
    ? status === "pending_approval"
    : MANDATE_RANK[mandate] > MANDATE_RANK.approved;
}

/** Why a debit ends, after a report: the merchant may have cancelled it at his own bank, which is his wish as any other. */
export function endingAfter(
  { ending }: Pick<CycleDebit, "ending">,
  end: CycleDebit["end"],
): CycleDebit["ending"] {
  const isWanted = ending === null || ending === "over";
  return isWanted && end?.code === "RECEIVER_CANCELLED" ? "requested" : ending;
}

/** Whether a cycle that has ended takes a result. */
export function isTakenClosed(result: StepResult): boolean {
  if (result.kind === "made_by_hand") return true;
  return result.kind === "debit" && result.debit.status === "paid";
}

/** The attempts that have failed since they were known. */
export function newFailures(known: DebitAttempt[], attempts: DebitAttempt[]): DebitAttempt[] {
  return attemptNews(known, attempts).filter(({ status }) => status === "failed");
}

/** What is announced of attempts that changed: that one is scheduled, that one failed. */
export function eventsOf(known: DebitAttempt[], attempts: DebitAttempt[]): SubscriptionEventType[] {
  return attemptNews(known, attempts).flatMap(({ status }): SubscriptionEventType[] => {
    if (status === "scheduled") return ["subscription.charge_scheduled"];
    return status === "failed" ? ["subscription.charge_attempt_failed"] : [];
  });
}

/**
 * The attempts of a cycle after a report. A charge that is rejected without one, as a bank rejects an order, has failed on
 * its day all the same: so its reason is told, and followed, as any other.
 */
export function attemptsAfter(
  { customer }: Pick<StoredSubscription, "customer">,
  cycle: Pick<StoredCycle, "attempts" | "dueDate" | "debit">,
  { status, told, nowMs }: { status: DebitState; told: ToldDebit; nowMs: number },
): DebitAttempt[] {
  const { attempts: known, dueDate } = cycle;
  const dated = (attempts: DebitAttempt[]) =>
    attempts.map((attempt) => withFailureDay(attempt, known, nowMs));
  const merged = mergedAttempts(takenAttempts(cycle, told.status), told.attempts);
  // An order that was refused here may have arrived all the same: its attempt is open, whatever is kept of it.
  const isRejected = status === "rejected" && told.status === "rejected";
  if (!isRejected || merged.some(({ status: of }) => of === "failed")) return dated(merged);
  const refused: DebitAttempt = {
    day: debitDayOf(dueDate, customer.city),
    kind: "due",
    status: "failed",
    reason: reasonOfEnd(told.end ?? debitEnd({ kind: "rejected", by: null, providerCode: null })),
    endToEndId: null,
  };
  return dated(mergedAttempts(merged, [refused]));
}

/** Nothing is tried again after it. */
function reasonOfEnd({ code, message, action, providerCode }: DebitEnd): DebitReason {
  return { code, message, action, providerCode };
}

/** An attempt with the day of its failure where it is refused before its own: what is paid from then on recovers it. */
export function withFailureDay(
  attempt: DebitAttempt,
  known: DebitAttempt[],
  nowMs: number,
): DebitAttempt {
  if (attempt.status !== "failed") return attempt;
  const earlier = known.find(
    ({ status, day, kind }) => status === "failed" && day === attempt.day && kind === attempt.kind,
  );
  const today = saoPauloDay(nowMs);
  const early = today < attempt.day ? today : undefined;
  const failedOn = earlier === undefined ? early : earlier.failedOn;
  return failedOn === undefined ? attempt : { ...attempt, failedOn };
}
