import type { PaymentMethod } from "../charges/charge-status.ts";
import type { TaxDocument } from "../shared/document.ts";
import type { Cents } from "../shared/money.ts";
import {
  isVague,
  type DebitEnd,
  type DebitReason,
  type EndedBy,
  type MandateEndReason,
} from "./debit-codes.ts";
import type { CycleDunning, Dunning } from "./subscription.ts";
import type { Schedule } from "./schedule.ts";
import type {
  DebitAttempt,
  PayerAccount,
  RetryPolicy,
  SubscriptionAmount,
  SubscriptionJourney,
  SubscriptionStatus,
} from "./subscription.ts";

/** The subscriptions that a company may make: each is read daily while it lasts. */
export const SUBSCRIPTIONS_MAX = 1_000_000;

/** Who is debited, as the create request names him. Erased with the payer's other data. */
export interface SubscriptionCustomer {
  name: string;
  /** Its number is empty once it is erased. */
  document: TaxDocument;
  email: string;
  externalRef: string;
  /** The payer's town by its IBGE code of seven digits; null where it is not known. */
  city: string | null;
  /** Identifies the payer within the company (`payerKeyOfRequest`); left out in older ones, and once it is erased. */
  leadKey?: string;
  /** The payer has asked to be erased, which is done once the subscription has ended. */
  isErasing?: true;
  /** So has the payer in the charges of it that were made after the request; stays once it is erased. */
  erasesCharges?: true;
}

/** What the payer approves. Never changes once it is made. */
export interface SubscriptionTerms extends Schedule {
  amount: SubscriptionAmount;
  journey: SubscriptionJourney;
  /** Days after the due date on which an unpaid debit is tried again; none without a retry. */
  retry: RetryPolicy;
  /** Whom the request goes to; null for the journeys with a code. */
  payerAccount: PayerAccount | null;
  /** What is paid with the approval (`QR_AND_PAY`), centavos; null for the other journeys. */
  firstPayment: Cents | null;
}

/** `none`: the PSP has not said that it has it. */
export const MANDATE_STATES = [
  "none",
  "created",
  "approved",
  "rejected",
  "cancelled",
  "expired",
] as const;
export type MandateState = (typeof MANDATE_STATES)[number];

/** Who ended a mandate, with the provider's own code and sentence, as they came. */
export interface ToldEnd {
  by: EndedBy | null;
  providerCode: string | null;
  providerMessage: string | null;
}

/** The mandate at the PSP, as it was last read. Times are epoch milliseconds. */
export interface SubscriptionMandate {
  /** The PSP's id (BACEN `idRec`), which distinguishes upper and lower case; null until the PSP has answered. */
  id: string | null;
  /** The PSP's id of the request to the payer's bank (BACEN `idSolicRec`); null where there is none. */
  requestId: string | null;
  status: MandateState;
  /** What the payer scans (BACEN `pixCopiaECola`); null for a request to his bank. */
  qrcode: string | null;
  /** The payer's bank (ISPB), once it is known. */
  payerIspb: string | null;
  /** Why it was refused or ended; null while it was not. */
  reason: MandateEndReason | null;
  /** When it was first ordered: from then on the PSP may have it, whatever it answered. */
  orderedAt: number | null;
  /** When an order of it was last sent; left out in older ones. */
  sentAt?: number | undefined;
  /** Whether the PSP is to be told that it ends. */
  isEnding: boolean;
  /** A bank said that it is of no more use: its payer has to approve a new one. Left out of all others. */
  needsApproval?: true;
  /** What was told of its end; left out while it lasts, and in older ones. */
  end?: ToldEnd;
}

/** A mandate before it was ordered. */
export const NO_MANDATE: SubscriptionMandate = {
  id: null,
  requestId: null,
  status: "none",
  qrcode: null,
  payerIspb: null,
  reason: null,
  orderedAt: null,
  isEnding: false,
};

/** A subscription. The company's object owns it; D1 has a copy. Times are epoch milliseconds. */
export interface Subscription {
  /** Dense within the company, from 1. */
  number: number;
  /** Laid out as a transaction's id. Without hyphens it is the mandate's `contrato`. */
  id: string;
  externalRef: string;
  status: SubscriptionStatus;
  description: string;
  customer: SubscriptionCustomer;
  terms: SubscriptionTerms;
  /** What the next cycles are debited. Centavos. */
  amount: Cents;
  /** The account at the provider that has the mandate. */
  account: string;
  mandate: SubscriptionMandate;
  /** What is done about cycles that stay unpaid; null for nothing. */
  dunning: Dunning | null;
  /** The cycle that is opened next. */
  nextCycle: number;
  /** When nobody can approve it any more. */
  approvalExpiresAt: number;
  /** The random half of the `secureId` of its payer's pages, base64url; empty in one older than these pages. */
  secureRandom: string;
  /** The merchant's own text; null without one. */
  metadata: string | null;
  createdAt: number;
  updatedAt: number;
  /** Grows by one with each change of it or of one of its cycles. */
  version: number;
}

/** `open`: it is being debited; `skipped`: never, as it was due in a pause, too late, or under a mandate of no more use. */
export const CYCLE_STATUSES = ["open", "paid", "failed", "cancelled", "skipped"] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** `none`: the PSP has not said that it has it. */
export type DebitState =
  | "none"
  | "created"
  | "active"
  | "paid"
  | "rejected"
  | "cancelled"
  | "expired";

const DEBIT_RANK: Record<DebitState, number> = {
  none: 0,
  created: 1,
  active: 2,
  paid: 3,
  rejected: 3,
  cancelled: 3,
  expired: 3,
};

