import type { MethodWithCode } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";
import type { TaxDocument } from "../shared/document.ts";
import type { DebitReason } from "./debit-codes.ts";

/**
 * `pending_approval`: its payer has not approved it. `past_due`: the newest cycle that was to be paid is not.
 * `expired`: never approved in time. `completed`: its last cycle is over.
 */
export const SUBSCRIPTION_STATUSES = [
  "pending_approval",
  "active",
  "past_due",
  "paused",
  "cancelled",
  "rejected",
  "expired",
  "completed",
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const TRANSITIONS: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  pending_approval: ["active", "rejected", "cancelled", "expired"],
  active: ["past_due", "paused", "cancelled", "completed"],
  past_due: ["active", "paused", "cancelled", "completed"],
  paused: ["active", "past_due", "cancelled", "completed"],
  cancelled: [],
  rejected: [],
  expired: [],
  completed: [],
};

/** Whether a subscription may go from one status to another. */
export function canTransitionSubscription(
  from: SubscriptionStatus,
  to: SubscriptionStatus,
): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Whether no status follows. */
export function isSubscriptionOver(status: SubscriptionStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/**
 * How a payer approves (BACEN Pix API 2.9.0, `tipoJornada`): asked by his bank (JORNADA_1), by a code (JORNADA_2), by a
 * code that he pays at once (JORNADA_3), by the code of a charge with a due date (JORNADA_4).
 */
export const SUBSCRIPTION_JOURNEYS = ["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"] as const;
export type SubscriptionJourney = (typeof SUBSCRIPTION_JOURNEYS)[number];

/** How often a cycle is due (BACEN `periodicidade`). */
export const PERIODS = ["WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUAL", "ANNUAL"] as const;
export type Period = (typeof PERIODS)[number];

/**
 * What is debited in each cycle, in centavos: always the same (`valorRec`), or any amount up to a limit that the payer
 * sets himself, which must be at least `minimum` (`valorMinimoRecebedor`).
 */
export type SubscriptionAmount =
  | { kind: "fixed"; amount: Cents }
  | { kind: "variable"; minimum: Cents };

/** Days after the due date on which an unpaid debit is tried again, ascending; none: `NAO_PERMITE`. */
export type RetryPolicy = readonly number[];

/** BACEN's `PERMITE_3R_7D`: at most so many retries, within so many days after the due date. */
export const RETRIES_MAX = 3;
export const RETRY_DAYS_MAX = 7;

/** What is wrong with the days of a retry policy; null for a good one. */
export function retryPolicyFault(days: RetryPolicy): string | null {
  if (days.length > RETRIES_MAX) {
    return `At most ${RETRIES_MAX} retries are allowed (Pix API 2.9.0, PERMITE_3R_7D).`;
  }
  if (days.some((day) => !Number.isInteger(day) || day < 1 || day > RETRY_DAYS_MAX)) {
    return `A retry is 1 to ${RETRY_DAYS_MAX} days after the due date (Pix API 2.9.0, PERMITE_3R_7D).`;
  }
  const isAscending = days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0));
  return isAscending ? null : "Retries are on different days, the earliest first.";
}

/** The account that the payer's bank asks him to approve with. `branch`: up to four digits. */
export interface PayerAccount {
  ispb: string;
  branch: string | null;
  account: string;
  /** Of the account's owner; null where he is the customer. */
  document: TaxDocument | null;
}

/**
 * `due`: for the due date (BACEN `AGND`). `retry`: ordered for a later day (`NTAG`). `resend`: again on the same day, after
 * a failure of the bank's systems (`RIFL`).
 */
export const ATTEMPT_KINDS = ["due", "retry", "resend"] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/**
 * `requested` and `scheduled` are open. `failed`: refused, or not paid by the end of its day. Only `paid` is money: an
 * attempt has an end-to-end id long before.
 */
export const ATTEMPT_STATUSES = ["requested", "scheduled", "paid", "failed", "cancelled"] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** One attempt to debit a cycle, on a day (`YYYY-MM-DD`). */
export interface DebitAttempt {
  day: string;
  kind: AttemptKind;
  status: AttemptStatus;
  /** Why it failed; null where it did not. */
  reason: DebitReason | null;
  endToEndId: string | null;
  /** When it was refused (`YYYY-MM-DD`), where that is before its own day; left out for all others. */
  failedOn?: string;
  /** The PSP never took its order, so that it uses up no retry; left out for all others. */
  isUntaken?: true;
}

