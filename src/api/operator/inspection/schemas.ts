import { z } from "@hono/zod-openapi";
import { EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const InspectQuery = z
  .object({
    transactionId: z
      .uuid({ error: breaks("transactionId") })
      .toLowerCase()
      .optional(),
    withdrawId: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, breaks("withdrawNumber"))
      .transform(Number)
      .optional()
      .openapi({ type: "integer", example: 7 }),
  })
  .refine(
    ({ transactionId, withdrawId }) => transactionId === undefined || withdrawId === undefined,
    {
      error: breaks("oneId"),
      path: ["withdrawId"],
    },
  );

const Rows = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));

export const InspectionSchema = z
  .object({
    companyId: z.int(),
    database: Rows.openapi({ description: "D1's rows by table." }),
    object: Rows.openapi({ description: "The rows of the company's object by table." }),
    differences: z
      .array(z.object({ field: z.string(), here: z.unknown(), there: z.unknown() }))
      .openapi({
        description: "Fields in which D1 (`here`) differs from the object (`there`).",
      }),
  })
  .openapi("Inspection", {
    example: {
      companyId: 1,
      database: { transactions: [{ id: EXAMPLE_TRANSACTION.id, status: "paid", version: 1 }] },
      object: { charges: [{ transaction_id: EXAMPLE_TRANSACTION.id, status: "paid", version: 1 }] },
      differences: [],
    },
  });
