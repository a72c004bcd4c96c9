/** Where a decision's time and randomness come from, so that tests and the sandbox can turn the clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export interface RandomSource {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
}

export const systemClock: Clock = { now: () => Date.now() };

export const systemRandom: RandomSource = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** ISO 8601 UTC with milliseconds and `Z`, the one form times leave this service in. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
