import { describe, expect, it } from "vitest";
import {
  compareLines,
  faultsOf,
  newFaults,
  type SettledTransaction,
  type SettlementLine,
} from "../../../../src/domain/reconciliation/settlement.ts";
import { startOfDay } from "../../../../src/domain/shared/business-day.ts";

const NOON_MS = 12 * 3_600_000;

/** 100.00 on a card in three installments at 3%, paid on Tuesday 2026-09-01: released on 1 and 31 October, 30 November. */
const CARD: SettledTransaction = {
  id: "t1",
  paymentMethod: "CREDIT_CARD",
  parts: 3,
  paidAmount: 10_000,
  refundedAmount: 0,
  paidAt: startOfDay("2026-09-01") + NOON_MS,
  fee: { basisPoints: 300, fixed: 1 },
  releaseDays: 30,
};
const DAYS = ["2026-10-01", "2026-11-03", "2026-11-30"];

function line(installment: number, overrides: Partial<SettlementLine> = {}): SettlementLine {
  return {
    line: `py_${installment}`,
    paymentId: "pagarme:ch_1",
    type: "CREDIT",
    installment,
    gross: installment === 3 ? 3_334 : 3_333,
    fee: installment === 3 ? 101 : 100,
    anticipationFee: 0,
    paidOn: DAYS[installment - 1] ?? "",
    state: "waiting",
    ...overrides,
  };
}

/** The second line, as it is told with some changes. */
const told = (changes: Partial<SettlementLine>) =>
  compareLines(CARD, [line(1), line(2, changes), line(3)])[1]!;
const ALL = [line(1), line(2), line(3)];
const compared = (lines: SettlementLine[], transaction = CARD) =>
  compareLines(transaction, lines).map(({ line: id, agreed, feeDifference, amountDifference }) => [
    id,
    agreed,
    feeDifference,
    amountDifference,
  ]);
const faults = (lines: SettlementLine[], transaction = CARD) =>
  compareLines(transaction, lines).flatMap((each) =>
    faultsOf(each).map(({ kind, amount }) => [each.line, kind, amount]),
  );

it("what adds up does not differ, whatever installment has the odd centavos of a division", () => {
  expect(compared(ALL)).toEqual([
    ["py_1", 100, 0, 0],
    ["py_2", 100, 0, 0],
    ["py_3", 101, 0, 0],
  ]);
  expect(faults(ALL)).toEqual([]);
});

it("a centavo too much is a fault of the line that is furthest from an even division", () => {
  expect(compared([line(1), line(2, { fee: 101 }), line(3)])).toEqual([
    ["py_1", 100, 0, 0],
    ["py_2", 100, 1, 0],
    ["py_3", 101, 0, 0],
  ]);
  expect(faults([line(1), line(2, { fee: 101 }), line(3)])).toEqual([["py_2", "fee", 1]]);
  expect(faults([line(1), line(2, { fee: 103 }), line(3)])).toEqual([["py_2", "fee", 3]]);
});

it("faults of several lines add up to what was taken too much", () => {
  const lines = [line(1, { fee: 110 }), line(2, { fee: 120 }), line(3, { fee: 90 })];
  expect(faults(lines)).toEqual([["py_2", "fee", 19]]);
});

it("less fee than agreed differs, and is no fault", () => {
  const lines = [line(1, { fee: 90 }), line(2), line(3)];
  expect(compared(lines)[0]).toEqual(["py_1", 100, -10, 0]);
  expect(faults(lines)).toEqual([]);
});

it("an amount that is not what was paid is a fault, above and below", () => {
  expect(faults([line(1), line(2, { gross: 3_332 }), line(3)])).toEqual([["py_2", "amount", 1]]);
  expect(faults([line(1), line(2, { gross: 3_400 }), line(3)])).toEqual([["py_2", "amount", 67]]);
});

it("an installment that is told twice is an amount and a fee too much", () => {
  const again = { ...line(3), line: "py_4" };
  expect(faults([...ALL, again])).toEqual([
    ["py_4", "fee", 101],
    ["py_4", "amount", 3_334],
  ]);
});

it("while installments are missing, less than a centavo for each may be the division", () => {
  expect(faults([line(3, { fee: 102 })])).toEqual([]);
  expect(faults([line(3, { fee: 103 })])).toEqual([["py_3", "fee", 3]]);
});

