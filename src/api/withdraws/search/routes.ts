import { z } from "@hono/zod-openapi";
import { visibleWithdraw } from "../../../domain/access/payer-masks.ts";
import { withdrawView } from "../../../domain/withdraws/withdraw.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import type { AppContext } from "../../../http/context.ts";
import { csvResponse, prefersPortuguese } from "../../../http/csv.ts";
import { PAGE_SIZE_DEFAULT } from "../../../http/fields/fields.ts";
import { CSV_TYPE } from "../../../http/negotiation.ts";
import { withdrawsCsv, WITHDRAWS_CSV_HEADER } from "./csv.ts";
import {
  WithdrawSearchBody,
  WithdrawSearchPage,
  WithdrawSearchQuery,
  type WithdrawSearchRequest,
} from "./schemas.ts";
import { allowedFilters, searchWithdraws } from "./service.ts";
import type { RouteBody } from "../../../http/openapi/route-types.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Withdraws");
/** Withdraws that one read of an export asks the object for. */
const EXPORT_PAGE = 400;

const FOUND = {
  description: "One page, or the whole result as CSV",
  content: {
    "application/json": { schema: WithdrawSearchPage },
    [CSV_TYPE]: { schema: z.string().openapi({ example: WITHDRAWS_CSV_HEADER }) },
  },
};

const search = route.get("/api/v1/withdraws", {
  operationId: "searchWithdraws",
  summary: "Search the company's withdraws",
  description:
    "Newest first, by cursor and without totals. `amountFrom` and `amountTo` in centavos. A call reads a bounded " +
    "number of withdraws, so a page may be short while `hasMore` is true. `Accept: text/csv` returns all of the " +
    "result, or `limit` rows of it, in centavos; with `Accept-Language: pt` for Brazilian spreadsheets: Portuguese " +
    "words, semicolons, reais, times of São Paulo.",
  guard: requireScope("withdraws:read"),
  query: WithdrawSearchQuery,
  answers: { 200: FOUND },
  problems: ["VALIDATION_FAILED"],
});

const searchByBody = route.post("/api/v1/withdraws/search", {
  operationId: "searchWithdrawsByBody",
  summary: "Search the company's withdraws by filters in a body",
  description:
    "The search of `GET /api/v1/withdraws`, for a PIX key that should stand in no address. It changes nothing.",
  guard: requireScope("withdraws:read"),
  body: jsonBody(WithdrawSearchBody),
  answers: { 200: FOUND },
});

export { search as searchWithdraws };

/** The search of our own beside the contract-shaped list. */
export function withdrawSearchRoutes(app: Api): void {
  app.openapi(search, (c) => found(c, c.req.valid("query")));
  app.openapi(searchByBody, (c) => found(c, c.req.valid("json")));
}

/** A page as JSON, or the whole result as CSV, as the caller may see it. */
async function found(c: AppContext, request: WithdrawSearchRequest): Promise<Response> {
  const { company, scopes } = c.get("caller");
  const { limit, after: start = null, ...filters } = allowedFilters(c.get("caller"), request);
  const pageOf = async (after: number | null, size: number) => {
    const page = await searchWithdraws(c.env, company.id, { ...filters, after, limit: size });
    return { ...page, items: page.items.map((withdraw) => visibleWithdraw(scopes, withdraw)) };
  };
  if (c.get("mediaType") === CSV_TYPE) {
    const csv = withdrawsCsv({ isPortuguese: prefersPortuguese(c) });
    const file = { filename: "withdraws", header: csv.header, limit };
    return csvResponse<number | null>(c, file, start, async (from) => {
      const { items, after } = await pageOf(from, EXPORT_PAGE);
      return { lines: items.map(csv.line), after };
    });
  }
  const { items, after } = await pageOf(start, limit ?? PAGE_SIZE_DEFAULT);
  const page: RouteBody<typeof search> = {
    items: items.map(withdrawView),
    after: after === null ? null : String(after),
    hasMore: after !== null,
  };
  return c.json(page, 200);
}
