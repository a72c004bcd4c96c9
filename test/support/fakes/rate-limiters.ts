import type { Clock } from "../../../src/domain/shared/clock.ts";
import {
  RATE_LIMITS,
  type RateLimiters,
  type RateLimitPolicy,
} from "../../../src/http/rate-limits/policies.ts";

export interface CountingLimiters {
  /** The bindings, to spread over an environment. */
  bindings: Required<RateLimiters>;
  /** The key of each counted request, as `binding key`. */
  counted: string[];
  /** Counts so many requests of a key. */
  use: (policy: RateLimitPolicy, key: string, requests: number) => void;
}

/** Limiters with the numbers of wrangler.toml, in windows of a test's clock. */
export function countingLimiters(clock: Clock): CountingLimiters {
  const counts = new Map<string, number>();
  const counted: string[] = [];
  const windowOf = ({ binding, windowSeconds }: RateLimitPolicy, key: string) =>
    `${binding} ${key} ${Math.floor(clock.now() / (windowSeconds * 1_000))}`;
  const use = (policy: RateLimitPolicy, key: string, requests: number) => {
    const window = windowOf(policy, key);
    counts.set(window, (counts.get(window) ?? 0) + requests);
    return (counts.get(window) ?? 0) <= policy.quota;
  };
  const limiters = Object.values(RATE_LIMITS).map((policy) => [
    policy.binding,
    {
      limit: async ({ key }: { key: string }) => {
        counted.push(`${policy.binding} ${key}`);
        return { success: use(policy, key, 1) };
      },
    },
  ]);
  return { bindings: Object.fromEntries(limiters), counted, use };
}