it("amounts of a payment that went back, in part, are not compared; its fee is", () => {
  const refunded = { ...CARD, refundedAmount: 1 };
  expect(faults([line(1, { gross: 1, fee: 200 }), line(2), line(3)], refunded)).toEqual([
    ["py_1", "fee", 100],
  ]);
});

it("nothing was agreed to be taken for what goes back", () => {
  const refund = line(1, { line: "py_9", type: "REFUND", gross: -10_000, fee: 5 });
  const refunded = { ...CARD, refundedAmount: 10_000 };
  expect(faults([...ALL, refund], refunded)).toEqual([["py_9", "fee", 5]]);
  expect(faults([...ALL, { ...refund, fee: -301 }], refunded)).toEqual([]);
  expect(compared([...ALL, refund], refunded).at(-1)).toEqual(["py_9", 0, 5, 0]);
});

it("what is taken back beyond our books is a difference, once, and less is none", () => {
  const refund = line(1, { line: "py_8", type: "REFUND", gross: -10_000, fee: 0 });
  const chargeback = { ...refund, line: "py_9", type: "CHARGEBACK" as const };
  const reversal = { ...chargeback, line: "py_10", type: "CHARGEBACK_REVERSAL" as const };
  const refunded = { ...CARD, refundedAmount: 10_000 };
  expect(faults([...ALL, refund])).toEqual([["py_8", "amount", 10_000]]);
  expect(faults([...ALL, refund], refunded)).toEqual([]);
  expect(faults([...ALL, { ...refund, gross: -4_000 }], refunded)).toEqual([]);
  expect(faults([...ALL, refund, chargeback], refunded)).toEqual([["py_9", "amount", 10_000]]);
  expect(faults([...ALL, refund, chargeback, { ...reversal, gross: 10_000 }], refunded)).toEqual(
    [],
  );
});

it("what comes back of a chargeback or a refund beyond our books is a difference", () => {
  const chargeback = line(1, { line: "py_8", type: "CHARGEBACK", gross: -10_000, fee: 0 });
  const won = { ...chargeback, line: "py_9", type: "CHARGEBACK_REVERSAL" as const, gross: 10_000 };
  const lost = { ...CARD, refundedAmount: 10_000 };
  expect(faults([...ALL, chargeback, won], lost)).toEqual([["py_9", "amount", 10_000]]);
  expect(faults([...ALL, chargeback, won])).toEqual([]);
  const refund = { ...chargeback, line: "py_10", type: "REFUND" as const, gross: -4_000 };
  const again = { ...refund, line: "py_11", type: "REFUND_REVERSAL" as const, gross: 4_000 };
  const partly = { ...CARD, refundedAmount: 5_000 };
  expect(faults([...ALL, refund, again], partly)).toEqual([["py_11", "amount", 4_000]]);
});

describe("the day", () => {
  // Our second release is on Saturday 2026-10-31; Monday 2 November is a holiday.
  it.each([
    ["the next business day", "2026-11-03", 0],
    ["two business days more", "2026-11-05", 0],
    ["a day after the grace", "2026-11-06", 6],
    ["a day before ours", "2026-10-30", 0],
  ])("%s after a weekend and a holiday", (_what, paidOn, daysLate) => {
    const [, second] = compareLines(CARD, [line(1), line(2, { paidOn }), line(3)]);
    expect(second).toMatchObject({ dueOn: "2026-10-31", daysLate });
    expect(faultsOf(second!)).toEqual(daysLate > 0 ? [{ kind: "late", amount: 3_333 }] : []);
  });
});

it("a line that is told again has only the faults that are new", () => {
  const before = told({ fee: 103 });

  expect(newFaults(before, undefined)).toEqual([{ kind: "fee", amount: 3 }]);
  expect(newFaults(told({ fee: 103, state: "paid" }), before)).toEqual([]);
  expect(newFaults(told({ fee: 104 }), before)).toEqual([{ kind: "fee", amount: 4 }]);
  expect(newFaults(told({ fee: 103, paidOn: "2026-11-06" }), before)).toEqual([
    { kind: "late", amount: 3_333 },
  ]);
});
