import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { callCompany } from "../../company/stub.ts";
import { balanceView } from "../../domain/balance.ts";
import { CURRENCY } from "../../domain/money.ts";
import { statementLineView } from "../../domain/statement.ts";
import { requireOwnCompany, requireScope } from "../../http/auth.ts";
import type { AppContext, AppEnv } from "../../http/context.ts";
import { jsonAnswer, problemResponses, SECURITY } from "../../http/openapi.ts";
import { notFound } from "../../http/problems.ts";
import { Balance, BalanceQuery, CompanyParam, Statement, StatementParams } from "./schemas.ts";

const TAGS = ["Balance"];

const balance = createRoute({
  method: "get",
  path: "/api/Balance/balance/{companyId}",
  summary: "Read the company's balance",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("balance:read")] as const,
  request: { params: CompanyParam, query: BalanceQuery },
  responses: {
    200: jsonAnswer("The balance, in reais", Balance),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

const statement = createRoute({
  method: "get",
  path: "/api/Balance/statement/{companyId}",
  summary: "Read the company's postings",
  description:
    "Oldest first, by cursor. `amount` is signed; `balance` is the account's after the posting; " +
    "both in centavos. The last line of each account equals its balance.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("balance:read")] as const,
  request: { params: CompanyParam, query: StatementParams },
  responses: {
    200: jsonAnswer("One page", Statement),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

export function balanceRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapi(balance, async (c) => {
    const { companyId } = c.req.valid("param");
    const { currency } = c.req.valid("query");
    requireOwnBalance(c, companyId, currency);
    const balances = await callCompany(c.env, companyId, (account) => account.balances(currency));
    return c.json(balanceView(companyId, currency, balances), 200);
  });

  app.openapi(statement, async (c) => {
    const { companyId } = c.req.valid("param");
    const { limit, ...query } = c.req.valid("query");
    requireOwnBalance(c, companyId, query.currency);
    const lines = await callCompany(c.env, companyId, (account) =>
      account.statement({
        currency: query.currency,
        after: query.after,
        limit: limit + 1,
        from: query.from ?? null,
        to: query.to ?? null,
      }),
    );
    const hasMore = lines.length > limit;
    const items = lines.slice(0, limit).map(statementLineView);
    const last = items.at(-1);
    return c.json(
      { items, after: last === undefined ? null : String(last.sequence), hasMore },
      200,
    );
  });
}

/** A company's balance exists from its beginning, in one currency. */
function requireOwnBalance(c: AppContext, companyId: number, currency: string): void {
  requireOwnCompany(c.get("caller").company, companyId);
  if (currency !== CURRENCY) throw notFound("balance");
}
