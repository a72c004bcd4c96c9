import type { Durations } from "../figures/durations.ts";

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
}