/** How far an attempt is: an older answer takes none back. */
const ATTEMPT_RANK: Record<AttemptStatus, number> = {
  requested: 0,
  scheduled: 1,
  paid: 2,
  failed: 2,
  cancelled: 2,
};

/** The attempts that the provider tells of, with those of ours that it never took; by their days. */
export function mergedAttempts(known: DebitAttempt[], told: DebitAttempt[]): DebitAttempt[] {
  const pairs = pairsOf(known, told);
  const kept = known.map((attempt) => {
    const now = pairs.find(([, earlier]) => earlier === attempt)?.[0];
    return now === undefined || isOlder(now, attempt) ? attempt : now;
  });
  const added = pairs.flatMap(([attempt, earlier]) => (earlier === undefined ? [attempt] : []));
  return inOrder([...kept, ...added]);
}

/** Those of the told attempts that are not known, or are further than they were. */
export function attemptNews(known: DebitAttempt[], told: DebitAttempt[]): DebitAttempt[] {
  const news = pairsOf(known, told).filter(
    ([attempt, earlier]) => earlier?.status !== attempt.status && !isOlder(attempt, earlier),
  );
  return inOrder(news.map(([attempt]) => attempt));
}

/** A told attempt, and the known one that it is. */
type Pair = [DebitAttempt, DebitAttempt | undefined];

/** Known by its id, else by its place among the others. */
function pairsOf(known: DebitAttempt[], told: DebitAttempt[]): Pair[] {
  const others = new Set(inOrder(known));
  const byId = inOrder(told).map((attempt): Pair => {
    const same = [...others].find((each) => isSame(each, attempt));
    if (same !== undefined) others.delete(same);
    return [attempt, same];
  });
  return byId.map(([attempt, same]) => {
    const earlier = same ?? [...others].find((each) => isLike(each, attempt));
    if (earlier !== undefined) others.delete(earlier);
    return [attempt, earlier];
  });
}

function isSame(one: DebitAttempt, other: DebitAttempt): boolean {
  return isLike(one, other) && one.endToEndId !== null && one.endToEndId === other.endToEndId;
}

/** Whether two attempts are of one kind on one day: a debit may be sent again more than once a day. */
function isLike(one: DebitAttempt, other: DebitAttempt): boolean {
  return one.day === other.day && one.kind === other.kind;
}

/** By their days, those of a day that are decided first. */
function inOrder(attempts: DebitAttempt[]): DebitAttempt[] {
  return attempts
    .toSorted((one, other) => ATTEMPT_RANK[other.status] - ATTEMPT_RANK[one.status])
    .toSorted(byDay);
}

function byDay({ day: one }: DebitAttempt, { day: other }: DebitAttempt): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether an attempt is told as it was before. One that the provider never took may come all the same. */
function isOlder(told: DebitAttempt, known: DebitAttempt | undefined): boolean {
  if (known === undefined || known.isUntaken === true) return false;
  return ATTEMPT_RANK[told.status] < ATTEMPT_RANK[known.status];
}

/** Whether an attempt may still be paid. */
export function isAttemptOpen({ status }: Pick<DebitAttempt, "status">): boolean {
  return status === "requested" || status === "scheduled";
}

/** How a payer hears of the link by which he pays by hand: not at all, by the merchant (event), or by e-mail too. */
export const DUNNING_LINKS = ["none", "event", "email"] as const;
/** What a subscription becomes whose cycle stays unpaid. */
export const DUNNING_ENDS = ["none", "pause", "cancel"] as const;

/** What is done about a cycle once no attempt to debit it is left. */
export interface Dunning {
  link: (typeof DUNNING_LINKS)[number];
  /** By what the link is paid; left out for the first of `METHODS_WITH_CODE`. */
  method?: MethodWithCode;
  /** The payer's saved card that is charged before a link is offered; left out for none. */
  savedCardId?: string;
  /** Days after that on which an unpaid cycle ends the subscription as `then` says. */
  days: number;
  then: (typeof DUNNING_ENDS)[number];
}

/** How far the dunning of a cycle is. Times are epoch milliseconds. */
export interface CycleDunning {
  /** From when its days count: no attempt is left, the day of its debit is over, and its link is made. */
  since: number;
  /** When the e-mail with the newest link was made due; null before. */
  emailedAt: number | null;
  /** Whether its days are over. */
  isOver: boolean;
}
