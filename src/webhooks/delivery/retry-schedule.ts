const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first, second, ... failed attempt: 11 attempts in about 64 h. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
  12 * HOUR,
  12 * HOUR,
  12 * HOUR,
];

const JITTER = 0.1;
const RETRY_AFTER_MAX_MS = 12 * HOUR;
/** The longest delay of a queue message (Cloudflare Queues). Longer ones are left to the sweep. */
const QUEUE_DELAY_MAX_SECONDS = 12 * 3_600;

/**
 * The delay after a number of failed attempts; null after the last. `random` from [0, 1) adds a jitter
 * of 10 % either way. The receiver's `Retry-After` may lengthen the delay, up to 12 h.
 */
export function retryDelayMs(
  failedAttempts: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/** The delay of a queue message in seconds; null if it exceeds the queue's limit. */
export function queueDelaySeconds(delayMs: number): number | null {
  const seconds = Math.ceil(delayMs / SECOND);
  return seconds <= QUEUE_DELAY_MAX_SECONDS ? seconds : null;
}

/** `Retry-After` (RFC 9110 section 10.2.3) in milliseconds from now; null if absent or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
