import { failureReason } from "../../src/domain/charges/failure-reason.ts";
import {
  anchorEventData,
  balanceEventData,
  freezeEventData,
  eventBody,
  paymentEventData,
  settingsEventData,
  testEventData,
  withdrawEventData,
} from "../../src/domain/events/event-body.ts";
import { disputeEventData, type DisputeRecord } from "../../src/domain/disputes/dispute.ts";
import {
  EVENT_TYPES,
  type DisputeEventType,
  type EventType,
  type PaymentEventType,
  type PaymentLinkEventType,
  type TransactionEventType,
  type WithdrawEventType,
} from "../../src/domain/events/event-types.ts";
import {
  EXAMPLE_ANCHOR,
  EXAMPLE_CARD,
  EXAMPLE_DISPUTE,
  EXAMPLE_ISSUER,
  EXAMPLE_TRANSACTION,
  EXAMPLE_UNEXPECTED_PAYMENT,
  EXAMPLE_WITHDRAW,
} from "../../src/domain/events/api-examples.ts";
import { SUBSCRIPTION_BODIES } from "./subscription-examples.ts";
import { EXAMPLE_LINK } from "../../src/api/payment-links/schemas.ts";
import { linkEventData, type PaymentLink } from "../../src/domain/links/payment-link.ts";
import { transactionEventData } from "../../src/methods/transaction-view.ts";
import type { ChargeStatus } from "../../src/domain/charges/charge-status.ts";
import type { TransactionRecord } from "../../src/domain/charges/transaction.ts";
import type { UnexpectedStatus } from "../../src/domain/charges/unexpected-payment.ts";
import type { WithdrawRecord } from "../../src/domain/withdraws/withdraw.ts";
import type { WithdrawStatus } from "../../src/domain/withdraws/withdraw-status.ts";

const HAPPENED_AT = EXAMPLE_TRANSACTION.createdAt + 90_000;
const END_TO_END_ID = "E00000000202611211201a1b2c3d4e5f";
const FULL_AMOUNT = EXAMPLE_TRANSACTION.amount;
const PARTIAL_AMOUNT = 1_000;

const CARD = {
  paymentMethod: "CREDIT_CARD",
  pix: null,
  externalNsu: "004215",
  card: EXAMPLE_CARD,
} as const;
const REFUSED = {
  ...CARD,
  card: { ...EXAMPLE_CARD, authorizationCode: null },
  refusedReason: {
    code: "INSUFFICIENT_FUNDS",
    message: "The card has not enough funds.",
    retryable: true,
  },
} as const;
const PAID = {
  status: "paid",
  paidAt: HAPPENED_AT,
  paidAmount: FULL_AMOUNT,
  endToEndId: END_TO_END_ID,
  paidBy: { name: "Maria da Silva", documentMasked: "***.456.789-**", ispb: "00000000" },
  payerMatch: "matches",
} as const;
const REFUND = {
  id: "7c0f4a1e-2d3b-4c5a-9e8f-1a2b3c4d5e6f",
  status: "DONE",
  createdAt: HAPPENED_AT,
} as const;
const SENT = { endToEndId: END_TO_END_ID };

const APPROVER = {
  kind: "application",
  id: "app_local_aprovador",
  name: "aprovador",
} as const;

