import type { CardDecline, RefusedReason } from "../charges/payment-details.ts";
import type { Cents } from "../shared/money.ts";

/**
 * How often, and when, a declined card may be tried again before its brand charges the merchant for it. Sources, read
 * as excerpts in November 2026, none of them the brands' own: Braspag's "Regras para retentativa das bandeiras" [B],
 * click2pay's "Regra para cobrança de retentativas" [C], Evolve's and Checkout.com's tables of Visa's categories [V],
 * Stone's "Limite de Retentativas" [S], retries.com [R]. A mark `?` is what they leave open or contradict.
 */

/** `attemptsLeft` null where no count limits it, `notBefore` (epoch ms) where no wait does. */
export interface RetryStanding {
  attemptsLeft: number | null;
  notBefore: number | null;
}

interface Limit {
  /** Attempts in all, the first one included. */
  attempts: number;
  windowMs: number;
  /** Whether only attempts with one amount count together. */
  sameAmount: boolean;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** No brand counts further back; an issuer's "never" is kept as long. */
export const RETRIES_COUNTED_MS = 30 * DAY_MS;
/** More than any brand allows within `RETRIES_COUNTED_MS`. */
export const RETRIES_COUNTED_MAX = 40;

const LIMITS: Record<string, readonly Limit[]> = {
  // [B, C, V]: 15 retries in 30 days. `?` whether of one amount: they speak of a declined transaction.
  visa: [{ attempts: 16, windowMs: 30 * DAY_MS, sameAmount: true }],
  // [C]: 7 attempts in 24 hours and 35 in 30 days; [B]: a fee from the 8th on. [R]: the 35 of one amount.
  mastercard: [
    { attempts: 7, windowMs: DAY_MS, sameAmount: false },
    { attempts: 35, windowMs: 30 * DAY_MS, sameAmount: true },
  ],
  // [B]: a fee from the 16th retry, of one card, expiry, amount and merchant, in 30 days.
  elo: [{ attempts: 16, windowMs: 30 * DAY_MS, sameAmount: true }],
};

/** [V, C]: category 1, of any amount. `?` 14 and 46: two of four tables have them elsewhere. */
const VISA_NEVER = codes("04 07 12 14 15 41 43 46 57 R0 R1 R3");
/** [B, C, S]: of one amount [R]. */
const MASTERCARD_NEVER = codes("03 21");
/** [S]: after insufficient funds. */
const MASTERCARD_WAITS: Record<string, number> = {
  "24": HOUR_MS,
  "25": DAY_MS,
  "26": 2 * DAY_MS,
  "27": 4 * DAY_MS,
  "28": 6 * DAY_MS,
  "29": 8 * DAY_MS,
  "30": 10 * DAY_MS,
};

/**
 * How a card stands for another attempt with an amount, by its declines of `RETRIES_COUNTED_MS`, the newest first. Null
 * where its brand has no rule that is known.
 */
export function retryStanding(
  declines: readonly CardDecline[],
  amount: Cents,
  nowMs: number,
): RetryStanding | null {
  const [newest] = declines;
  const limits = newest === undefined ? undefined : LIMITS[newest.brand];
  if (newest === undefined || limits === undefined) return null;
  if (declines.some((each) => isFinal(each, amount))) return { attemptsLeft: 0, notBefore: null };
  const counts = limits.map((limit) => countOf(declines, limit, amount, nowMs));
  const waits = [waitOf(newest), ...counts.map(({ freeAt }) => freeAt)].filter(
    (at) => at !== null && at > nowMs,
  );
  return {
    attemptsLeft: Math.min(...counts.map(({ left }) => left)),
    notBefore: waits.length === 0 ? null : Math.max(...waits.map(Number)),
  };
}

/** Whether an attempt now would break the brand's rules. */
export function breaksRetryRules({ attemptsLeft, notBefore }: RetryStanding): boolean {
  return attemptsLeft === 0 || notBefore !== null;
}

/**
 * A refusal with what its brand's rules leave of the card; of what its acquirer said before, the stricter stays. "Never
 * again" of either has no wait.
 */
export function withRetries(reason: RefusedReason, standing: RetryStanding | null): RefusedReason {
  if (standing === null) return reason;
  const said = saidBefore(reason);
  const isOver = isNever(said) || isNever(standing);
  const attemptsLeft = extremeOf(Math.min, [said.attemptsLeft, standing.attemptsLeft]);
  const notBefore = isOver ? null : extremeOf(Math.max, [said.notBefore, standing.notBefore]);
  const { retryNotBefore: _before, ...rest } = reason;
  return {
    ...rest,
    retryable: reason.retryable && !isOver,
    ...(attemptsLeft === null ? {} : { attemptsLeft }),
    ...(notBefore === null ? {} : { retryNotBefore: new Date(notBefore).toISOString() }),
  };
}

function saidBefore({ attemptsLeft, retryNotBefore }: RefusedReason): RetryStanding {
  const notBefore = retryNotBefore === undefined ? null : Date.parse(retryNotBefore);
  return { attemptsLeft: attemptsLeft ?? null, notBefore };
}

function isNever({ attemptsLeft, notBefore }: RetryStanding): boolean {
  return attemptsLeft === 0 && notBefore === null;
}

/** The least or the most of the numbers that are there; null without any. */
function extremeOf(pick: typeof Math.min, values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : pick(...known);
}

function isFinal({ brand, code, advice, amount }: CardDecline, next: Cents): boolean {
  if (brand === "visa") return VISA_NEVER.has(code ?? "");
  return brand === "mastercard" && amount === next && MASTERCARD_NEVER.has(twoDigits(advice));
}

function waitOf({ brand, advice, at }: CardDecline): number | null {
  const wait = brand === "mastercard" ? MASTERCARD_WAITS[twoDigits(advice)] : undefined;
  return wait === undefined ? null : at + wait;
}

/** How many attempts a limit leaves, and when it leaves one again; `freeAt` null where it does now. */
function countOf(
  declines: readonly CardDecline[],
  { attempts, windowMs, sameAmount }: Limit,
  amount: Cents,
  nowMs: number,
): { left: number; freeAt: number | null } {
  const counted = declines.filter(
    (each) => each.at > nowMs - windowMs && (!sameAmount || each.amount === amount),
  );
  const inTheWay = counted[attempts - 1];
  return {
    left: Math.max(0, attempts - counted.length),
    freeAt: inTheWay === undefined ? null : inTheWay.at + windowMs,
  };
}

/** Stone writes 3, others 03. */
function twoDigits(advice: string | null): string {
  return (advice ?? "").padStart(2, "0");
}

function codes(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
