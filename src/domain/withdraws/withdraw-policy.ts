import type { Cents } from "../shared/money.ts";

/** What a company decided about its own withdraws (`product.md` section 5). */
export interface WithdrawPolicy {
  /** Refuse a withdraw of the same key and amount within ten minutes unless it is confirmed. */
  duplicateGuard: boolean;
  /** Centavos a day (America/Sao_Paulo); null for no limit. */
  dailyLimit: Cents | null;
}

/** How far back the guard looks. */
export const DUPLICATE_WINDOW_MS = 10 * 60_000;
