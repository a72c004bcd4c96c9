import type { PaymentMethod } from "../charges/charge-status.ts";
import { feeOn, type Fee } from "../ledger/fees.ts";
import { businessDayFrom, saoPauloDay, startOfDay } from "../shared/business-day.ts";
import { addDays, daysBetween } from "../shared/calendar-day.ts";
import type { Cents } from "../shared/money.ts";
import { LISTING_DELAY_MS } from "./reconciliation.ts";

/**
 * What a line of a settlement is: a credit of a payment, or what a refund or a chargeback takes away again, with what
 * reverses each. `OTHER`: a word of the house that nobody here knows.
 */
export const SETTLEMENT_TYPES = [
  "CREDIT",
  "REFUND",
  "REFUND_REVERSAL",
  "CHARGEBACK",
  "CHARGEBACK_REVERSAL",
  "OTHER",
] as const;
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** `waiting`: promised. `paid`: in the account's balance, also before its day. */
export const SETTLEMENT_STATES = ["waiting", "paid"] as const;
type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** A line of a settlement as the house tells it. Amounts in centavos: what it takes from the account is below 0. */
export interface SettlementLine {
  /** The house's own id. A line that is told again replaces itself. */
  line: string;
  /** The payment that it is of, by its id here. */
  paymentId: string;
  type: SettlementType;
  /** From 1. */
  installment: number;
  /** Before the fee. */
  gross: Cents;
  /** What the house took for the payment; below 0 where it gave a fee back. */
  fee: Cents;
  /** What it took for paying before the day, where somebody ordered that. */
  anticipationFee: Cents;
  /** `YYYY-MM-DD` in America/Sao_Paulo: when it is paid, or was. */
  paidOn: string;
  state: SettlementState;
}

/** A line of a transaction. `dueOn`: the day of our own release, `YYYY-MM-DD` in America/Sao_Paulo. */
export interface ComparedLine extends SettlementLine {
  transactionId: string;
  paymentMethod: PaymentMethod;
  dueOn: string;
  /** Its part of the agreed fee. */
  agreed: Cents;
  /** Taken less agreed. */
  feeDifference: Cents;
  /** Gross less what our books have for this part; of what goes back, what our books do not have. */
  amountDifference: Cents;
  /** Days after `dueOn`, where the grace is over too; else 0. */
  daysLate: number;
}

/** What our books know of a transaction whose lines are compared. Centavos, epoch milliseconds. */
export interface SettledTransaction {
  id: string;
  paymentMethod: PaymentMethod;
  /** The parts that its credit is released in. */
  parts: number;
  paidAmount: Cents;
  refundedAmount: Cents;
  paidAt: number;
  fee: Fee;
  releaseDays: number;
}

/**
 * `fee`: a centavo or more too much was taken. `amount`: another amount than was paid, more taken back than our books
 * have, or come again of that beyond them. `late`: its day is after our release. `missing`: a payment without all of its lines. `unpaid`: its day is over, and it still waits.
 */
export const DIFFERENCE_KINDS = ["fee", "amount", "late", "missing", "unpaid"] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** What goes back of a payment, and what comes again of that. */
const TAKEN_BACK = new Set<SettlementType>([
  "REFUND",
  "REFUND_REVERSAL",
  "CHARGEBACK",
  "CHARGEBACK_REVERSAL",
]);
/** A house pays on business days, and may need one or two. */
const GRACE_BUSINESS_DAYS = 2;
/** After so many days a line that is missing or unpaid is a difference: more than the grace, whatever the weekends. */
const OVERDUE_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Compares a transaction's lines, all that are known, with our books. Only sums are exact: a house may put the odd
 * centavo of a division on another installment than we do. So a difference of the sum is charged to the lines that are
 * furthest from an even division, and no line differs where the sum does not.
 */
export function compareLines(
  transaction: SettledTransaction,
  lines: readonly SettlementLine[],
): ComparedLine[] {
  const { paidAmount, parts, fee, refundedAmount } = transaction;
  const credits = lines.filter(({ type }) => type === "CREDIT");
  const isWhole = installmentsOf(credits).size >= parts;
  const sums = { isWhole, parts };
  const fees = differences(credits, (line) => line.fee, { ...sums, total: feeOn(paidAmount, fee) });
  // What a house does with the credits of a payment that went back is not told alike by all of them.
  const amounts =
    refundedAmount > 0
      ? credits.map(() => 0)
      : differences(credits, (line) => line.gross, { ...sums, total: paidAmount });
  const ofCredit = (line: SettlementLine) => {
    const at = credits.indexOf(line);
    const feeDifference = fees[at] ?? 0;
    const amountDifference = amounts[at] ?? 0;
    const daysLate = daysLateOf(line.paidOn, releaseDay(transaction, line.installment));
    return { agreed: line.fee - feeDifference, feeDifference, amountDifference, daysLate };
  };
  const excess = takenBackOf(lines) - refundedAmount;
  const backs = lines.filter(({ type }) => TAKEN_BACK.has(type));
  const lastTaken = backs.findLast(({ gross }) => gross < 0);
  const lastReturned = backs.findLast(({ gross }) => gross > 0);
  const beyond = (line: SettlementLine) => {
    if (line === lastTaken && excess > 0) return -excess;
    // Less than our books have is on its way, but for what the house says came again.
    return line === lastReturned && excess < 0 ? Math.min(returnedOf(lines), -excess) : 0;
  };
  return lines.map((line) => ({
    ...line,
    transactionId: transaction.id,
    paymentMethod: transaction.paymentMethod,
    dueOn: line.type === "CREDIT" ? releaseDay(transaction, line.installment) : line.paidOn,
    // Nothing was agreed to be taken for what goes back.
    ...(line.type === "CREDIT"
      ? ofCredit(line)
      : { agreed: 0, feeDifference: line.fee, amountDifference: beyond(line), daysLate: 0 }),
  }));
}

