import type { Cents } from "../shared/money.ts";

/** A company's own settings for its withdraws. */
export interface WithdrawPolicy {
  /** Refuses a second withdraw of the same PIX key and amount within ten minutes unless confirmed. */
  duplicateGuard: boolean;
  /** Centavos per day (America/Sao_Paulo); null for no limit. */
  dailyLimit: Cents | null;
}

/** The time in which two equal withdraws count as duplicates. */
export const DUPLICATE_WINDOW_MS = 10 * 60_000;