const BODIES: Record<EventType, () => string> = {
  "transaction.authorized": () => ofCharge("transaction.authorized", 1, CARD, "authorized"),
  "transaction.paid": () => ofCharge("transaction.paid", 1, PAID),
  "transaction.refused": () => ofCharge("transaction.refused", 1, REFUSED, "refused"),
  "transaction.failed": () =>
    ofCharge(
      "transaction.failed",
      1,
      { failureReason: failureReason("REMOVED_BY_PROVIDER") },
      "failed",
    ),
  "transaction.cancelled": () =>
    ofCharge("transaction.cancelled", 1, { cancelReason: "REQUESTED" }, "cancelled"),
  "transaction.refunded": () =>
    ofPaid("transaction.refunded", {
      status: "refunded",
      refundedAmount: FULL_AMOUNT,
      refundReason: "REQUESTED",
      refunds: [{ ...REFUND, amount: FULL_AMOUNT }],
    }),
  "transaction.partially_refunded": () =>
    ofPaid("transaction.partially_refunded", {
      refundedAmount: PARTIAL_AMOUNT,
      refunds: [{ ...REFUND, amount: PARTIAL_AMOUNT }],
    }),
  "transaction.disputed": () =>
    ofPaid("transaction.disputed", {
      dispute: {
        id: EXAMPLE_DISPUTE.id,
        amount: FULL_AMOUNT,
        status: "OPEN",
        createdAt: HAPPENED_AT,
      },
    }),
  "transaction.chargeback_reversed": () =>
    ofTransaction(
      "transaction.chargeback_reversed",
      3,
      { ...EXAMPLE_TRANSACTION, ...PAID, ...CARD, endToEndId: null, version: 3 },
      "refunded",
    ),
  "withdraw.awaiting_approval": () =>
    ofWithdraw("withdraw.awaiting_approval", 1, "Awaiting", "Awaiting", { approval: "pending" }),
  "withdraw.approved": () =>
    ofWithdraw("withdraw.approved", 2, "Awaiting", "Awaiting", {
      approval: "approved",
      decidedBy: APPROVER,
    }),
  "withdraw.refused": () =>
    ofWithdraw("withdraw.refused", 2, "Awaiting", "Awaiting", {
      approval: "refused",
      decidedBy: APPROVER,
      decisionReason: "Unknown payee.",
    }),
  "withdraw.processing": () => ofWithdraw("withdraw.processing", 1, "Awaiting", "Processing"),
  "withdraw.paid": () => ofWithdraw("withdraw.paid", 2, "Processing", "Paid", SENT),
  "withdraw.failed": () =>
    ofWithdraw("withdraw.failed", 2, "Processing", "Failed", {
      failureCode: "KEY_NOT_FOUND",
      failureReason: "The key is not registered.",
    }),
  "withdraw.cancelled": () => ofWithdraw("withdraw.cancelled", 1, "Awaiting", "Cancelled"),
  "withdraw.partially_returned": () =>
    ofWithdraw("withdraw.partially_returned", 3, "Paid", "Paid", { ...SENT, returnedAmount: 400 }),
  "withdraw.returned": () =>
    ofWithdraw("withdraw.returned", 3, "Paid", "Returned", {
      ...SENT,
      returnedAmount: EXAMPLE_WITHDRAW.amount,
    }),
  "dispute.opened": () => ofDispute("dispute.opened", 1, {}),
  "dispute.won": () => ofDispute("dispute.won", 2, { status: "WON", held: 0 }),
  "dispute.lost": () => ofDispute("dispute.lost", 2, { status: "LOST", held: 0 }),
  "payment.unexpected": () => ofPayment("payment.unexpected", 1, null, "kept"),
  "payment.credited": () => ofPayment("payment.credited", 2, "kept", "credited"),
  "payment.returned": () => ofPayment("payment.returned", 2, "returning", "returned"),
  "payment.return_failed": () => ofPayment("payment.return_failed", 2, "returning", "kept"),
  "payment_link.paid": () => ofLink("payment_link.paid", 1, {}),
  "payment_link.exhausted": () => ofLink("payment_link.exhausted", 2, { paidCount: 30 }),
  ...SUBSCRIPTION_BODIES,
  "company.settings_changing": () =>
    rendered(
      "company.settings_changing",
      1,
      settingsEventData(
        EXAMPLE_TRANSACTION.companyId,
        {
          applicationId: null,
          changes: [
            {
              field: "withdrawApprovalAbove",
              from: 100_000,
              to: 500_000,
              effectiveAt: HAPPENED_AT + 86_400_000,
            },
          ],
          requestedBy: { kind: "application", id: "app_local_loja", name: "default" },
        },
        { previousStatus: null },
      ),
    ),
  "balance.released": () =>
    rendered(
      "balance.released",
      1,
      balanceEventData(
        EXAMPLE_TRANSACTION.companyId,
        {
          currency: EXAMPLE_TRANSACTION.currency,
          balances: {
            available: FULL_AMOUNT,
            held: 0,
            awaiting: 0,
            blocked: 0,
            owed: 0,
            frozen: false,
          },
          releases: [
            { transactionId: EXAMPLE_TRANSACTION.id, installment: 1, amount: FULL_AMOUNT },
          ],
        },
        { previousStatus: "Pending" },
      ),
    ),
  "ledger.anchored": () =>
    rendered(
      "ledger.anchored",
      1,
      anchorEventData(
        EXAMPLE_TRANSACTION.companyId,
        { anchor: EXAMPLE_ANCHOR },
        { previousStatus: null },
      ),
    ),
  "company.frozen": () =>
    rendered(
      "company.frozen",
      1,
      freezeEventData(
        EXAMPLE_TRANSACTION.companyId,
        {
          cause: {
            reason: "The bank asks us to.",
            by: { kind: "operator", id: "operator_ana", name: "Ana Souza" },
          },
        },
        { type: "company.frozen", previousStatus: "active" },
      ),
    ),
  "company.unfrozen": () =>
    rendered(
      "company.unfrozen",
      2,
      freezeEventData(
        EXAMPLE_TRANSACTION.companyId,
        {
          cause: {
            reason: "The bank has found nothing.",
            by: { kind: "operator", id: "operator_ana", name: "Ana Souza" },
          },
        },
        { type: "company.unfrozen", previousStatus: "frozen" },
      ),
    ),
  "webhook.test": () =>
    rendered(
      "webhook.test",
      1,
      testEventData(
        EXAMPLE_TRANSACTION.companyId,
        { testNumber: 1, url: EXAMPLE_TRANSACTION.postbackUrl },
        { previousStatus: null },
      ),
    ),
};

