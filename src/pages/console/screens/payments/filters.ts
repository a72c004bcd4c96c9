import type { listSavedViews } from "../../../../api/saved-views/routes.ts";
import type { searchTransactions } from "../../../../api/transactions/read/routes.ts";
import { LIST_STATUSES, PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FAILURE_CODES } from "../../../../domain/charges/failure-reason.ts";
import { PAYMENT_FILTER_NAMES } from "../../../../domain/charges/saved-view.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { dayRange } from "../../format.ts";
import { asTyped } from "../../form.ts";
import type { QueryOf, RouteBody, TypedText } from "../../../../http/openapi/route-types.ts";

/** The filters of the list, as they stand in its URL; amounts as typed, in reais. */
export type Filters = RouteBody<typeof listSavedViews>["items"][number]["filters"];

/** The filters of a URL or a form; empty ones and unknown words are left out. */
export function filtersOf(fields: Record<string, string | undefined>): Filters {
  const found = PAYMENT_FILTER_NAMES.flatMap((name) => {
    const value = fields[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const { status, paymentMethod, failureCode, ...texts }: Partial<Record<keyof Filters, string>> =
    Object.fromEntries(found);
  const knownStatus = LIST_STATUSES.find((word) => word === status);
  const knownMethod = PAYMENT_METHODS.find((word) => word === paymentMethod);
  const knownCode = FAILURE_CODES.find((word) => word === failureCode);
  return {
    ...(knownCode === undefined ? {} : { failureCode: knownCode }),
    ...(knownStatus === undefined ? {} : { status: knownStatus }),
    ...(knownMethod === undefined ? {} : { paymentMethod: knownMethod }),
    ...texts,
  };
}

/** The filters as the API takes them in a query: days of America/Sao_Paulo, amounts in centavos. */
export function apiFilters(filters: Filters): QueryOf<typeof searchTransactions> {
  const { status, paymentMethod, failureCode, externalRef, endToEndId, id, from, to } = filters;
  const paid = dayRange({ from: filters.paidFrom, to: filters.paidTo });
  return {
    status,
    paymentMethod,
    failureCode,
    externalRef,
    endToEndId,
    ...dayRange({ from, to }),
    paidFrom: paid.from,
    paidTo: paid.to,
    amountFrom: inCents(filters.amountFrom),
    amountTo: inCents(filters.amountTo),
    ids: id,
  };
}

/** A text that is no amount goes to the API as it is, which says what is wrong with it. */
function inCents(amount: string | undefined): number | TypedText | undefined {
  return amount === undefined ? undefined : (parseReais(amount) ?? asTyped(amount));
}

/** The query string of filters. */
export function queryOf(filters: Filters & { after?: string | undefined; fragment?: "1" }): string {
  const pairs = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(pairs).toString();
}
