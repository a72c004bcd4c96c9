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
type ExitAsker = "application" | "person" | "operator" | "nobody";

/** What one exit demands before it happens, and stores with it. */
export interface ExitGuards {
  asker: readonly ExitAsker[];
  /** The scope of a caller of the company; null where none asks. */
  scope: Scope | null;
  /** The routes of the API that ask for it, and those that approve it. */
  routes: readonly string[];
  /** The console's actions that ask for it or approve it; each asks for the second factor again. */
  actions: readonly string[];
  idempotencyKey: boolean;
  /** The settings whose limits count it. */
  limits: readonly string[];
  /** The setting above which somebody else approves it; `always`: two people decide each one. */
  approval: "withdrawApprovalAbove" | "refundApprovalAbove" | "always" | null;
  /** Whether a frozen company's is refused and not sent. */
  stoppedByFreeze: boolean;
  reason: "required" | "optional" | "none";
  /** The column of the company's object that stores who asked, and who else decided. */
  row: string | null;
  /** The action of the audit trail; null where the row and its events alone say who asked. */
  audit: string | null;
}

const REFUND_LIMITS = ["refundDailyLimit", "application.refundDailyLimit", "roleLimits"] as const;
const REFUND_APPROVALS = [
  "POST /api/v1/refunds/:id/approve",
  "POST /api/v1/refunds/:id/refuse",
] as const;
const REFUND_APPROVAL_ACTIONS = [
  "POST /console/refunds/:id/approve",
  "POST /console/refunds/:id/refuse",
] as const;

/** Every exit with its guards; docs/generated/limits.md shows them. */
export const EXITS = {
  withdraw: {
    asker: ["application", "person"],
    scope: "withdraws:write",
    routes: [
      "POST /api/Withdraw/request",
      "POST /api/v1/withdraws/:id/approve",
      "POST /api/v1/withdraws/:id/refuse",
    ],
    actions: [
      "POST /console/withdraws",
      "POST /console/withdraws/:id/approve",
      "POST /console/withdraws/:id/refuse",
    ],
    idempotencyKey: true,
    limits: [
      "withdrawDailyLimit",
      "withdrawNightLimit",
      "withdrawKeyDailyLimit",
      "allowedPixKeys",
      "spendingLimits",
    ],
    approval: "withdrawApprovalAbove",
    stoppedByFreeze: true,
    reason: "none",
    row: "withdraws.requester",
    audit: "withdraw.request",
  },
  refund: {
    asker: ["application", "person"],
    scope: "refunds:write",
    routes: ["POST /api/v1/transactions/:id/refund", ...REFUND_APPROVALS],
    actions: [
      "POST /console/payments/:id/refund",
      "POST /console/disputes/:id/refund",
      ...REFUND_APPROVAL_ACTIONS,
    ],
    idempotencyKey: true,
    limits: REFUND_LIMITS,
    approval: "refundApprovalAbove",
    stoppedByFreeze: true,
    reason: "none",
    row: "operations.requested_by",
    audit: "transaction.refund",
  },
  return: {
    asker: ["application", "person"],
    scope: "payments:write",
    routes: ["POST /api/v1/payments/unexpected/:id/return", ...REFUND_APPROVALS],
    actions: ["POST /console/unexpected-payments/:id/return", ...REFUND_APPROVAL_ACTIONS],
    idempotencyKey: true,
    limits: REFUND_LIMITS,
    approval: "refundApprovalAbove",
    stoppedByFreeze: true,
    reason: "none",
    row: "operations.requested_by",
    audit: "payment.return",
  },
  credit: {
    asker: ["application", "person"],
    scope: "payments:write",
    routes: ["POST /api/v1/payments/unexpected/:id/credit"],
    actions: ["POST /console/unexpected-payments/:id/credit"],
    idempotencyKey: true,
    limits: [],
    approval: null,
    stoppedByFreeze: true,
    reason: "none",
    row: "payments.requested_by",
    audit: "payment.credit",
  },
  operatorDecision: {
    asker: ["operator"],
    scope: null,
    routes: [
      "POST /api/v1/operator/proposals",
      "POST /api/v1/operator/proposals/:id/approve",
      "POST /api/v1/operator/companies/:companyId/withdraws/:id/decide",
      "POST /api/v1/operator/companies/:companyId/operations/:operationId/decide",
      "POST /api/v1/operator/companies/:companyId/suspense/:paymentId/return",
      "POST /api/v1/operator/contradictions/:id/decide",
    ],
    actions: [],
    idempotencyKey: false,
    limits: [],
    approval: "always",
    stoppedByFreeze: false,
    reason: "required",
    row: "operator_decisions.approved_by",
    audit: "proposal.create",
  },
  lostDispute: {
    asker: ["nobody"],
    scope: null,
    routes: [],
    actions: [],
    idempotencyKey: false,
    limits: [],
    approval: null,
    stoppedByFreeze: false,
    reason: "none",
    row: null,
    audit: null,
  },
} as const satisfies Record<ExitName, ExitGuards>;