/** An example body of each event type, rendered by the code that renders real events. */
export function webhookExamples(): { type: EventType; body: string }[] {
  return EVENT_TYPES.map((type) => ({ type, body: BODIES[type]() }));
}

/** The page `docs/generated/webhook-payloads.md`. */
export function webhookPayloadsPage(): string {
  const examples = webhookExamples().map(
    ({ type, body }) =>
      `## ${type}\n\n\`\`\`json\n${JSON.stringify(JSON.parse(body), null, 2)}\n\`\`\`\n`,
  );
  return [INTRODUCTION, ...examples].join("\n");
}

const INTRODUCTION = `# Webhook payloads

An example of each event type. \`npm run docs:webhooks\` writes this page with the code that renders real
events; a test fails when it is out of date. A real body has no spaces.
`;

/** A charge that waited for its payment before. */
function ofCharge(
  type: TransactionEventType,
  sequence: number,
  change: Partial<TransactionRecord>,
  status: ChargeStatus = "paid",
): string {
  const record = { ...EXAMPLE_TRANSACTION, status, ...change, version: sequence };
  return ofTransaction(type, sequence, record, "waiting_payment");
}

/** A charge that was paid before. */
function ofPaid(type: TransactionEventType, change: Partial<TransactionRecord>): string {
  return ofTransaction(type, 2, { ...EXAMPLE_TRANSACTION, ...PAID, ...change }, "paid");
}

function ofTransaction(
  type: TransactionEventType,
  sequence: number,
  record: TransactionRecord,
  previousStatus: ChargeStatus,
): string {
  const data = transactionEventData({ ...record, updatedAt: HAPPENED_AT }, EXAMPLE_ISSUER, {
    previousStatus,
  });
  return rendered(type, sequence, data);
}

function ofWithdraw(
  type: WithdrawEventType,
  sequence: number,
  previousStatus: WithdrawStatus,
  status: WithdrawStatus,
  change: Partial<WithdrawRecord> = {},
): string {
  const record = { ...EXAMPLE_WITHDRAW, ...change, status, updatedAt: HAPPENED_AT };
  return rendered(type, sequence, withdrawEventData(record, { previousStatus }));
}

function ofDispute(
  type: DisputeEventType,
  sequence: number,
  change: Partial<DisputeRecord>,
): string {
  const dispute = { ...EXAMPLE_DISPUTE, ...change, updatedAt: HAPPENED_AT };
  const previousStatus = sequence === 1 ? null : EXAMPLE_DISPUTE.status;
  const { companyId } = EXAMPLE_TRANSACTION;
  return rendered(type, sequence, disputeEventData(companyId, dispute, { previousStatus }));
}

function ofLink(
  type: PaymentLinkEventType,
  sequence: number,
  changes: Partial<PaymentLink>,
): string {
  const link = { ...EXAMPLE_LINK, ...changes };
  const { id: transactionId, companyId } = EXAMPLE_TRANSACTION;
  const payment = { transactionId, checkoutId: "Zk2v0y8QbXh3mWn4c5d6eA", amount: 50_000 };
  const event = { previousStatus: "active" as const, timestamp: HAPPENED_AT };
  return rendered(type, sequence, linkEventData(companyId, link, payment, event));
}

function ofPayment(
  type: PaymentEventType,
  sequence: number,
  previousStatus: UnexpectedStatus | null,
  status: UnexpectedStatus,
): string {
  const payment = { ...EXAMPLE_UNEXPECTED_PAYMENT, status };
  return rendered(
    type,
    sequence,
    paymentEventData(EXAMPLE_TRANSACTION.companyId, payment, { previousStatus }),
  );
}

function rendered(type: EventType, sequence: number, data: object): string {
  return eventBody({ type, timestamp: HAPPENED_AT, sequence, data });
}
