/**
 * A company's books by the rules of docs/, as plainly as possible. Nothing here is taken from
 * `src`: two implementations of the same rules must agree. Amounts are centavos, times are epoch
 * milliseconds.
 */

export type Method = "PIX" | "BOLETO" | "CREDIT_CARD";
export type Status =
  | "creating"
  | "waiting_payment"
  | "authorized"
  | "paid"
  | "refused"
  | "failed"
  | "cancelled"
  | "refunded";
export type Outcome = "PENDING" | "DONE" | "FAILED";

export interface Fee {
  basisPoints: number;
  fixed: number;
}

interface Terms {
  fee: Fee;
  releaseDays: number;
}

/** A part of a credit that is not released yet. */
export interface Part {
  installment: number;
  amount: number;
  dueAt: number;
}

/** Money in `blocked`, by its source. */
export interface Hold {
  available: number;
  parts: Part[];
}

export interface Payment {
  id: string;
  amount: number;
  paidAt: number;
}

/** What a bank says of a dispute. */
export interface DisputeReport {
  id: string;
  kind: "DISPUTE" | "CHARGEBACK";
  amount: number;
  status: "OPEN" | "WON" | "LOST";
  /** Until when it takes evidence; null where it does not say. */
  deadline: number | null;
}

export interface Dispute extends DisputeReport {
  holding: Hold;
  /** The merchant's evidence. */
  text: string | null;
  events: string[];
}

export interface Charge {
  /** The index in the list, used as its id. */
  index: number;
  amount: number;
  method: Method;
  installments: number;
  terms: Terms;
  status: Status;
  /** Whether the company's object owns the charge: D1 then has a projection. */
  hasTransitioned: boolean;
  createdAt: number;
  /** When its create was answered. */
  registeredAt: number | null;
  /** Null of a card that is charged at once. */
  expiresAt: number | null;
  paidAmount: number;
  refundedAmount: number;
  parts: Part[];
  disputes: Dispute[];
  events: string[];
  /** The bank's report of the charge. */
  bank: {
    /** Whether the bank was ever sent this charge; always reported as true for PIX and boleto. */
    known: boolean;
    status: "open" | "authorized" | "refused" | "failed" | "cancelled" | "expired";
    payments: Payment[];
    disputes: DisputeReport[];
  };
  /** The create's idempotency key, its request and its progress. */
  key: string | null;
  request: string;
  capture: boolean;
  createResult: "given" | "refused" | null;
  leaseUntil: number;
  /** Whether it was made of the payment of a static code, so that nobody else can pay it. */
  isOfPayment: boolean;
}

export interface Operation {
  kind: "refund" | "cancel" | "capture" | "return";
  /** The request's name, equal in its repeats. */
  token: string;
  charge: Charge;
  amount: number;
  holding: Hold | null;
  status: Outcome;
  createdAt: number;
  leaseUntil: number;
  /** How often the bank gave no final answer. */
  checks: number;
  /** Whether somebody sent it or asked the bank about it. */
  claimed: boolean;
  approval: "none" | "pending" | "approved" | "refused";
  /** Whether a caller of the company asked for a refund or return, so that its limits count it. */
  isOfCaller: boolean;
  /** How often it was sent to the bank. */
  sendCount: number;
}

export interface Withdraw {
  amount: number;
  fee: number;
  status: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
  createdAt: number;
  /** The time of its first claim. */
  claimedAt: number;
  leaseUntil: number;
  /** How often the bank gave no final answer. */
  checks: number;
  events: string[];
  sendCount: number;
  approval: "none" | "pending" | "approved" | "refused";
}

interface ReceivedPayment {
  charge: Charge;
  amount: number;
  paidAt: number;
  inSuspense: boolean;
  /** Whether the merchant chose its charge, which outweighs what the bank says of it. */
  chosen: boolean;
  returned: Operation | null;
}

/** A contradiction between the bank and the books, for an operator. */
export interface Contradiction {
  kind: "payment_set_aside" | "payment_charge" | "dispute_status" | "payout_status";
  /** The held amount until the decision. */
  held: number;
  status: "open" | "decided";
  /** How operators decided it; null where nobody did. */
  action: string | null;
  about: ContradictionSubject | null;
}

/** What operators may decide about. `comeBack`: the withdraw had come back when it was opened. */
type ContradictionSubject =
  | { kind: "payment"; id: string }
  | {
      kind: "withdraw";
      withdraw: Withdraw;
      report: "paid" | "failed" | "returned";
      comeBack: boolean;
    };

/** What one operator proposes and another one approves. */
export interface Proposal {
  /** Of one thing one proposal waits. */
  target: string;
  request: string;
  decision: ProposedDecision;
  proposedAt: number;
  status: "pending" | "approved" | "refused" | "expired";
  /** Who approves or refuses it; an approval that crashed has one, too. */
  decidedBy: OperatorId | null;
  decidedAt: number;
  /** Whether the company's object booked it. */
  hadEffect: boolean;
  /** The name of the return that it begins. */
  token: string;
}

