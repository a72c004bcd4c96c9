/**
 * How a sandbox company wants its webhooks mistreated, so that its own tests can prove its handler.
 * Each share is a probability from 0 to 1.
 */
export interface WebhookChaos {
  seed: number;
  /** Sent again after it was delivered, under the same `webhook-id`. */
  duplicate: number;
  /** Followed by the object's previous event once more: an old state after a newer one. */
  reorder: number;
  /** Attempts that are not sent and count as failed. */
  drop: number;
  /** The longest wait before the first attempt, in seconds; each event's is drawn up to it. */
  delay: number;
  /** The company's newest event when the chaos was set: the run counts from the next one. */
  after: number;
}

/** What happens to one attempt of one event. */
export interface ChaosPlan {
  drop: boolean;
  duplicate: boolean;
  reorder: boolean;
  /** How long after it happened the event is held back at first. Milliseconds. */
  delayMs: number;
  /** From [0, 1), in place of chance. */
  jitter: number;
}

/**
 * What a seed has in store for an attempt, from 1, of a company's event; null for events from before
 * the chaos was set. It hangs on nothing but the seed and the event's place in the run, so that the
 * same calls of a merchant's test meet the same run each time.
 */
export function chaosPlan(
  chaos: WebhookChaos,
  companySequence: number,
  attempt: number,
): ChaosPlan | null {
  const place = companySequence - chaos.after;
  if (place <= 0) return null;
  const draw = (salt: number, about: number) =>
    hashToUnitInterval([chaos.seed, place, about, salt]);
  return {
    drop: draw(1, attempt) < chaos.drop,
    duplicate: draw(2, attempt) < chaos.duplicate,
    reorder: draw(3, attempt) < chaos.reorder,
    delayMs: Math.round(draw(4, 0) * chaos.delay * 1_000),
    jitter: draw(5, attempt),
  };
}

/** A number of [0, 1) that looks like chance: MurmurHash3's finalizer over 32-bit words. */
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
