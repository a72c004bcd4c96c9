/** The source of time, so that tests can set the clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
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
