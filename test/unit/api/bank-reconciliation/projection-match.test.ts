import { describe, expect, it } from "vitest";
import type { ChargeStatus } from "../../../../src/domain/charges/charge-status.ts";
import type { ListedPayment, PayoutOutcome } from "../../../../src/providers/provider.ts";
import type {
  ChargeDetails,
  ProviderDispute,
  ProviderRefund,
} from "../../../../src/providers/charge.ts";
import {
  projectionHasCharge,
  projectionHasPayment,
  projectionHasPayout,
} from "../../../../src/api/bank-reconciliation/projection-match.ts";

type Projected = NonNullable<Parameters<typeof projectionHasCharge>[0]>;
type ProjectedWithdraw = NonNullable<Parameters<typeof projectionHasPayout>[0]>;

const PAYMENT_ID = "E00000000202611200000000000000001";
const REFUND_ID = "11111111-2222-4333-8444-555555555555";

const DISPUTE = { id: "M1", amount: 2_500, status: "OPEN", createdAt: 1 } as const;
const REFUND = { id: REFUND_ID, amount: 1_000, status: "DONE", createdAt: 1 } as const;

function projected(changes: Partial<Projected> = {}): Projected {
  return {
    id: "0f8fad5b-d9cb-469f-a165-70867728950e",
    companyId: 1,
    status: "paid",
    endToEndId: PAYMENT_ID,
    paidAmount: 2_500,
    refunds: [],
    dispute: null,
    version: 1,
    ...changes,
  };
}

function reportedDispute(changes: Partial<ProviderDispute> = {}): ProviderDispute {
  return {
    id: "M1",
    paymentId: PAYMENT_ID,
    kind: "DISPUTE",
    amount: 2_500,
    status: "OPEN",
    ...changes,
  };
}

function reportedRefund(changes: Partial<ProviderRefund> = {}): ProviderRefund {
  const id = REFUND_ID.replaceAll("-", "");
  return { id, paymentId: PAYMENT_ID, amount: 1_000, status: "DONE", ...changes };
}

function listed(changes: Partial<ListedPayment> = {}): ListedPayment {
  return {
    paymentId: PAYMENT_ID,
    method: "PIX",
    amount: 2_500,
    paidAt: 1,
    chargeId: "0f8fad5bd9cb469fa16570867728950e",
    disputes: [],
    refunds: [],
    ...changes,
  };
}

/** The same payment, as a list of charges reports it. */
function charge(changes: Partial<ChargeDetails> = {}): ChargeDetails {
  const { paymentId, method, amount, paidAt } = listed();
  return {
    status: "open",
    payments: [{ paymentId, method, amount, paidAt }],
    disputes: [],
    refunds: [],
    ...changes,
  };
}

describe("a listed payment", () => {
  it("is skipped where the projection shows it with its dispute and its refunds", () => {
    const known = projected({ refunds: [REFUND], dispute: DISPUTE });
    const reported = { refunds: [reportedRefund()], disputes: [reportedDispute()] };

    expect(projectionHasPayment(projected(), listed())).toBe(true);
    expect(projectionHasPayment(known, listed(reported))).toBe(true);
    expect(projectionHasCharge(known, charge(reported))).toBe(true);
  });

  it.each<[string, Partial<Projected>]>([
    ["no payment", { endToEndId: null, paidAmount: 0, status: "waiting_payment" }],
    ["another payment", { endToEndId: "E00000000202611200000000000000002" }],
    ["more money", { paidAmount: 2_501 }],
    ["less money", { paidAmount: 2_499 }],
  ])("is booked where the projection shows %s", (_what, known) => {
    expect(projectionHasPayment(projected(known), listed())).toBe(false);
    expect(projectionHasCharge(projected(known), charge())).toBe(false);
  });

  it("is booked where there is no projection of its charge", () => {
    expect(projectionHasPayment(undefined, listed())).toBe(false);
  });

  it("is booked for the second one of its charge", () => {
    const [first] = charge().payments;
    const second = { ...first!, paymentId: "E00000000202611200000000000000002" };

    expect(projectionHasCharge(projected(), charge({ payments: [first!, second] }))).toBe(false);
  });
});

describe("a reported dispute is booked", () => {
  it.each<[string, Partial<ProviderDispute>]>([
    ["another one", { id: "M2" }],
    ["one that has ended meanwhile", { status: "LOST" }],
    ["one that asks for more", { amount: 2_600 }],
    ["one that asks for less", { amount: 2_400 }],
  ])("where the projection shows %s", (_what, changes) => {
    const disputes = [reportedDispute(changes)];

    expect(projectionHasPayment(projected({ dispute: DISPUTE }), listed({ disputes }))).toBe(false);
    expect(projectionHasCharge(projected({ dispute: DISPUTE }), charge({ disputes }))).toBe(false);
  });

  it("where the projection shows none", () => {
    const disputes = [reportedDispute()];

    expect(projectionHasPayment(projected(), listed({ disputes }))).toBe(false);
  });

  it("where it is the second one, although the projection shows the first", () => {
    const disputes = [reportedDispute(), reportedDispute({ id: "M2", amount: 100 })];

    expect(projectionHasPayment(projected({ dispute: DISPUTE }), listed({ disputes }))).toBe(false);
    expect(projectionHasCharge(projected({ dispute: DISPUTE }), charge({ disputes }))).toBe(false);
  });
});

