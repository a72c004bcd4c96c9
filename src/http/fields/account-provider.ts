import { z } from "@hono/zod-openapi";
import { PROVIDER_NAMES } from "../../domain/charges/transaction.ts";

/** Whom an account is with. */
export const AccountProviderName = z
  .union([z.enum(PROVIDER_NAMES), z.null()])
  .openapi({ description: "Whom the account is with; null for one that the company has left." });
