import type { Durations } from "../figures/durations.ts";

/** What a house takes of a call in a day. */
export interface DayQuota {
  /** Absent where its documents name none. */
  limit?: number;
  /** The house has said that it takes no more. */
  isUsedUp?: true;
}

/** A failed call. */
interface ProviderFault {
  call: string;
  fault: string;
  traceId: string | null;
  durationMs: number;
}

/** What one account's calls have done since the last time that it was recorded. */
export interface ProviderCalls {
  companyId: number;
  account: string;
  host: string;
  calls: number;
  faults: number;
  /** Orders to which the house said no. */
  refusals: number;
  /** Epoch milliseconds; null for none. */
  succeededAt: number | null;
  faultedAt: number | null;
  lastFault: ProviderFault | null;
  /** How long they took, failed ones too. */
  durations: Durations;
  /** How many of each name: houses limit the calls of a day by what is called. */
  endpoints: Record<string, number>;
  /** The quotas of those that have one, by name. */
  quotas: Record<string, DayQuota>;
}

/** The largest part of a quota that such counts are, in whole hundredths; 100 where the house takes no more. */
export function quotaShareOf(
  endpoints: ProviderCalls["endpoints"],
  quotas: ProviderCalls["quotas"],
): number {
  const shares = Object.entries(quotas).map(([name, { limit, isUsedUp = false }]) => {
    if (isUsedUp) return 100;
    return limit === undefined ? 0 : Math.floor(((endpoints[name] ?? 0) * 100) / limit);
  });
  return Math.max(0, ...shares);
}