describe("a reported refund is booked", () => {
  it.each<[string, Partial<ProviderRefund>]>([
    ["another one", { id: "D2" }],
    ["one of more money", { amount: 1_100 }],
    ["one of less money", { amount: 900 }],
    ["one that failed", { status: "FAILED" }],
    ["one that is still under way", { status: "PROCESSING" }],
  ])("where the projection shows %s", (_what, changes) => {
    const refunds = [reportedRefund(changes)];

    expect(projectionHasPayment(projected({ refunds: [REFUND] }), listed({ refunds }))).toBe(false);
    expect(projectionHasCharge(projected({ refunds: [REFUND] }), charge({ refunds }))).toBe(false);
  });

  it("where it is the second one, although the projection shows the first", () => {
    const refunds = [reportedRefund(), reportedRefund({ id: "D2" })];

    expect(projectionHasPayment(projected({ refunds: [REFUND] }), listed({ refunds }))).toBe(false);
  });
});

describe("an unpaid charge", () => {
  it.each<[ChargeStatus, ChargeDetails["status"], boolean]>([
    ["waiting_payment", "open", true],
    ["creating", "open", true],
    ["cancelled", "expired", true],
    ["failed", "failed", true],
    ["waiting_payment", "expired", false],
    ["authorized", "cancelled", false],
    ["creating", "failed", false],
  ])("that is %s here and %s there is skipped: %s", (here, there, isSkipped) => {
    const known = projected({ status: here, endToEndId: null, paidAmount: 0 });

    expect(projectionHasCharge(known, charge({ status: there, payments: [] }))).toBe(isSkipped);
  });

  it.each<[ChargeStatus, ChargeDetails["status"], boolean]>([
    ["paid", "cancelled", false],
    ["paid", "failed", false],
    ["paid", "refused", false],
    // Its own time ends a charge without a word of the house.
    ["paid", "expired", true],
    ["refunded", "cancelled", true],
  ])("that is %s here and %s there, without money, is skipped: %s", (here, there, isSkipped) => {
    const known = projected({ status: here });

    expect(projectionHasCharge(known, charge({ status: there, payments: [] }))).toBe(isSkipped);
  });

  it("of another company is skipped", () => {
    expect(projectionHasCharge(undefined, charge())).toBe(true);
  });
});

describe("a listed payout", () => {
  const withdrawn = (changes: Partial<ProjectedWithdraw> = {}): ProjectedWithdraw => ({
    id: 1,
    payoutId: "11111111-2222-4333-8444-666666666666",
    status: "Paid",
    returnedAmount: 0,
    version: 1,
    ...changes,
  });
  const paid: PayoutOutcome = { kind: "paid", endToEndId: PAYMENT_ID };
  const returned: PayoutOutcome = { kind: "returned", endToEndId: PAYMENT_ID };
  const failed: PayoutOutcome = { kind: "failed", reason: "the account is closed" };

  it.each<[string, ProjectedWithdraw, PayoutOutcome]>([
    ["paid", withdrawn(), paid],
    ["returned in part", withdrawn({ returnedAmount: 700 }), { ...paid, returnedAmount: 700 }],
    ["returned", withdrawn({ status: "Returned", returnedAmount: 2_000 }), returned],
    ["failed", withdrawn({ status: "Failed" }), failed],
    ["under way", withdrawn({ status: "Processing" }), { kind: "processing" }],
  ])("that is %s on both sides is skipped", (_how, known, outcome) => {
    expect(projectionHasPayout(known, outcome)).toBe(true);
  });

  it.each<[string, ProjectedWithdraw, PayoutOutcome]>([
    ["paid", withdrawn({ status: "Processing" }), paid],
    ["paid after all", withdrawn({ status: "Failed" }), paid],
    ["returned in part", withdrawn(), { ...paid, returnedAmount: 700 }],
    ["returned further", withdrawn({ returnedAmount: 700 }), { ...paid, returnedAmount: 900 }],
    ["returned no more", withdrawn({ returnedAmount: 700 }), paid],
    ["returned", withdrawn(), returned],
    ["failed", withdrawn(), failed],
  ])("that was %s meanwhile is booked", (_how, known, outcome) => {
    expect(projectionHasPayout(known, outcome)).toBe(false);
  });

  it.each([paid, returned, failed])("of no withdraw of ours is booked: $kind", (outcome) => {
    expect(projectionHasPayout(undefined, outcome)).toBe(false);
  });
});
