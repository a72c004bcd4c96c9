import type { Cents } from "../shared/money.ts";
import type { ApprovalStatus, WithdrawStatus } from "./withdraw-status.ts";

/** Filters of the company's withdraws. Centavos, epoch milliseconds. */
export interface WithdrawFilters {
  status?: WithdrawStatus | undefined;
  approval?: ApprovalStatus | undefined;
  /** The whole key. */
  pixKey?: string | undefined;
  amountFrom?: Cents | undefined;
  amountTo?: Cents | undefined;
  /** Of the request's time, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

/** A page of a search, newest first: below the withdraw `after`, or from the newest one. */
export interface WithdrawSearch extends WithdrawFilters {
  after: number | null;
  limit: number;
}
