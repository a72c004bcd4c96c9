import { z } from "@hono/zod-openapi";
import { LIST_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { checkoutView } from "../../methods/transaction-view.ts";
import { EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import { failureFields, paidFields } from "../../http/fields/transaction-fields.ts";

export const CheckoutStatus = z
  .object({
    id: z.string().openapi({ format: "uuid" }),
    status: z.enum(LIST_STATUSES).openapi("ListedStatus"),
    ...failureFields,
    paymentMethod: z.enum(PAYMENT_METHODS).openapi("PaymentMethod"),
    amount: z.int().openapi({ example: 2500, description: "centavos" }),
    ...paidFields,
    currency: z.string().openapi({ example: "BRL" }),
    paidAt: z.string().nullable(),
    expiresAt: z.string().nullable(),
    pollAfterMs: z.int().openapi({ example: 3000 }),
  })
  .openapi("CheckoutStatus", { example: checkoutView(EXAMPLE_TRANSACTION) });
