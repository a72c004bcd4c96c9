import type { Call } from "../../builders/requests/api.ts";
import type { TestCompany } from "../../builders/companies/env.ts";

interface ReadRoute {
  path: (company: TestCompany, transactionId: string) => string;
  options?: Call;
  /** Sequential storage round trips, if they differ from the default. */
  roundTrips?: { cold: number; warm: number };
}

/** One read of each kind, for a company with a transaction and a balance. */
export const READ_ROUTES: Record<string, ReadRoute> = {
  "a transaction": { path: (_, id) => `/api/Transaction/transactionByTransactionId/${id}` },
  "its head": {
    path: (_, id) => `/api/Transaction/transactionByTransactionId/${id}`,
    options: { method: "HEAD" },
  },
  "the list": { path: () => "/api/Transaction/company/transactions" },
  "the search": { path: () => "/api/v1/transactions" },
  "the balance": { path: ({ id }) => `/api/Balance/balance/${id}?currency=BRL` },
  "the forecast": { path: ({ id }) => `/api/Balance/forecast/${id}?currency=BRL` },
  "the statement": { path: ({ id }) => `/api/Balance/statement/${id}?currency=BRL` },
  "the statement as CSV": {
    path: ({ id }) => `/api/Balance/statement/${id}?currency=BRL`,
    options: { headers: { Accept: "text/csv" } },
    // The export is read page by page while it is sent, and nothing is sent before
    // authentication.
    roundTrips: { cold: 2, warm: 2 },
  },
  "the static codes": { path: () => "/api/v1/pix/static-codes" },
  "the statement as OFX": {
    path: ({ id }) => `/api/Balance/statement/${id}?currency=BRL`,
    options: { headers: { Accept: "application/x-ofx" } },
  },
  "the daily report": { path: () => "/api/v1/reports/daily" },
  "the report of conversion": { path: () => "/api/v1/reports/conversion" },
  "the rehearsal": { path: () => "/api/v1/reports/rehearsal" },
  "the fees": { path: () => "/api/v1/reports/fees" },
  "the recovered debits": { path: () => "/api/v1/reports/subscriptions" },
  "the backtest of retries": { path: () => "/api/v1/reports/subscriptions/backtest?retry=1,3" },
  "the differences of fees": { path: () => "/api/v1/reports/fees/differences" },
  "the withdraws": { path: () => "/api/Withdraw/company/withdraws" },
  "the events": { path: () => "/api/v1/events" },
  "the endpoints": { path: () => "/api/v1/webhooks/endpoints" },
  "the endpoint": { path: () => "/api/v1/webhooks/endpoint" },
  // Authentication has already read them.
  "the settings": { path: () => "/api/v1/company/settings", roundTrips: { cold: 1, warm: 1 } },
};
