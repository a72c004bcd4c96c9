import { debitReason } from "../../domain/subscriptions/debit-codes.ts";
import {
  NO_DEBIT,
  type Subscription,
  type SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";

/** A subscription for the API reference. */
export const EXAMPLE_SUBSCRIPTION: Subscription = {
  number: 1,
  id: "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
  externalRef: "assinatura-1001",
  status: "active",
  description: "Clube do livro",
  customer: {
    name: "Maria da Silva",
    email: "maria@example.com",
    externalRef: "cliente-7",
    city: "3550308",
    document: { number: "12345678909", type: "CPF" },
  },
  terms: {
    amount: { kind: "fixed", amount: 4_990 },
    period: "MONTHLY",
    firstDueDate: "2030-12-10",
    endDate: null,
    journey: "QR",
    retry: [1, 3, 5],
    payerAccount: null,
    firstPayment: null,
  },
  amount: 4_990,
  account: "sandbox",
  mandate: {
    id: "RR0000000020261121a1B2c3D4e5F",
    requestId: null,
    status: "approved",
    qrcode: "00020101021226580014br.gov.bcb.pix2536pix.sandbox.example/v2/rec/RR00000000",
    payerIspb: "00000000",
    reason: null,
    orderedAt: Date.UTC(2026, 10, 21, 12),
    isEnding: false,
  },
  dunning: { link: "email", days: 7, then: "pause" },
  nextCycle: 2,
  approvalExpiresAt: Date.UTC(2026, 11, 9, 2, 59, 59),
  secureRandom: "q83vEjRWeJCrze8SNFZ4kA",
  metadata: null,
  createdAt: Date.UTC(2026, 10, 21, 12),
  updatedAt: Date.UTC(2026, 11, 5, 12),
  version: 5,
};

/** A cycle of it, whose first attempt failed. */
export const EXAMPLE_CYCLE: SubscriptionCycle = {
  number: 1,
  subscriptionId: EXAMPLE_SUBSCRIPTION.id,
  cycle: 1,
  dueDate: "2030-12-10",
  amount: 4_990,
  status: "open",
  transactionId: "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
  debit: { ...NO_DEBIT, status: "active", orderedAt: Date.UTC(2026, 11, 5, 12) },
  attempts: [
    {
      day: "2030-12-10",
      kind: "due",
      status: "failed",
      reason: debitReason("EXPR"),
      endToEndId: "E00000000202612100900a1b2c3d4e5f",
    },
    {
      day: "2030-12-11",
      kind: "retry",
      status: "scheduled",
      reason: null,
      endToEndId: "E00000000202612110900a1b2c3d4e5g",
    },
  ],
  recovery: {
    byHand: {
      id: "019aa6c0-5e00-8d2c-9f31-6b1f0c000003",
      secureRandom: "q83vEjRWeJCrze8SNFZ4kA",
      isMade: true,
    },
  },
  createdAt: Date.UTC(2026, 11, 5, 12),
  updatedAt: Date.UTC(2026, 11, 11, 0, 30),
  version: 4,
};
