import { z, type RouteConfig } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { statementLineView } from "../../domain/ledger/statement.ts";
import { STATEMENT_CSV_HEADER } from "../../domain/ledger/statement-csv.ts";
import { requireOwnCompany, requireScope } from "../../http/auth/auth.ts";
import { documentBody } from "../../http/body.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { PAGE_SIZE_DEFAULT } from "../../http/fields/fields.ts";
import { CSV_TYPE, OFX_TYPE } from "../../http/negotiation.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../http/openapi/openapi.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { notFound } from "../../http/problems.ts";
import { statementCsv, statementOfx } from "./exports.ts";
import {
  Balance,
  BalanceQuery,
  OwnBalanceQuery,
  CompanyParam,
  Forecast,
  OFX_EXAMPLE,
  OwnBalance,
  Statement,
  StatementParams,
  StatementVerdict,
} from "./schemas.ts";
import { readBalance, readForecast, readOwnBalance, statementPage } from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { verifyStatementCsv } from "./verify.ts";

const route = routesOf("Balance");

const TAGS = ["Balance"];

const CSV = z.string().openapi({ example: STATEMENT_CSV_HEADER });

const balance = route.get("/api/Balance/balance/{companyId}", {
  operationId: "getBalance",
  summary: "Get the company's balance",
  guard: requireScope("balance:read"),
  params: CompanyParam,
  query: BalanceQuery,
  answers: { 200: jsonResponse("The balance, in reais", Balance) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const ownBalance = route.get("/api/v1/balance", {
  operationId: "getOwnBalance",
  summary: "Get the balance in centavos",
  description: "Of the company whose credentials these are.",
  guard: requireScope("balance:read"),
  query: OwnBalanceQuery,
  answers: { 200: jsonResponse("The balance, in centavos", OwnBalance) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const forecast = route.get("/api/Balance/forecast/{companyId}", {
  operationId: "getForecast",
  summary: "Forecast when credits become available",
  description: "Amounts that await release, by day (America/Sao_Paulo), in centavos.",
  guard: requireScope("balance:read"),
  params: CompanyParam,
  query: BalanceQuery,
  answers: { 200: jsonResponse("The forecast", Forecast) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const statement = route.get("/api/Balance/statement/{companyId}", {
  operationId: "getStatement",
  summary: "List the company's postings",
  description:
    "Oldest first, by cursor. `amount` is signed; `balance` is the account's after the posting; " +
    "both in centavos. The last line of each account equals its balance. `accounts=all` also shows the " +
    "provider's side, so that each movement sums to zero. `Accept: text/csv` returns CSV: all lines after " +
    "`after`, or `limit` of them. `Accept: application/x-ofx` returns those of `available` as OFX 2, for " +
    "accounting programs.",
  guard: requireScope("balance:read"),
  params: CompanyParam,
  query: StatementParams,
  answers: {
    200: {
      description: "One page, or the statement as CSV or OFX",
      content: {
        "application/json": { schema: Statement },
        [CSV_TYPE]: { schema: CSV },
        [OFX_TYPE]: { schema: z.string().openapi({ example: OFX_EXAMPLE }) },
      },
    },
  },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const verify = {
  method: "post",
  path: "/api/v1/statement/verify",
  operationId: "verifyStatement",
  summary: "Check a statement",
  description:
    "The CSV of a statement, exported with `accounts=all` from its first line, at most 512 KiB. Checks every running " +
    "balance, each movement's zero sum and accounts, the chain of hashes, that the last movement is the one in your " +
    "ledger, and the anchors stored so far; `notAnchored` counts the movements that no anchor covers. " +
    "Nothing of it is kept. `npm run verify-ledger` checks files of any size, without trusting the gateway.",
  tags: TAGS,
  security: SECURITY,
  request: { body: { required: true, content: { [CSV_TYPE]: { schema: CSV } } } },
  responses: {
    200: jsonResponse("The verdict", StatementVerdict),
    ...problemResponses("BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
  },
} satisfies RouteConfig;

export {
  balance as getBalance,
  ownBalance as getOwnBalance,
  forecast as getForecast,
  statement as getStatement,
  verify as verifyStatement,
};

export function balanceRoutes(app: Api): void {
  app.openapi(balance, async (c) => {
    const { companyId } = c.req.valid("param");
    const { currency } = c.req.valid("query");
    requireOwnBalance(c, companyId, currency);
    return c.json(await readBalance(c.env, companyId, currency), 200);
  });

  app.openapi(ownBalance, async (c) => {
    const { id } = c.get("caller").company;
    const { currency } = c.req.valid("query");
    requireOwnBalance(c, id, currency);
    return c.json({ data: await readOwnBalance(c.env, id, currency) }, 200);
  });

  app.openapi(forecast, async (c) => {
    const { companyId } = c.req.valid("param");
    const { currency } = c.req.valid("query");
    requireOwnBalance(c, companyId, currency);
    return c.json(await readForecast(c.env, companyId, currency), 200);
  });

  app.openapi(statement, async (c) => {
    const { companyId } = c.req.valid("param");
    const { currency, after, limit, from, to, accounts } = c.req.valid("query");
    requireOwnBalance(c, companyId, currency);
    const query = { currency, after, from: from ?? null, to: to ?? null, accounts };
    const exported = { ...query, limit: limit ?? Infinity };
    if (c.get("mediaType") === CSV_TYPE) {
      const csv = statementCsv(c.env, companyId, exported);
      return c.body(csv, 200, {
        "Content-Type": `${CSV_TYPE}; charset=utf-8; header=present`,
        "Content-Disposition": `attachment; filename="statement-${companyId}.csv"`,
      }) as never;
    }
    if (c.get("mediaType") === OFX_TYPE) {
      const ofx = statementOfx(c.env, companyId, exported, companyDeps(c).clock.now());
      return c.body(ofx, 200, {
        "Content-Type": `${OFX_TYPE}; charset=utf-8`,
        "Content-Disposition": `attachment; filename="statement-${companyId}.ofx"`,
      }) as never;
    }
    const { lines, hasMore } = await statementPage(c.env, companyId, {
      ...query,
      limit: limit ?? PAGE_SIZE_DEFAULT,
    });
    const items = lines.map(statementLineView);
    const last = items.at(-1);
    return c.json(
      { items, after: last === undefined ? null : String(last.sequence), hasMore },
      200,
    );
  });

  // Its body is no JSON, so no schema checks it.
  app.openAPIRegistry.registerPath(verify);
  app.post(verify.path, requireScope("balance:read"), documentBody, async (c) => {
    requireCsv(c);
    const csv = await c.req.text();
    return c.json(await verifyStatementCsv(c.env, c.get("caller").company.id, csv), 200);
  });
}

/** Throws 415 for anything but CSV. */
function requireCsv(c: AppContext): void {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type === CSV_TYPE) return;
  throw new Problem({
    code: "UNSUPPORTED_MEDIA_TYPE",
    detail: `The statement must be sent as Content-Type: ${CSV_TYPE}.`,
  });
}

/** Throws 403 for another company's balance, 404 for another currency. */
function requireOwnBalance(c: AppContext, companyId: number, currency: string): void {
  requireOwnCompany(c.get("caller").company, companyId);
  if (currency !== CURRENCY) throw notFound("balance");
}
