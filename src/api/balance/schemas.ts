import { z } from "@hono/zod-openapi";
import { ACCOUNTS } from "../../domain/ledger.ts";
import { cursor, lastMoment, moment, pageLimit } from "../../http/fields.ts";

/** ISO 4217, as the contract writes it. */
const CURRENCY_CODE = /^[A-Z]{3}$/;
const COMPANY_ID = /^-?\d+$/;

export const Balance = z
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

export const CompanyParam = z.object({
  companyId: z
    .string()
    .regex(COMPANY_ID, "must be an integer")
    .transform(Number)
    .openapi({ type: "integer", example: 1 }),
});

export const BalanceQuery = z.object({
  currency: z
    .string({ error: "is required" })
    .regex(CURRENCY_CODE, "must be a three-letter currency code")
    .openapi({ example: "BRL" }),
});

export const StatementParams = BalanceQuery.extend({
  from: moment.optional(),
  to: lastMoment.optional(),
  after: cursor.default(0),
  limit: pageLimit,
});

export const Statement = z
  .object({
    items: z.array(
      z.object({
        sequence: z.int(),
        createdAt: z.string().openapi({ format: "date-time" }),
        type: z.string().openapi({ example: "charge_paid" }),
        account: z.enum(ACCOUNTS).exclude(["provider"]),
        amount: z.int().openapi({ description: "centavos, signed" }),
        balance: z.int().openapi({ description: "centavos, of this account after this posting" }),
        transactionId: z.string().nullable(),
        withdrawId: z.int().nullable(),
        hash: z
          .string()
          .openapi({ description: "Of the movement, over itself and the one before" }),
      }),
    ),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Statement");
