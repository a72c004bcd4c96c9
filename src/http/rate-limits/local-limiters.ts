import { MemoryStore } from "hono-rate-limiter";
import type { RateLimiter, RateLimitPolicy } from "./policies.ts";

const MS_PER_SECOND = 1_000;

/** Counters of this process, by binding. */
const stores = new Map<string, MemoryStore>();

/**
 * Counts in this process, for local development: wrangler's imitation of the platform's limiter writes to a disk
 * at each request. The first request makes the store, which may start its timer only then.
 */
export function localLimiter({ binding, quota, windowSeconds }: RateLimitPolicy): RateLimiter {
  const store = stores.get(binding) ?? startStore(windowSeconds);
  stores.set(binding, store);
  return {
    limit: ({ key }) => Promise.resolve({ success: store.increment(key).totalHits <= quota }),
  };
}

function startStore(windowSeconds: number): MemoryStore {
  const store = new MemoryStore();
  // The store reads no other option.
  store.init({ windowMs: windowSeconds * MS_PER_SECOND } as Parameters<MemoryStore["init"]>[0]);
  return store;
}
