import { z } from "@hono/zod-openapi";
import { text, TEXT_MAX } from "../../../http/fields/fields.ts";

export const ForkCompany = z
  .object({
    reason: text(TEXT_MAX).optional().openapi({ description: "For the audit trail." }),
  })
  .openapi("ForkCompanyInput", { example: { reason: "A wrong balance is reported." } });

export const ForkedCompany = z
  .object({
    data: z.object({
      companyId: z.int().openapi({ description: "The sandbox copy." }),
      clientId: z.string(),
      key: z
        .string()
        .nullable()
        .openapi({ description: "Shown once; null when the request is repeated." }),
    }),
  })
  .openapi("ForkedCompany", {
    example: {
      data: {
        companyId: 18,
        clientId: "app_5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42",
        key: "sk_test_mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
      },
    },
  });
