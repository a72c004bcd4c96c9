import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { asAnswered, toTransactionRecord } from "../../db/transaction-mapper.ts";
import { creationView, detailView, listItemView } from "../../domain/transaction-view.ts";
import { requireScope } from "../../http/auth.ts";
import { jsonBody } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { pageEnvelope, PageQuery, pageWindow } from "../../http/fields.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import {
  idempotencyKeyHeader,
  jsonAnswer,
  problemResponses,
  SECURITY,
} from "../../http/openapi.ts";
import { problemResponse } from "../../http/problems.ts";
import { webhookUrlField } from "../../http/webhook-url.ts";
import { createTransaction } from "./create.ts";
import { listTransactions } from "./repository.ts";
import {
  CreateTransaction,
  SearchQuery,
  TransactionDetail,
  TransactionEnvelope,
  TransactionPage,
  TransactionSearch,
} from "./schemas.ts";
import { searchTransactions } from "./search.ts";
import { requireTransaction } from "./service.ts";

const TAGS = ["Transactions"];

const create = createRoute({
  method: "post",
  path: "/api/v1/transactions/create",
  summary: "Create a transaction",
  description: "Charges a payer. Amounts in centavos. PIX answers with a BR Code.",
  tags: TAGS,
  security: SECURITY,
  middleware: [
    requireScope("transactions:write"),
    jsonBody,
    optionalIdempotencyKey,
    webhookUrlField("postbackUrl"),
  ] as const,
  request: {
    headers: idempotencyKeyHeader(false, "tx_01JD8ZC3"),
    body: { required: true, content: { "application/json": { schema: CreateTransaction } } },
  },
  responses: {
    200: jsonAnswer("The transaction", TransactionEnvelope, {
      [REPLAYED_HEADER]: {
        schema: { type: "string" },
        description: "`true` where this is the answer of an earlier request with the same key.",
      },
    }),
    ...problemResponses(
      "VALIDATION_FAILED",
      "MALFORMED_JSON",
      "IDEMPOTENCY_KEY_INVALID",
      "IDEMPOTENCY_KEY_REUSED",
      "IDEMPOTENCY_IN_PROGRESS",
      "BODY_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      "INSTALLMENTS_NOT_ALLOWED",
      "PROVIDER_NOT_CONFIGURED",
      "RAW_CARD_NOT_ALLOWED",
      "CHARGE_REFUSED",
      "PROVIDER_UNAVAILABLE",
    ),
  },
});

const detail = createRoute({
  method: "get",
  path: "/api/Transaction/transactionByTransactionId/{transactionId}",
  summary: "Get a transaction by its id",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { params: z.object({ transactionId: z.string() }) },
  responses: {
    200: jsonAnswer("The transaction", TransactionDetail),
    ...problemResponses("NOT_FOUND"),
  },
});

const list = createRoute({
  method: "get",
  path: "/api/Transaction/company/transactions",
  summary: "List the company's transactions",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { query: PageQuery },
  responses: {
    200: jsonAnswer("One page, with totals", TransactionPage),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

const search = createRoute({
  method: "get",
  path: "/api/v1/transactions",
  summary: "Search the company's transactions",
  description:
    "Newest first, by cursor and without totals. A call reads a bounded number of rows, so a page " +
    "may be short while `hasMore` is true.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { query: SearchQuery },
  responses: {
    200: jsonAnswer("One page", TransactionSearch),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

export function transactionRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapi(create, async (c) => {
    const caller = c.get("caller");
    const result = await createTransaction({
      env: c.env,
      deps: c.get("deps"),
      company: caller.company,
      request: c.req.valid("json"),
      idempotencyKey: c.get("idempotencyKey"),
      traceId: c.get("traceId"),
    });
    if (result.replayed) c.header(REPLAYED_HEADER, "true");
    const { failure } = result.row;
    if (failure !== null) return problemResponse(c, failure.problem, failure.traceId) as never;
    const data = creationView(asAnswered(result.row), caller.company.providerCompanyId);
    return c.json({ data, status: 200, message: "Transaction created." }, 200);
  });

  app.openapi(detail, async (c) => {
    const { transactionId } = c.req.valid("param");
    const row = await requireTransaction(c.env, c.get("caller").company, transactionId);
    return c.json(detailView(toTransactionRecord(row)), 200);
  });

  app.openapi(list, async (c) => {
    const page = c.req.valid("query");
    const { rows, total } = await listTransactions(
      c.env,
      c.get("caller").company.id,
      pageWindow(page),
    );
    const items = rows.map((row) => listItemView(toTransactionRecord(row)));
    return c.json(pageEnvelope(items, total, page), 200);
  });

  app.openapi(search, async (c) => {
    const { rows, after } = await searchTransactions(
      c.env,
      c.get("caller").company.id,
      c.req.valid("query"),
    );
    const items = rows.map((row) => listItemView(toTransactionRecord(row)));
    return c.json(
      { items, after: after === null ? null : String(after), hasMore: after !== null },
      200,
    );
  });
}
