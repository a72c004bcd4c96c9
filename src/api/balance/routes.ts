import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { callCompany } from "../../company/stub.ts";
import { balanceView } from "../../domain/balance.ts";
import { CURRENCY } from "../../domain/money.ts";
import { requireOwnCompany, requireScope } from "../../http/auth.ts";
import type { AppEnv } from "../../http/context.ts";
import { jsonAnswer, problemResponses, SECURITY } from "../../http/openapi.ts";
import { notFound } from "../../http/problems.ts";

/** ISO 4217, as the contract writes it. */
const CURRENCY_CODE = /^[A-Z]{3}$/;
const COMPANY_ID = /^\d{1,15}$/;

const Balance = z
  .object({
    id: z.int(),
    companyId: z.int().openapi({ example: 1 }),
    currency: z.string().openapi({ example: "BRL" }),
    enBalanceStatus: z.enum(["Released", "Pending", "Blocked"]),
    accBalance: z.number().openapi({ example: 150.25, description: "reais, may be withdrawn" }),
    accBalanceCredit: z
      .number()
      .openapi({ example: 150.25, description: "reais: available, awaiting and blocked" }),
    accBalanceCreditAwaiting: z
      .number()
      .openapi({ example: 0, description: "reais, awaiting release" }),
  })
  .openapi("Balance");

const balance = createRoute({
  method: "get",
  path: "/api/Balance/balance/{companyId}",
  summary: "Read the company's balance",
  tags: ["Balance"],
  security: SECURITY,
  middleware: [requireScope("balance:read")] as const,
  request: {
    params: z.object({
      companyId: z
        .string()
        .regex(COMPANY_ID, "must be an integer")
        .transform(Number)
        .openapi({ type: "integer", example: 1 }),
    }),
    query: z.object({
      currency: z
        .string({ error: "is required" })
        .regex(CURRENCY_CODE, "must be a three-letter currency code")
        .openapi({ example: "BRL" }),
    }),
  },
  responses: {
    200: jsonAnswer("The balance, in reais", Balance),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

export function balanceRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapi(balance, async (c) => {
    const { companyId } = c.req.valid("param");
    const { currency } = c.req.valid("query");
    requireOwnCompany(c.get("caller").company, companyId);
    if (currency !== CURRENCY) throw notFound("balance");
    const balances = await callCompany(c.env, companyId, (account) => account.balances(currency));
    return c.json(balanceView(companyId, currency, balances), 200);
  });
}
