/**
 * The delivery faults that a sandbox company asks for, to test its own handler. `duplicate`, `reorder` and
 * `drop` are probabilities from 0 to 1.
 */
export interface WebhookChaos {
  seed: number;
  /** Delivered a second time with the same `webhook-id`. */
  duplicate: number;
  /** Followed by the object's previous event again: an old state after a newer one. */
  reorder: number;
  /** Not sent; the attempt counts as failed. */
  drop: number;
  /** The longest wait before an event's first attempt, in seconds; the actual wait is random. */
  delay: number;
  /** The company's newest event when the chaos was set. Faults start with the next event. */
  after: number;
}

/** The faults of one delivery attempt. */
export interface ChaosPlan {
  drop: boolean;
  duplicate: boolean;
  reorder: boolean;
  /** The wait between the event and its first attempt. Milliseconds. */
  delayMs: number;
  /** From [0, 1), in place of a random number. */
  jitter: number;
}

/**
 * The faults of attempt `attempt` (from 1) of a company's event; null for events from before the chaos was
 * set. Depends only on the seed and on the event's position after that moment, so a merchant's test gets
 * the same faults in each run.
 */
export function chaosPlan(
  chaos: WebhookChaos,
  companySequence: number,
  attempt: number,
): ChaosPlan | null {
  const position = companySequence - chaos.after;
  if (position <= 0) return null;
  const draw = (salt: number, about: number) =>
    hashToUnitInterval([chaos.seed, position, about, salt]);
  return {
    drop: draw(1, attempt) < chaos.drop,
    duplicate: draw(2, attempt) < chaos.duplicate,
    reorder: draw(3, attempt) < chaos.reorder,
    delayMs: Math.round(draw(4, 0) * chaos.delay * 1_000),
    jitter: draw(5, attempt),
  };
}

/** A pseudo-random number in [0, 1): MurmurHash3's finalizer over 32-bit words. */
function hashToUnitInterval(words: number[]): number {
  let hash = 0;
  for (const word of words) {
    hash = Math.imul(hash, 5) + 0xe6546b64 + word;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}
