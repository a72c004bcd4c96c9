import { describe, expect, it } from "vitest";
import {
  bookedDayOf,
  dailySumsOf,
  netOf,
  paymentDayOf,
} from "../../../../src/domain/ledger/daily-totals.ts";
import {
  chargebackReversed,
  chargePaid,
  clawback,
  creditReleased,
  holdPlaced,
  MOVEMENT_TYPES,
  paymentSuspended,
  refundDone,
  suspenseCredited,
  suspenseReturned,
  type MovementType,
  type Posting,
} from "../../../../src/domain/ledger/ledger.ts";

const NOON = Date.UTC(2026, 10, 21, 15);
const movement = (type: MovementType, postings: Posting[], createdAt = NOON) => ({
  type,
  postings,
  createdAt,
});
const credit = { paid: 1_000, fee: 30, awaiting: 400, debt: 100 };
const taken = { blocked: 300, awaiting: 200, available: 400, debt: 100 };
const refunds = (amount: number) => ({ count: 0, gross: 0, fees: 0, refunds: amount });

describe("what a movement adds to its day", () => {
  it.each<[MovementType, Posting[], object]>([
    ["charge_paid", chargePaid(credit), { count: 1, gross: 1_000, fees: 30, refunds: 0 }],
    [
      "charge_paid",
      chargePaid({ paid: 30, fee: 30, awaiting: 0, debt: 0 }),
      { count: 1, gross: 30, fees: 30, refunds: 0 },
    ],
    [
      "suspense_credited",
      suspenseCredited(credit),
      { count: 1, gross: 1_000, fees: 30, refunds: 0 },
    ],
    ["refund_done", refundDone(250), refunds(250)],
    ["refund_external", clawback(taken), refunds(1_000)],
    ["dispute_lost", clawback(taken), refunds(1_000)],
    ["chargeback", clawback(taken), refunds(1_000)],
    ["chargeback_reversed", chargebackReversed(1_000, 100), refunds(-1_000)],
  ])("%s: its paid amount, fee and refund", (type, postings, sums) => {
    expect(dailySumsOf(movement(type, postings))).toEqual(sums);
  });

  it.each<[MovementType, Posting[]]>([
    ["payment_suspended", paymentSuspended(1_000)],
    ["suspense_returned", suspenseReturned(1_000)],
    ["refund_requested", holdPlaced({ awaiting: 100, available: 200 })],
    ["credit_released", creditReleased(1_000, 0)],
  ])("%s: nothing", (type, postings) => {
    expect(dailySumsOf(movement(type, postings))).toBeNull();
  });

  it("is decided for each type of movement", () => {
    const counted = MOVEMENT_TYPES.filter((type) => dailySumsOf(movement(type, [])) !== null);
    expect(counted).toHaveLength(7);
  });
});

it.each([
  ["the last millisecond before midnight", Date.UTC(2026, 10, 22, 2, 59, 59, 999), "2026-11-21"],
  ["midnight", Date.UTC(2026, 10, 22, 3), "2026-11-22"],
])("the day of a movement is São Paulo's: %s", (_when, createdAt, day) => {
  const paid = movement("charge_paid", chargePaid(credit), createdAt);
  expect(bookedDayOf(paid)).toBe(day);
  expect(paymentDayOf([movement("refund_done", refundDone(1)), paid])).toBe(day);
  expect(paymentDayOf([movement("refund_done", refundDone(1), createdAt)])).toBeNull();
});

it("net is gross less fees and refunds, and may be negative", () => {
  expect(netOf({ count: 1, gross: 1_000, fees: 30, refunds: 980 })).toBe(-10);
});
