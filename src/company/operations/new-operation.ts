import type { StoredOperation } from "./operation-store.ts";

/** Most cancels, captures and changes of the due date of one transaction, each. */
export const CHARGE_OPERATIONS_MAX = 20;

/** What an operation is at first, unless more is known of it. */
export const NEW_OPERATION = {
  paymentId: null,
  amount: 0,
  hold: null,
  status: "PENDING",
  failureReason: null,
  checks: 0,
  leaseUntil: 0,
  sentAt: null,
  requestedBy: null,
  standing: null,
  approval: "none",
  decidedBy: null,
  decisionReason: null,
  countedOn: null,
  decidedOn: null,
  insteadOf: null,
  bankTook: null,
  dueDate: null,
  covered: null,
} as const satisfies Partial<StoredOperation>;
