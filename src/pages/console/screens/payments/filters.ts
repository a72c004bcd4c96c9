import { LIST_STATUSES, PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { PAYMENT_FILTER_NAMES } from "../../../../domain/charges/saved-view.ts";
import { centsOf, dayRange } from "../../format.ts";

/** The filters of the list, as they stand in its URL; amounts as typed, in reais. */
export type Filters = Partial<Record<(typeof PAYMENT_FILTER_NAMES)[number], string>>;

/** The filters of a URL or a form; empty ones and unknown words are left out. */
export function filtersOf(fields: Record<string, string | undefined>): Filters {
  const typed = PAYMENT_FILTER_NAMES.flatMap((name) => {
    const value = fields[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const filters: Filters = Object.fromEntries(typed);
  if (!LIST_STATUSES.some((word) => word === filters.status)) delete filters.status;
  if (!PAYMENT_METHODS.some((word) => word === filters.paymentMethod)) delete filters.paymentMethod;
  return filters;
}

/** The filters as the API takes them in a query or a body: days of America/Sao_Paulo, amounts in centavos. */
export function apiFilters({
  amountFrom,
  amountTo,
  id,
  from,
  to,
  ...same
}: Filters): Record<string, string> {
  return {
    ...same,
    ...dayRange({ from, to }),
    ...inCents("amountFrom", amountFrom),
    ...inCents("amountTo", amountTo),
    ...(id === undefined ? {} : { ids: id }),
  };
}

/** A text that is no amount goes to the API as it is, which says what is wrong with it. */
function inCents(name: string, typed: string | undefined): Record<string, string> {
  return typed === undefined ? {} : { [name]: String(centsOf(typed) ?? typed) };
}

/** The query string of filters. */
export function queryOf(filters: Record<string, string>): string {
  return new URLSearchParams(filters).toString();
}
