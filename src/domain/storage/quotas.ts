import { endOfDay, saoPauloDay } from "../shared/business-day.ts";
import { isoTime } from "../shared/clock.ts";
import type { ProblemDetails } from "../shared/problem.ts";

/**
 * What one company may store, so that no credential fills a database (docs/security.md has the arithmetic).
 * Days are those of America/Sao_Paulo. An operator gives a large merchant a multiple (`quotaPercent`).
 */
export const QUOTAS = {
  /** Charges created a day: three a second, all day. */
  chargesPerDay: 250_000,
  /** Bytes of the charges created a day in D1: 150,000 usual ones. */
  chargeBytesPerDay: 500_000_000,
  /** Events a day: each is a row, and usually one or two deliveries, at most one more than `ENDPOINTS_MAX`. */
  eventsPerDay: 250_000,
  /** Bytes of a day's events and of small writes, such as settings, in D1. */
  eventBytesPerDay: 500_000_000,
  /** Growth of the company's object a day: a twentieth of its 10 GB. */
  objectBytesPerDay: 500_000_000,
  /** Charges neither paid nor ended: eight days of the most charges. */
  openCharges: 2_000_000,
  /**
   * Charges that payers of links make a day. Links have quotas of their own, because anybody uses them up:
   * what a payer stores counts on none of the others.
   */
  linkChargesPerDay: 50_000,
  /** Bytes that payers of links store a day: charges with the event of their end, checkouts, card sessions. */
  linkBytesPerDay: 200_000_000,
  /** Charges of links neither paid nor ended: eight days of the most. */
  openLinkCharges: 400_000,
} as const;

export type Quota = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as Quota[];

/** A quota that a request would exceed. */
export interface QuotaExceeded {
  quota: Quota;
  limit: number;
  used: number;
}

/** Bytes counted for a charge on top of its request: columns, indices and the provider's answer. */
const CHARGE_BYTES = 2_600;
/** Bytes counted for an event on top of its content: its row, and two deliveries with short answers, the usual most. */
const EVENT_BYTES = 1_500;
/** Bytes counted for a payer's checkout: the object's rows, and the link's row in D1. */
export const CHECKOUT_BYTES = 1_000;
/** Bytes counted for a small write of a route that stores neither charge nor event. */
export const SMALL_WRITE_BYTES = 4_000;

/** A quota of a company, given the percentage that it has of the usual one. */
export function quotaLimit(quota: Quota, percent: number): number {
  return Math.floor((QUOTAS[quota] * percent) / 100);
}

/** The first quota of which nothing is left; null if something is left of each. */
export function exceededQuota(
  used: Partial<Record<Quota, number>>,
  percent: number,
): QuotaExceeded | null {
  for (const [name, amount] of Object.entries(used)) {
    const quota = name as Quota;
    const limit = quotaLimit(quota, percent);
    if (amount >= limit) return { quota, limit, used: amount };
  }
  return null;
}

/** Bytes that a charge counts, by the JSON of its request. */
export function chargeBytes(request: object): number {
  return CHARGE_BYTES + jsonBytes(request);
}

/** Bytes that a link's charge counts, by what its row repeats of the request: it, and the event of its end. */
export function linkChargeBytes(request: object): number {
  return chargeBytes(request) + eventBytes(jsonBytes(request));
}

/** Bytes that an event counts, by its content. */
export function eventBytes(contentBytes: number): number {
  return EVENT_BYTES + contentBytes;
}

/** The length of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** When the day of a time (Unix milliseconds) began, and when the next one begins. */
export function quotaDay(nowMs: number): { from: number; until: number } {
  const until = endOfDay(saoPauloDay(nowMs)) + 1_000;
  return { from: until - 24 * 3_600_000, until };
}

/** The refusal of a request that exceeds a quota. `Retry-After` if it ends with the day. */
export function quotaProblem({ quota, limit, used }: QuotaExceeded, nowMs: number): ProblemDetails {
  const extensions = { quota, limit, used };
  if (quota === "openCharges" || quota === "openLinkCharges") {
    const what = quota === "openCharges" ? "open charges" : "open charges of payment links";
    const detail = `The company has ${used} ${what}, the most it may have. Cancel some, or wait for their end.`;
    return { code: "QUOTA_EXCEEDED", detail, extensions };
  }
  const { until } = quotaDay(nowMs);
  return {
    code: "QUOTA_EXCEEDED",
    detail: `The company has used its quota ${quota} of ${limit} for today. The operator can raise it.`,
    extensions: { ...extensions, until: isoTime(until) },
    retryAfterSeconds: Math.ceil((until - nowMs) / 1_000),
  };
}
