import { PAYMENT_METHODS, type PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";
import type { Durations } from "./durations.ts";

/** Payments credited to charges, and their paid amounts in centavos. */
export interface PaymentSum {
  count: number;
  amount: Cents;
}
export type PaymentSums = Partial<Record<PaymentMethod, PaymentSum>>;

export const ATTEMPT_RESULTS = ["delivered", "failed"] as const;
type AttemptResult = (typeof ATTEMPT_RESULTS)[number];
/** Attempts at deliveries by result, and how many of them were a delivery's first. */
export type AttemptSums = Record<AttemptResult, { attempts: number; first: number }>;

/** Work that waits, by its table. */
export const OPEN_WORK = [
  "open_charges",
  "deliveries",
  "callbacks",
  "payouts",
  "unexpected_payments",
  "contradictions",
  "dead_letters",
] as const;
export type OpenWork = (typeof OPEN_WORK)[number];

/** What has been counted so far. Every number only rises. */
export interface ServiceTotals {
  payments: PaymentSums;
  webhooks: AttemptSums;
  /** By the PSP's host. */
  psps: Record<string, Durations>;
}

/** How much is stored and waits. */
export interface ServiceSizes {
  /** Bytes of each database, by its binding. */
  databases: Record<string, number>;
  /** Bytes of the largest companies' objects, by `company:<id>`. */
  objects: Record<string, number>;
  openWork: Partial<Record<OpenWork, number>>;
}

/** What a company received in the last seven closed days and in the seven before, in centavos. */
export interface CompanyVolume {
  companyId: number;
  name: string;
  week: Cents;
  weekBefore: Cents;
}

/** The service's totals and sizes at one time (epoch milliseconds). */
export interface ServiceSample extends ServiceTotals, ServiceSizes {
  at: number;
  /** The payments of all days up to `closedThrough` (`YYYY-MM-DD`), whose reports are read no more. */
  closedThrough: string;
  closedPayments: PaymentSums;
  /** The companies of the largest volumes up to `closedThrough`, the largest first; null in samples of before. */
  volumes: CompanyVolume[] | null;
}

/** A sample is taken this often, and kept for a week and the hours that a comparison reaches beyond it. */
export const SAMPLE_EVERY_MS = 5 * 60_000;
export const SAMPLES_KEPT_MS = 8 * 86_400_000;

const NO_PAYMENTS: PaymentSum = { count: 0, amount: 0 };

/** The payments of a method; none if it has none. */
export function sumOf(sums: PaymentSums, method: PaymentMethod): PaymentSum {
  return sums[method] ?? NO_PAYMENTS;
}

/** The sum of two sums, method by method. */
export function addPayments(one: PaymentSums, other: PaymentSums): PaymentSums {
  return eachMethod((method) => {
    const [left, right] = [sumOf(one, method), sumOf(other, method)];
    return { count: left.count + right.count, amount: left.amount + right.amount };
  });
}

/** What came since an earlier total. */
export function paymentsSince(now: PaymentSums, before: PaymentSums): PaymentSums {
  return eachMethod((method) => {
    const [left, right] = [sumOf(now, method), sumOf(before, method)];
    return { count: left.count - right.count, amount: left.amount - right.amount };
  });
}

/** A total that never falls below an earlier one, though a report was corrected downwards. */
export function risingPayments(now: PaymentSums, before: PaymentSums): PaymentSums {
  return eachMethod((method) => {
    const [left, right] = [sumOf(now, method), sumOf(before, method)];
    return {
      count: Math.max(left.count, right.count),
      amount: Math.max(left.amount, right.amount),
    };
  });
}

function eachMethod(sum: (method: PaymentMethod) => PaymentSum): PaymentSums {
  return Object.fromEntries(PAYMENT_METHODS.map((method) => [method, sum(method)]));
}

/**
 * The share (0 to 1) of the deliveries' first attempts since an earlier total that arrived, and how many there
 * were; the share is null without any.
 */
export function firstAttemptsSince(now: AttemptSums, before: AttemptSums) {
  const delivered = now.delivered.first - before.delivered.first;
  const attempted = delivered + now.failed.first - before.failed.first;
  return { attempted, delivered, share: attempted === 0 ? null : delivered / attempted };
}
