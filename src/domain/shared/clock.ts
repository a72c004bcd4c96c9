/** The platform's time, so that tests can set it: of sessions, credentials, leases, signatures, rate limits. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/**
 * A company's own time, which the tester of a sandbox company moves forward; else the platform's. All that happens to
 * its charges and its money is dated and becomes due by it.
 */
export interface CompanyClock extends Clock {
  /** How far it is ahead of the platform's, in milliseconds. */
  readonly offsetMs: number;
}

/** The time of the company whose clock is `clockOffsetMs` ahead. */
export function companyClock(
  platformClock: Clock,
  { clockOffsetMs }: { clockOffsetMs: number },
): CompanyClock {
  return { offsetMs: clockOffsetMs, now: () => platformClock.now() + clockOffsetMs };
}

/** The source of randomness, so that tests can repeat it. */
export interface RandomSource {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
}

export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom: RandomSource = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** ISO 8601 UTC with milliseconds and `Z`, the format of every time in the API. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** As `isoTime`; null for no time. */
export function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
