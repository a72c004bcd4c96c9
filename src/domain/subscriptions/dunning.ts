import type {
  CycleDebit,
  CycleEnding,
  CycleStatus,
  Subscription,
  SubscriptionCycle,
} from "./records.ts";
import { isSubscriptionOver, type DebitAttempt } from "./subscription.ts";

/** How a payer hears of the link by which he pays by hand: not at all, by the merchant (event), or by e-mail too. */
export const DUNNING_LINKS = ["none", "event", "email"] as const;
/** What a subscription becomes whose cycle stays unpaid. */
export const DUNNING_ENDS = ["none", "pause", "cancel"] as const;
export const DUNNING_DAYS = 7;
export const DUNNING_DAYS_MAX = 30;
const DAY_MS = 24 * 3_600_000;

/** What is done about a cycle once no attempt to debit it is left. */
export interface Dunning {
  link: (typeof DUNNING_LINKS)[number];
  /** Days after that on which an unpaid cycle ends the subscription as `then` says. */
  days: number;
  then: (typeof DUNNING_ENDS)[number];
}

export const NO_DUNNING: Dunning = { link: "none", days: DUNNING_DAYS, then: "none" };

/** How far the dunning of a cycle is. Times are epoch milliseconds. */
export interface CycleDunning {
  /** When no attempt was left. */
  since: number;
  /** When the e-mail with the link was made due; null before. */
  emailedAt: number | null;
  /** Whether its days are over. */
  isOver: boolean;
}

/** Whether a cycle is dunned, once no attempt to debit it is left. */
export function isDunned(
  { status, dunning }: Pick<Subscription, "status" | "dunning">,
  { attempts }: Pick<SubscriptionCycle, "attempts">,
): boolean {
  return dunning !== null && !isSubscriptionOver(status) && isOwedByPayer(attempts);
}

/** Not where his bank says that he has paid, and not where it was never asked or a fault of ours is all that failed. */
function isOwedByPayer(attempts: DebitAttempt[]): boolean {
  const failures = attempts.filter(({ status }) => status === "failed");
  if (failures.some(({ reason }) => reason?.code === "ALREADY_PAID")) return false;
  if (failures.length === 0) return true;
  return failures.some(
    ({ reason, isUntaken }) => isUntaken !== true && reason?.action !== "our_fault",
  );
}

/** When the dunning of a cycle ends its subscription, epoch milliseconds; null where it does not. */
export function dunningEndsAt(
  subscription: Pick<Subscription, "status" | "dunning">,
  cycle: Pick<SubscriptionCycle, "attempts" | "debit" | "recovery">,
): number | null {
  const { dunning: policy } = subscription;
  const dunning = cycle.recovery?.dunning;
  if (policy === null || dunning === undefined || !isDunned(subscription, cycle)) return null;
  const endsIt = policy.then !== "none" && !dunning.isOver && cycle.debit.ending === "over";
  return endsIt ? dunning.since + policy.days * DAY_MS : null;
}

/** Whether nobody wants a cycle's debit any more. */
export function isEnding({ debit: { ending } }: Pick<SubscriptionCycle, "debit">): boolean {
  return ending !== null && ending !== "over";
}

/** What an unpaid cycle becomes as it ends, by why. */
const UNPAID: Record<CycleEnding, CycleStatus> = {
  requested: "cancelled",
  mandate: "cancelled",
  paused: "skipped",
  over: "failed",
};

/** What an unpaid cycle becomes as it ends. A failure that was told stays one, unless the merchant himself cancels it. */
export function unpaidStatus({ ending, isFailureTold }: CycleDebit): CycleStatus {
  const isFailed = ending === null || (isFailureTold === true && ending !== "requested");
  return isFailed ? "failed" : UNPAID[ending];
}

/** Whether a cycle that nobody has paid is owed: it is being debited, or that has failed. */
export function isOwed({ debit }: Pick<SubscriptionCycle, "debit">): boolean {
  return unpaidStatus(debit) === "failed";
}
