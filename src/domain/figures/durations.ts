/** The upper bounds of the counted durations, in seconds. A call to a PSP is given up after six. */
const DURATION_BOUNDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2, 3, 5, 10] as const;
/** The name of the bucket beyond the last bound. */
const BEYOND = "+Inf";

/** Counted durations. A bucket is named by its upper bound in seconds, and counts what no smaller one does. */
export interface Durations {
  totalMs: number;
  buckets: Partial<Record<string, number>>;
}

export const NO_DURATIONS: Durations = { totalMs: 0, buckets: {} };

/** The bucket of a duration. */
export function bucketOf(durationMs: number): string {
  const bound = DURATION_BOUNDS.find((each) => durationMs <= each * 1_000);
  return bound === undefined ? BEYOND : String(bound);
}

/** Durations with one more. */
export function withDuration({ totalMs, buckets }: Durations, durationMs: number): Durations {
  const name = bucketOf(durationMs);
  return {
    totalMs: totalMs + durationMs,
    buckets: { ...buckets, [name]: (buckets[name] ?? 0) + 1 },
  };
}

/** What was counted since an earlier state of the same counters. */
export function durationsSince(now: Durations, before: Durations): Durations {
  const buckets = Object.entries(now.buckets).map(([name, count = 0]) => [
    name,
    Math.max(0, count - (before.buckets[name] ?? 0)),
  ]);
  return {
    totalMs: Math.max(0, now.totalMs - before.totalMs),
    buckets: Object.fromEntries(buckets),
  };
}

/** Every bucket, with how many durations are at most its bound: the last one counts all. */
export function cumulativeBuckets({ buckets }: Durations): { bound: string; count: number }[] {
  let count = 0;
  return [...DURATION_BOUNDS.map(String), BEYOND].map((bound) => {
    count += buckets[bound] ?? 0;
    return { bound, count };
  });
}

/** How many durations were counted. */
export function countOf(durations: Durations): number {
  return cumulativeBuckets(durations).at(-1)?.count ?? 0;
}

/**
 * The duration in seconds that a share (0 to 1) of the counted ones does not exceed, between the bounds in
 * proportion, as `histogram_quantile` of Prometheus reads them: beyond the last bound it is that bound. Null if
 * nothing was counted.
 */
export function quantileOf(durations: Durations, share: number): number | null {
  const rank = share * countOf(durations);
  let [lower, below] = [0, 0];
  for (const { bound, count } of cumulativeBuckets(durations)) {
    if (bound === BEYOND) break;
    const upper = Number(bound);
    if (count > below && count >= rank) {
      return lower + (upper - lower) * ((rank - below) / (count - below));
    }
    [lower, below] = [upper, count];
  }
  return countOf(durations) === 0 ? null : lower;
}