/** The faults of a line, with the centavos that each is about. Less fee than agreed is none. */
export function faultsOf(line: ComparedLine): { kind: DifferenceKind; amount: Cents }[] {
  const { feeDifference, amountDifference, daysLate, gross } = line;
  return [
    ...(feeDifference > 0 ? [{ kind: "fee" as const, amount: feeDifference }] : []),
    ...(amountDifference === 0
      ? []
      : [{ kind: "amount" as const, amount: Math.abs(amountDifference) }]),
    ...(daysLate > 0 ? [{ kind: "late" as const, amount: Math.abs(gross) }] : []),
  ];
}

/** The faults of a line that it did not have, or had otherwise, before it was told again. */
export function newFaults(line: ComparedLine, before: ComparedLine | undefined) {
  const known = before === undefined ? [] : faultsOf(before);
  return faultsOf(line).filter(
    ({ kind, amount }) => !known.some((each) => each.kind === kind && each.amount === amount),
  );
}

/** Centavos of refunds and chargebacks that came again. */
function returnedOf(lines: readonly SettlementLine[]): Cents {
  return lines
    .filter(({ type, gross }) => TAKEN_BACK.has(type) && gross > 0)
    .reduce((sum, { gross }) => sum + gross, 0);
}

/** Centavos that the house took away again for refunds and chargebacks, less what it gave back of them. */
function takenBackOf(lines: readonly SettlementLine[]): Cents {
  return lines
    .filter(({ type }) => TAKEN_BACK.has(type))
    .reduce((sum, { gross }) => sum - gross, 0);
}

function installmentsOf(lines: readonly SettlementLine[]): Set<number> {
  return new Set(lines.map(({ installment }) => installment));
}

/**
 * The part of a total for each line by its installment; a second line of the same installment gets nothing. The rest of
 * the division is part of the last line whose value has it, else of the first installment.
 */
function evenlyFor(
  lines: readonly SettlementLine[],
  valueOf: (line: SettlementLine) => Cents,
  { total, parts }: { total: Cents; parts: number },
): Cents[] {
  const share = Math.floor(total / parts);
  const rest = total - share * parts;
  const holder = lines.findLast((line) => valueOf(line) === share + rest)?.installment ?? 1;
  const seen = new Set<number>();
  return lines.map(({ installment }) => {
    if (seen.has(installment) || installment > parts) return 0;
    seen.add(installment);
    return installment === holder ? share + rest : share;
  });
}

/**
 * What each line is above its even part, so that they add up to the difference of the sums: taken from the largest
 * deviations in its direction. While parts are missing, less than a centavo a part may be the division.
 */
function differences(
  lines: readonly SettlementLine[],
  valueOf: (line: SettlementLine) => Cents,
  { total: agreed, isWhole, parts }: { total: Cents; isWhole: boolean; parts: number },
): Cents[] {
  const even = evenlyFor(lines, valueOf, { total: agreed, parts });
  const deviations = lines.map((line, index) => valueOf(line) - (even[index] ?? 0));
  const total = deviations.reduce((sum, each) => sum + each, 0);
  const charged = lines.map(() => 0);
  if (!isWhole && Math.abs(total) < parts) return charged;
  const sign = Math.sign(total);
  let left = Math.abs(total);
  const order = deviations
    .map((deviation, index) => ({ index, size: deviation * sign }))
    .toSorted((one, other) => other.size - one.size || one.index - other.index);
  for (const { index, size } of order) {
    const part = Math.min(left, Math.max(0, size));
    charged[index] = part === 0 ? 0 : part * sign;
    left -= part;
  }
  return charged;
}

/** The day (São Paulo) on which our ledger releases an installment, as `releaseSchedule` counts it. */
function releaseDay({ paidAt, releaseDays }: SettledTransaction, installment: number): string {
  return saoPauloDay(paidAt + installment * releaseDays * DAY_MS);
}

/** Days from our release to the house's day, where that is after the grace; else 0. */
function daysLateOf(paidOn: string, dueOn: string): number {
  let last = businessDayFrom(dueOn);
  for (let day = 0; day < GRACE_BUSINESS_DAYS; day++) last = businessDayFrom(addDays(last, 1));
  return paidOn > last ? daysBetween(dueOn, paidOn) : 0;
}

/** The day of paid transactions whose lines must all be there on a day, and of lines that must be paid. */
export function dueBefore(day: string): string {
  return addDays(day, -OVERDUE_DAYS);
}

/** So long after a day ends its last lines are listed. */
const LISTED_AFTER_MS = 60 * LISTING_DELAY_MS;
/** So long after a day could be read its reading is late. */
const READ_LATE_MS = 24 * 60 * 60_000;

/** When a day can be read, epoch milliseconds. */
export function readableAt(day: string): number {
  return windowOfDay(day).to + LISTED_AFTER_MS;
}

/** The first day whose reading is not late yet. */
export function firstDayInTime(nowMs: number): string {
  return saoPauloDay(nowMs - LISTED_AFTER_MS - READ_LATE_MS);
}

/** A day's window, epoch milliseconds: `to` is the start of the next day. */
export function windowOfDay(day: string): { from: number; to: number } {
  return { from: startOfDay(day), to: startOfDay(addDays(day, 1)) };
}
