import { z } from "@hono/zod-openapi";
import {
  DEBIT_ACTIONS,
  DEBIT_ENDS,
  DEBIT_FAILURE_CODES,
  ENDED_BY,
} from "../../domain/subscriptions/debit-codes.ts";
import { ATTEMPT_KINDS, ATTEMPT_STATUSES } from "../../domain/subscriptions/subscription.ts";

/** An attempt to debit a cycle. */
export const SubscriptionAttempt = z
  .object({
    at: z.string().openapi({ format: "date", description: "Its day." }),
    kind: z.enum(ATTEMPT_KINDS),
    status: z.enum(ATTEMPT_STATUSES),
    code: z.enum(DEBIT_FAILURE_CODES).nullable().openapi({ description: "Why it failed." }),
    message: z.string().nullable(),
    action: z.enum(DEBIT_ACTIONS).nullable().openapi({ description: "What to do about it." }),
    providerCode: z.string().nullable().openapi({ description: "The bank's own code." }),
  })
  .openapi("SubscriptionAttempt");

/** Why the debit of a cycle is over unpaid. */
export const SubscriptionDebitEnd = z
  .object({
    kind: z.enum(DEBIT_ENDS),
    by: z.enum(ENDED_BY).nullable(),
    code: z.enum(DEBIT_FAILURE_CODES),
    message: z.string(),
    action: z.enum(DEBIT_ACTIONS).openapi({ description: "What to do about it." }),
    providerCode: z.string().nullable().openapi({ description: "The bank's own code." }),
  })
  .openapi("SubscriptionDebitEnd");
