import type { FailureCode } from "./failure-reason.ts";
import type { ListStatus, PaymentMethod } from "./charge-status.ts";

/** Saved views that one person, or one application, has in a company. */
export const SAVED_VIEWS_MAX = 20;
/** Characters of a saved view's name. */
export const SAVED_VIEW_NAME_MAX = 60;

/** The filters of the console's list of payments, as they stand in its URL. */
export const PAYMENT_FILTER_NAMES = [
  "status",
  "paymentMethod",
  "failureCode",
  "from",
  "to",
  "paidFrom",
  "paidTo",
  "amountFrom",
  "amountTo",
  "externalRef",
  "endToEndId",
  "id",
] as const;

/** Filters whose values are names. */
interface NamedFilters {
  status: ListStatus;
  paymentMethod: PaymentMethod;
  failureCode: FailureCode;
}

/** Filters as typed: days as `YYYY-MM-DD` (America/Sao_Paulo), amounts in reais. None has a payer's data. */
export type PaymentFilters = {
  [Name in (typeof PAYMENT_FILTER_NAMES)[number]]?:
    | (Name extends keyof NamedFilters ? NamedFilters[Name] : string)
    | undefined;
};

/** Filters of the list of payments under a name. `createdAt`: Unix milliseconds. */
export interface SavedView {
  id: string;
  name: string;
  filters: PaymentFilters;
  createdAt: number;
}
