import { describe, expect, test } from "vitest";
import type { PayersSubscription } from "../../../../src/api/subscriptions/payer/repository.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { isLeftToPayer } from "../../../../src/domain/subscriptions/dunning.ts";
import {
  NO_DEBIT,
  type Subscription,
  type SubscriptionCycle,
} from "../../../../src/domain/subscriptions/records.ts";
import { crc16, PIX_GUI } from "../../../../src/methods/pix/br-code.ts";
import { payerSubscription } from "../../../../src/pages/subscription/view.ts";
import {
  at,
  CYCLE,
  FAILED,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

const PAYEE = { name: "Loja", brand: null, mode: "live" } as PayersSubscription["payee"];
const USELESS = { mandate: { ...SUBSCRIPTION.mandate, needsApproval: true as const } };
const PAID_BY = { id: SUBSCRIPTION.id, secureRandom: "AAAAAAAAAAAAAAAAAAAAAA" };
const NO_BALANCE: SubscriptionCycle["attempts"][number] = {
  ...FAILED,
  reason: debitReason("EXPR"),
};

function shown(
  subscription: Partial<Subscription>,
  cycle: Partial<SubscriptionCycle>,
  {
    now = at("2026-12-11"),
    paidBy = null,
    isApprovalPaid = false,
  }: { now?: number; paidBy?: typeof PAID_BY | null; isApprovalPaid?: boolean } = {},
) {
  const cycles = [{ cycle: { ...CYCLE, ...cycle }, byHand: null, paidBy }];
  const whole = { ...SUBSCRIPTION, ...subscription };
  const of = { subscription: whole, payee: PAYEE, cycles, isApprovalPaid };
  const view = payerSubscription(of, now);
  return { ...view, cycle: view.cycles[0] };
}

describe("a mandate of no more use", () => {
  const byHand = { id: "other", secureRandom: "", isMade: true };

  test("promises no debit but one that its bank has", () => {
    expect(shown({}, { status: "failed" }).next?.dueDate).toBe("2027-01-10");
    const { next, state } = shown(USELESS, { status: "failed" });
    expect([next, state]).toEqual([null, "needs_approval"]);
    expect(shown(USELESS, { debit: NO_DEBIT }).next).toBeNull();
    expect(shown(USELESS, {}).next?.dueDate).toBe("2026-12-10");
    expect(shown({ ...USELESS, status: "cancelled" }, {}).state).toBe("cancelled");
  });

  test("leaves a cycle that was never ordered to its payer, who has a code", () => {
    const early = { ...CYCLE, debit: NO_DEBIT, recovery: { byHand } };
    const useless = { ...SUBSCRIPTION, ...USELESS };
    expect(isLeftToPayer(useless, early)).toBe(true);
    expect(isLeftToPayer(SUBSCRIPTION, early)).toBe(false);
    expect(isLeftToPayer(useless, { ...early, recovery: null })).toBe(false);
    expect(isLeftToPayer(useless, { ...early, debit: CYCLE.debit })).toBe(false);
    expect(isLeftToPayer(useless, { ...early, status: "failed" })).toBe(false);
    const cancelled = { ...NO_DEBIT, ending: "requested" as const };
    expect(isLeftToPayer(useless, { ...early, debit: cancelled })).toBe(false);
  });
});

const eve = (time: string) => ({ now: at("2026-12-09", time), paidBy: PAID_BY });

describe("a cycle that is paid by hand while it is open", () => {
  const failed = { attempts: [NO_BALANCE] };

  test("asks for nothing more", () => {
    expect(shown({}, failed).cycle).toMatchObject({ status: "open", todo: "NO_BALANCE" });
    expect(shown({}, failed, { paidBy: PAID_BY }).cycle).toMatchObject({
      status: "paid",
      unpaid: null,
      todo: null,
      payPath: null,
      receipt: expect.stringMatching(/^\/r\/\w/),
    });
  });

  test("shows its debit once that can no longer be ended", () => {
    expect(shown({}, {}, eve("21:00:00")).next?.dueDate).toBe("2027-01-10");
    expect(shown({}, {}, eve("23:00:00")).next?.dueDate).toBe("2026-12-10");
    expect(shown({}, { debit: NO_DEBIT }, eve("23:00:00")).next?.dueDate).toBe("2027-01-10");
  });
});

/** What a payer can do about a cycle whose debit failed. */
function todo(
  cycle: Partial<SubscriptionCycle>,
  subscription: Partial<Subscription> = {},
  now = at("2026-12-11"),
) {
  return shown(subscription, { attempts: [NO_BALANCE], ...cycle }, { now }).cycle?.todo;
}

test("a payer is asked for a balance only where the cycle is debited again", () => {
  const noRetry = { terms: { ...SUBSCRIPTION.terms, retry: [] } };
  expect(todo({})).toBe("NO_BALANCE");
  expect(todo({}, noRetry)).toBe("OTHER");
  expect(todo({ debit: { ...CYCLE.debit, retryDay: "2026-12-13" } }, noRetry)).toBe("NO_BALANCE");
  expect(todo({}, {}, at("2026-12-19"))).toBe("OTHER");
  expect(todo({ debit: { ...CYCLE.debit, ending: "over" } })).toBe("OTHER");
  expect(todo({ debit: { ...CYCLE.debit, status: "expired" } })).toBe("OTHER");
  expect(todo({ status: "failed" })).toBe("OTHER");
  expect(todo({ status: "cancelled" })).toBeNull();
});

test("a payer hears of next debits only where there are some", () => {
  const limited = {
    attempts: [{ ...FAILED, reason: debitReason("AM02") }],
    status: "failed" as const,
  };
  expect(todo(limited)).toBe("PAYER_LIMIT");
  for (const status of ["paused", "cancelled", "completed"] as const)
    expect(todo(limited, { status }), status).toBe("OTHER");
  expect(todo(limited, USELESS)).toBe("OTHER");
  const terms = { ...SUBSCRIPTION.terms, endDate: "2026-12-31" };
  expect(todo(limited, { terms })).toBe("OTHER");
});

/** What a payer sees of a subscription with a code, who has paid with the approval. */
function paid(qrcode: string | null, status: Subscription["status"] = "pending_approval") {
  const mandate = { ...SUBSCRIPTION.mandate, qrcode };
  const terms = { ...SUBSCRIPTION.terms, journey: "QR_AND_PAY" as const };
  const now = at("2026-12-02");
  const { state, code } = shown({ mandate, terms, status }, {}, { now, isApprovalPaid: true });
  return [state, code];
}

describe("a payer who has paid with the approval, and has not approved", () => {
  const own = codeOf("");
  const joint = codeOf(tlv("25", "psp.example.com/1"));
  test("sees only a code that asks for no money", () => {
    expect(paid(own)).toEqual(["paid_unapproved", own]);
    expect(paid(joint)).toEqual(["paid", null]);
    expect(paid(null)).toEqual(["paid", null]);
    expect(paid(own, "active")).toEqual(["active", null]);
  });

  test("is not told that nothing was debited", () => {
    expect(paid(null, "rejected")).toEqual(["paid_rejected", null]);
    expect(paid(null, "expired")).toEqual(["paid_expired", null]);
    const now = at("2026-12-09");
    const late = shown({ status: "pending_approval" }, {}, { now, isApprovalPaid: true });
    expect([late.state, late.mayCancel]).toEqual(["paid_expired", false]);
    expect(shown({ status: "pending_approval" }, {}, { now }).state).toBe("expired");
  });
});

/** A code of a mandate; `charge`: that of a payment as well. */
function codeOf(charge: string): string {
  const recurrence = tlv("00", PIX_GUI) + tlv("25", "psp.example.com/rec/1");
  const body = [
    tlv("00", "01") + tlv("26", tlv("00", PIX_GUI) + charge),
    tlv("52", "0000") + tlv("53", "986") + tlv("58", "BR"),
    tlv("59", "Loja") + tlv("60", "SP") + tlv("62", tlv("05", "***")),
    tlv("80", recurrence) + "6304",
  ].join("");
  return body + crc16(body);
}

function tlv(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}
