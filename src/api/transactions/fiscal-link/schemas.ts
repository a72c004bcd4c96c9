import { z } from "@hono/zod-openapi";
import { FISCAL_KEY_RULE, isFiscalKey } from "../../../domain/charges/fiscal-key.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** The access key of an NF-e, for the API reference. */
const EXAMPLE_FISCAL_KEY = "35261112345678000195550010000001231000001235";

/** The access key of a fiscal document. */
export const fiscalKeyField = z
  .string({ error: ({ input }) => (input === undefined ? breaks("required") : breaks("string")) })
  .refine(isFiscalKey, FISCAL_KEY_RULE)
  .openapi({
    minLength: 44,
    maxLength: 44,
    example: EXAMPLE_FISCAL_KEY,
    description: "The access key of the sale's fiscal document (DF-e: NF-e, NFC-e, CT-e ...).",
  });

export const FiscalLinkBody = z
  .object({
    fiscalKey: fiscalKeyField.nullable().openapi({ description: "null removes the link." }),
  })
  .openapi("UpdateTransactionInput", { example: { fiscalKey: EXAMPLE_FISCAL_KEY } });
