import { z } from "@hono/zod-openapi";
import { toTransactionRecord } from "../../../db/projection/transaction-mapper.ts";
import { issuerOf } from "../../../config.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { companyDeps, type AppContext } from "../../../http/context.ts";
import { csvResponse, prefersPortuguese } from "../../../http/csv.ts";
import { CSV_TYPE } from "../../../http/negotiation.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { currentView, listItemView } from "../../../methods/transaction-view.ts";
import { attemptsOfCharges } from "../../subscriptions/repository.ts";
import { currentRecord, requireTransaction } from "../service.ts";
import { transactionsCsv, TRANSACTIONS_CSV_HEADER } from "./csv.ts";
import {
  CurrentTransaction,
  SearchBody,
  SearchQuery,
  TransactionSearch,
  type SearchRequest,
} from "./schemas.ts";
import { allowedSearch, cursorText, searchPage } from "./service.ts";
import type { RouteBody } from "../../../http/openapi/route-types.ts";
import { mounted, routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Transactions");

/** Rows that one read of an export asks for: a few megabytes of the widest ones. */
const EXPORT_PAGE = 400;

const find = route.get("/api/v1/transactions/{id}", {
  operationId: "getTransaction",
  summary: "Get a transaction as it is now",
  description:
    "The creation answer with all that has happened since, and with the customer, shipping and items of the " +
    "request. Amounts in centavos.",
  // An id has a digit or a hyphen, so that GET .../create gets a 405.
  mountedAs: "/api/v1/transactions/:id{[^/]*[0-9-][^/]*}",
  guard: requireScope("transactions:read"),
  params: z.object({ id: z.string() }),
  answers: { 200: jsonResponse("The transaction", CurrentTransaction) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const FOUND = {
  description: "One page, or the whole result as CSV",
  content: {
    "application/json": { schema: TransactionSearch },
    [CSV_TYPE]: { schema: z.string().openapi({ example: TRANSACTIONS_CSV_HEADER }) },
  },
};

const search = route.get("/api/v1/transactions", {
  operationId: "searchTransactions",
  summary: "Search the company's transactions",
  description:
    "Newest first, by cursor and without totals; with `paidFrom` or `paidTo` by time of payment, unless a " +
    "reference, an id or a document leads. A call reads a bounded number of rows, so a page may be short while " +
    "`hasMore` is true. `Accept: text/csv` returns all of the result, or `limit` rows of it; with `Accept-Language: pt` for Brazilian " +
    "spreadsheets: Portuguese words, semicolons, reais, times of São Paulo.",
  guard: requireScope("transactions:read"),
  query: SearchQuery,
  answers: { 200: FOUND },
  problems: ["VALIDATION_FAILED"],
});

const searchByBody = route.post("/api/v1/transactions/search", {
  operationId: "searchTransactionsByBody",
  summary: "Search the company's transactions by filters in a body",
  description:
    "The search of `GET /api/v1/transactions`, for filters that should stand in no address, such as a document. " +
    "It changes nothing.",
  guard: requireScope("transactions:read"),
  body: jsonBody(SearchBody),
  answers: { 200: FOUND },
});

export {
  find as getTransaction,
  search as searchTransactions,
  searchByBody as searchTransactionsByBody,
};

/** Reads of our own beside the contract's list and detail. */
export function transactionReadRoutes(app: Api): void {
  app.openapi(search, (c) => found(c, c.req.valid("query")));
  app.openapi(searchByBody, (c) => found(c, c.req.valid("json")));
  app.openapi(mounted(app, find), async (c) => {
    const { company } = c.get("caller");
    const row = await requireTransaction(c.env, company, c.req.valid("param").id);
    const record = currentRecord(c, toTransactionRecord(row));
    const attempts = await attemptsOfCharges(c.env, company.id, [row]);
    const data = { ...currentView(record, issuerOf(c.env, company), row), ...attempts.get(row.id) };
    return c.json({ data }, 200);
  });
}

/** A page as JSON, or the whole result as CSV. */
async function found(c: AppContext, request: SearchRequest): Promise<Response> {
  const { clock } = companyDeps(c);
  const allowed = await allowedSearch(c.env, c.get("caller"), request);
  const pageOf = (search_: typeof allowed) =>
    searchPage(c.env, c.get("caller"), search_, clock.now());
  if (c.get("mediaType") === CSV_TYPE) {
    const { limit, after: start, ...filters } = allowed;
    const csv = transactionsCsv({ isPortuguese: prefersPortuguese(c) });
    const file = { filename: "transactions", header: csv.header, limit };
    return csvResponse(c, file, start, async (after) => {
      const page = await pageOf({ ...filters, after, limit: EXPORT_PAGE });
      const lines = page.rows.map((row) => csv.line(currentRecord(c, row)));
      return { lines, after: page.after };
    });
  }
  const { rows, after } = await pageOf(allowed);
  const page: RouteBody<typeof search> = {
    items: rows.map((row) => listItemView(currentRecord(c, row))),
    after: after === null ? null : cursorText(after),
    hasMore: after !== null,
  };
  return c.json(page, 200);
}