export type OperatorId = "operator" | "approver";

export type ProposedDecision =
  | { action: "payout"; withdraw: Withdraw; outcome: "done" | "failed" | "returned" }
  | { action: "operation"; operation: Operation; outcome: "done" | "failed" }
  | { action: "payment"; paymentId: string }
  | { action: "unfreeze" }
  | { action: "contradiction"; number: number; how: ContradictionAction; amount: number | null };

export type ContradictionAction = "apply" | "correct" | "credit" | "return" | "dismiss";

/** The operation and first response of an idempotency key. */
export interface OperationKey {
  request: string;
  operation: Operation;
  result: Outcome | null;
}

/** A limit of a day, in centavos; null for none. */
export type LimitName = "dailyLimit" | "approvalAbove" | "refundDailyLimit" | "refundApprovalAbove";

export interface State {
  now: number;
  accounts: {
    available: number;
    awaiting: number;
    blocked: number;
    payout: number;
    /** What the company owes, as a positive amount. */
    owed: number;
    suspense: number;
    fees: number;
  };
  frozen: boolean;
  /** When somebody last asked for a freeze. */
  frozenAt: number;
  dailyLimit: number | null;
  /** Above it, what nobody approved of a day waits for an approval. */
  approvalAbove: number | null;
  /** Centavos of refunds a day. */
  refundDailyLimit: number | null;
  /** What nobody approved of a day, above which a refund waits for an approval. */
  refundApprovalAbove: number | null;
  /** Limits that were raised and hold from a time on. */
  raised: Partial<Record<LimitName, { to: number | null; at: number }>>;
  /** What becomes of a payment of a charge that was cancelled, expired or failed. */
  lateRule: "keep" | "credit";
  terms: Record<Method, Terms>;
  withdrawFee: Fee;
  charges: Charge[];
  /** Of all charges, in the order of their first reports. */
  disputes: Dispute[];
  /** Requests with evidence, by idempotency key. */
  evidenceKeys: Map<string, string>;
  payments: Map<string, ReceivedPayment>;
  operations: Operation[];
  operationKeys: Map<string, OperationKey>;
  withdraws: Withdraw[];
  /** Withdraws by idempotency key. */
  withdrawKeys: Map<string, Withdraw>;
  cancelKeys: Map<string, Withdraw>;
  /** Withdraws by decision and idempotency key. */
  decisionKeys: Map<string, Withdraw>;
  /** Refunds by decision and idempotency key. */
  refundDecisionKeys: Map<string, Operation>;
  /** Requests for credits, by idempotency key. */
  creditKeys: Map<string, string>;
  /** Operators' proposals, oldest first. */
  proposals: Proposal[];
  /** Contradictions by kind and object, oldest first. */
  contradictions: Map<string, Contradiction>;
  /** Count, gross, fees and refunds, by day and payment method (`2034-01-15 PIX`). */
  dailyTotals: Record<string, number[]>;
}

/** How long a send without a response may still reach its bank. */
export const SEND_DEADLINE_MS = 10 * 60_000;

/** How long a withdraw waits for its approval. */
export const APPROVAL_WINDOW_MS = 72 * 3_600_000;

/** In the far future, so that the platform's alarms, which use the real time, never fire. */
const START_MS = Date.UTC(2034, 0, 15, 12);
const NO_FEE: Fee = { basisPoints: 0, fixed: 0 };

/** A new company with the default terms. */
export function initialState(): State {
  return {
    now: START_MS,
    accounts: { available: 0, awaiting: 0, blocked: 0, payout: 0, owed: 0, suspense: 0, fees: 0 },
    frozen: false,
    frozenAt: 0,
    dailyLimit: null,
    approvalAbove: null,
    refundDailyLimit: null,
    refundApprovalAbove: null,
    raised: {},
    lateRule: "credit",
    terms: {
      PIX: { fee: NO_FEE, releaseDays: 0 },
      BOLETO: { fee: NO_FEE, releaseDays: 1 },
      CREDIT_CARD: { fee: NO_FEE, releaseDays: 30 },
    },
    withdrawFee: NO_FEE,
    charges: [],
    disputes: [],
    evidenceKeys: new Map(),
    payments: new Map(),
    operations: [],
    operationKeys: new Map(),
    withdraws: [],
    withdrawKeys: new Map(),
    cancelKeys: new Map(),
    decisionKeys: new Map(),
    refundDecisionKeys: new Map(),
    creditKeys: new Map(),
    proposals: [],
    contradictions: new Map(),
    dailyTotals: {},
  };
}
