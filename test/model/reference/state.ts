/**
 * What a company's books must look like, by the rules of the product (`docs/`), kept as plainly as
 * possible. Nothing here is taken from `src`: two readings of the same rules must agree.
 * Amounts are centavos, times epoch milliseconds.
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

/** Money in `blocked`, and where it came from. */
export interface Hold {
  available: number;
  parts: Part[];
}

export interface Payment {
  id: string;
  amount: number;
  paidAt: number;
}

export interface Dispute {
  id: string;
  kind: "DISPUTE" | "CHARGEBACK";
  amount: number;
  status: "OPEN" | "WON" | "LOST";
  holding: Hold;
}

export interface Charge {
  /** Its place in the list, which stands for its id. */
  index: number;
  amount: number;
  method: Method;
  installments: number;
  terms: Terms;
  status: Status;
  /** Whether the company's object has been told of it: from then on D1 holds a copy only. */
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
  /** What the bank says of it when it is asked. */
  bank: {
    /** Whether it was ever asked for this charge; of a PIX or boleto it says that it was. */
    known: boolean;
    status: "open" | "authorized" | "refused" | "failed" | "cancelled" | "expired";
    payments: Payment[];
    disputes: Omit<Dispute, "holding">[];
  };
  /** The create's idempotency key, what was asked under it, and how far that request came. */
  key: string | null;
  request: string;
  capture: boolean;
  createResult: "given" | "refused" | null;
  leaseUntil: number;
}

export interface Operation {
  kind: "refund" | "cancel" | "capture" | "return";
  /** Names the request that made it, over repeats. */
  token: string;
  charge: Charge;
  amount: number;
  holding: Hold | null;
  status: Outcome;
  createdAt: number;
  leaseUntil: number;
  /** How often it went out to the bank. */
  sendCount: number;
}

export interface Withdraw {
  amount: number;
  fee: number;
  status: "Awaiting" | "Processing" | "Paid" | "Failed" | "Cancelled" | "Returned";
  createdAt: number;
  /** When it was first taken to be sent. */
  claimedAt: number;
  leaseUntil: number;
  events: string[];
  sendCount: number;
}

interface ReceivedPayment {
  charge: Charge;
  amount: number;
  suspended: boolean;
  returned: Operation | null;
}

/** What the bank says otherwise than it was booked, for a person to end. */
export interface Contradiction {
  kind: "payment_set_aside" | "payment_charge" | "dispute_status" | "payout_status";
  /** What cannot be withdrawn before it is decided. */
  held: number;
  status: "open" | "decided";
}

/** What stands under an idempotency key: the operation, and the answer first given. */
export interface OperationKey {
  request: string;
  operation: Operation;
  result: Outcome | null;
}

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
  dailyLimit: number | null;
  terms: Record<Method, Terms>;
  withdrawFee: Fee;
  charges: Charge[];
  payments: Map<string, ReceivedPayment>;
  operations: Operation[];
  operationKeys: Map<string, OperationKey>;
  withdraws: Withdraw[];
  /** Key of the request to its withdraw. */
  withdrawKeys: Map<string, Withdraw>;
  cancelKeys: Map<string, Withdraw>;
  /** Each under what it says of what, oldest first. */
  contradictions: Map<string, Contradiction>;
}

/** How long a send whose answer was lost may still get to its bank. */
export const SEND_DEADLINE_MS = 10 * 60_000;

/** Far ahead, so that the platform's alarms, which follow the real time, never fire by themselves. */
const START_MS = Date.UTC(2034, 0, 15, 12);
const NO_FEE: Fee = { basisPoints: 0, fixed: 0 };

/** A company on its first day, with the terms every company begins with. */
export function initialState(): State {
  return {
    now: START_MS,
    accounts: { available: 0, awaiting: 0, blocked: 0, payout: 0, owed: 0, suspense: 0, fees: 0 },
    frozen: false,
    dailyLimit: null,
    terms: {
      PIX: { fee: NO_FEE, releaseDays: 0 },
      BOLETO: { fee: NO_FEE, releaseDays: 1 },
      CREDIT_CARD: { fee: NO_FEE, releaseDays: 30 },
    },
    withdrawFee: NO_FEE,
    charges: [],
    payments: new Map(),
    operations: [],
    operationKeys: new Map(),
    withdraws: [],
    withdrawKeys: new Map(),
    cancelKeys: new Map(),
    contradictions: new Map(),
  };
}