/** Whether the provider says that nothing of a debit changes any more. */
export function isDebitOver(status: DebitState): boolean {
  return DEBIT_RANK[status] === DEBIT_RANK.paid;
}

/** The debit of a cycle at the PSP (BACEN `cobr`), as it was last read. Times are epoch milliseconds. */
export interface CycleDebit {
  status: DebitState;
  /** When it was first ordered; null before. */
  orderedAt: number | null;
  /** The day (`YYYY-MM-DD`) for which a retry is ordered, until the PSP tells of its attempt; null for none. */
  retryDay: string | null;
  /** When that order was first sent. */
  retryOrderedAt: number | null;
  /** Why it ends; null while it is to be paid. */
  ending: CycleEnding | null;
  /** Whether it was announced that no attempt is left. */
  isFailureTold?: true;
  /** Why the PSP says that it is over unpaid; left out while it is not, and in older ones. */
  end?: DebitEnd | undefined;
  /** Why the PSP did not take its order, which is sent again on the next day; left out once it is taken. */
  refused?: RefusedOrder | undefined;
}

/** An order of a debit that the PSP did not take. `at`: epoch milliseconds; `message`: its own, which may name the payer. */
interface RefusedOrder {
  at: number;
  message: string;
}

/**
 * `requested`: the merchant ends it; `mandate`: the subscription has ended; `paused`: it was paused, or the cycle is skipped;
 * `over`: no attempt is left, but the merchant may still order a retry.
 */
export type CycleEnding = "requested" | "mandate" | "paused" | "over";

/**
 * The status of a debit after a report: an older answer takes nothing back. A provider may have an order all the same that
 * only this service called rejected.
 */
export function debitStatusAfter(cycle: TriedCycle, told: DebitState): DebitState {
  const { status } = cycle.debit;
  const isOlder = DEBIT_RANK[told] < DEBIT_RANK[status];
  return isOlder && !isOurWord(cycle) ? status : told;
}

/** The known attempts of a debit, without those that it never took where it is told to go on all the same. */
export function takenAttempts(cycle: TriedCycle, told: DebitState): DebitAttempt[] {
  const { attempts } = cycle;
  if (isDebitOver(told) || !isOurWord(cycle)) return attempts;
  return attempts.filter(({ isUntaken }) => isUntaken !== true);
}

type TriedCycle = Pick<SubscriptionCycle, "debit" | "attempts">;

/** Whether only this service called a debit rejected. */
function isOurWord({ debit, attempts }: TriedCycle): boolean {
  const failures = attempts.filter(({ status }) => status === "failed");
  const isUntaken = attempts.length > 0 && failures.every((each) => each.isUntaken === true);
  return debit.status === "rejected" && debit.end === undefined && isUntaken;
}

/** A debit before it was ordered. */
export const NO_DEBIT: CycleDebit = {
  status: "none",
  orderedAt: null,
  retryDay: null,
  retryOrderedAt: null,
  ending: null,
};

/** A charge of a cycle beside its debit, fixed before it is made. */
export interface OtherCharge {
  id: string;
  /** The random half of its `secureId`, base64url. */
  secureRandom: string;
  /** By what it is paid: a PIX where left out, as in older ones. */
  method?: PaymentMethod;
  /** Of a boleto that is made: its line (FEBRABAN). */
  digitableLine?: string;
  /** Whether it was made. */
  isMade: boolean;
  /** When it was fixed, epoch milliseconds; left out in older ones. */
  fixedAt?: number;
  /** A `subscription.charge_failed` had it; left out before. */
  isTold?: true;
}

/** Why a dunning's saved card is not charged: it is gone, no account takes it, or its brand allows no attempt. */
export const CARD_SKIPS = ["deleted", "no_account", "brand_rules"] as const;

/** A saved card that was not charged. Times are epoch milliseconds. */
export interface SkippedCard {
  why: (typeof CARD_SKIPS)[number];
  at: number;
  /** When it may be charged; null for never. */
  notBefore: number | null;
}

/** What a cycle is paid by beside its debit. */
export interface CycleRecovery {
  /** The newest charge that its payer may pay by hand, or of his saved card. */
  byHand?: OtherCharge;
  /** There where the saved card was not charged when it was its turn. */
  card?: SkippedCard;
  /** There once no attempt is left. */
  dunning?: CycleDunning;
  /** The charge beside the debit that paid it, and when (epoch milliseconds). */
  paid?: { by: "hand" | "card"; at: number };
}

/** A cycle that was opened. The company's object owns it; D1 has a copy. Times are epoch milliseconds. */
export interface SubscriptionCycle {
  /** Dense within the company, from 1. */
  number: number;
  /** Its subscription. */
  subscriptionId: string;
  /** Its place in the subscription, from 1. */
  cycle: number;
  /** The agreed day, `YYYY-MM-DD`. */
  dueDate: string;
  /** Centavos. */
  amount: Cents;
  status: CycleStatus;
  /** Its charge; fixed before the first order. */
  transactionId: string;
  debit: CycleDebit;
  /** Oldest first. */
  attempts: DebitAttempt[];
  /** Null while nothing but its debit is to pay it. */
  recovery: CycleRecovery | null;
  createdAt: number;
  updatedAt: number;
  /** Grows by one with each change. */
  version: number;
}

/** Why a cycle is unpaid: as its debit ended, or as its last attempt failed where only that says why; null where nobody told. */
export function unpaidReason({
  debit,
  attempts,
}: Pick<SubscriptionCycle, "debit" | "attempts">): DebitReason | null {
  const failed = attempts.findLast(({ status }) => status === "failed")?.reason ?? null;
  const { end = null } = debit;
  return end === null || (isVague(end) && failed !== null) ? failed : end;
}
