import { cycleChargeId } from "../../../../src/domain/subscriptions/cycle-charge.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import {
  nextStep,
  type CycleState,
  type SubscriptionState,
} from "../../../../src/domain/subscriptions/next-step.ts";
import {
  NO_DEBIT,
  NO_MANDATE,
  type Subscription,
} from "../../../../src/domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../../../src/domain/subscriptions/subscription.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A time on São Paulo's clock. */
export const at = (day: string, time = "12:00:00") => Date.parse(`${day}T${time}-03:00`);
export const MADE = at("2026-12-01");

export const SUBSCRIPTION: Subscription = {
  number: 1,
  id: "019ad8a5-e000-8abc-8def-0123450003e9",
  externalRef: "",
  status: "active",
  description: "Clube do livro",
  customer: {
    name: "Maria",
    document: { type: "CPF", number: "12345678909" },
    email: "",
    externalRef: "",
    city: null,
  },
  terms: {
    period: "MONTHLY",
    firstDueDate: "2026-12-10",
    endDate: null,
    amount: { kind: "fixed", amount: 4_990 },
    journey: "QR",
    retry: [1, 3],
    payerAccount: null,
    firstPayment: null,
  },
  amount: 4_990,
  account: "pix-api",
  mandate: { ...NO_MANDATE, id: "RR1", status: "approved", orderedAt: MADE, sentAt: MADE },
  dunning: null,
  nextCycle: 2,
  approvalExpiresAt: at("2026-12-08", "23:59:59"),
  secureRandom: "",
  metadata: null,
  createdAt: MADE,
  updatedAt: MADE,
  version: 1,
};

export const CYCLE: CycleState = {
  number: 1,
  subscriptionId: SUBSCRIPTION.id,
  cycle: 1,
  dueDate: "2026-12-10",
  amount: 4_990,
  status: "open",
  transactionId: cycleChargeId(SUBSCRIPTION, 1),
  debit: { ...NO_DEBIT, status: "active", orderedAt: at("2026-12-05") },
  attempts: [],
  recovery: null,
  createdAt: MADE,
  updatedAt: MADE,
  version: 1,
  checkedAt: null,
  isChargePaid: false,
  isChargeOver: false,
  isPaidOtherwise: false,
  byHandOverAt: null,
  byHandRefusal: null,
};

export const FAILED: DebitAttempt = {
  day: "2026-12-10",
  kind: "due",
  status: "failed",
  reason: debitReason("AB10"),
  endToEndId: null,
};

export function stateOf(
  cycle: Partial<CycleState>,
  subscription: Partial<Subscription> = {},
): SubscriptionState {
  return {
    subscription: { ...SUBSCRIPTION, ...subscription },
    mandateCheckedAt: at("2026-12-20"),
    cycles: [{ ...CYCLE, ...cycle }],
  };
}

export const kindAt = (state: SubscriptionState, nowMs: number) => nextStep(state, nowMs)?.kind;
