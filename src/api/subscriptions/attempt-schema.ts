import { z } from "@hono/zod-openapi";
import { DEBIT_ACTIONS, DEBIT_FAILURE_CODES } from "../../domain/subscriptions/debit-codes.ts";
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
