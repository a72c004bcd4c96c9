import type { Scope } from "../shared/company.ts";

/** How money leaves, or how a book says that it came back. */
export const EXIT_NAMES = [
  "withdraw",
  "refund",
  "return",
  "credit",
  "operatorDecision",
  "lostDispute",
] as const;
export type ExitName = (typeof EXIT_NAMES)[number];

/** Who may ask for an exit. `nobody`: it follows from what a bank says. */
export type ExitAsker = "application" | "person" | "operator" | "nobody";

/** What one exit demands before it happens, and stores with it. */
export interface ExitGuards {
  asker: readonly ExitAsker[];
  /** The scope of a caller of the company; null where none asks. */
  scope: Scope | null;
  idempotencyKey: boolean;
  /** The settings whose limits count it. */
  limits: readonly string[];
  /** The setting above which somebody else approves it; `always`: two people decide each one. */
  approval: "withdrawApprovalAbove" | "refundApprovalAbove" | "always" | null;
  /** Whether a person proves a second factor again in the console. */
  stepUp: boolean;
  /** Whether a frozen company's is refused and not sent. */
  stoppedByFreeze: boolean;
  reason: "required" | "optional" | "none";
  /** Where who asked is stored: the object's row, and the action of the trail. */
  row: string | null;
  audit: string | null;
}

/** Every exit with its guards; docs/security.md shows this table. */
export const EXITS: Record<ExitName, ExitGuards> = {
  withdraw: {
    asker: ["application", "person"],
    scope: "withdraws:write",
    idempotencyKey: true,
    limits: [
      "withdrawDailyLimit",
      "withdrawNightLimit",
      "withdrawKeyDailyLimit",
      "allowedPixKeys",
      "mandate",
    ],
    approval: "withdrawApprovalAbove",
    stepUp: true,
    stoppedByFreeze: true,
    reason: "none",
    row: "withdraws.requested_by",
    audit: null,
  },
  refund: {
    asker: ["application", "person"],
    scope: "refunds:write",
    idempotencyKey: true,
    limits: ["refundDailyLimit", "application.refundDailyLimit", "roleLimits"],
    approval: "refundApprovalAbove",
    stepUp: true,
    stoppedByFreeze: true,
    reason: "none",
    row: "operations.requested_by",
    audit: "transaction.refund",
  },
  return: {
    asker: ["application", "person"],
    scope: "payments:write",
    idempotencyKey: true,
    limits: ["refundDailyLimit", "application.refundDailyLimit", "roleLimits"],
    approval: "refundApprovalAbove",
    stepUp: true,
    stoppedByFreeze: true,
    reason: "none",
    row: "operations.requested_by",
    audit: "payment.return",
  },
  credit: {
    asker: ["application", "person"],
    scope: "payments:write",
    idempotencyKey: true,
    limits: [],
    approval: null,
    stepUp: true,
    stoppedByFreeze: true,
    reason: "none",
    row: "payments.requested_by",
    audit: "payment.credit",
  },
  operatorDecision: {
    asker: ["operator"],
    scope: null,
    idempotencyKey: false,
    limits: [],
    approval: "always",
    stepUp: true,
    stoppedByFreeze: false,
    reason: "required",
    row: null,
    audit: "operation.decide",
  },
  lostDispute: {
    asker: ["nobody"],
    scope: null,
    idempotencyKey: false,
    limits: [],
    approval: null,
    stepUp: false,
    stoppedByFreeze: false,
    reason: "none",
    row: "disputes.id",
    audit: null,
  },
};
