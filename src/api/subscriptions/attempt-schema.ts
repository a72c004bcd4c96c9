import { z } from "@hono/zod-openapi";
import {
  DEBIT_ACTIONS,
  DEBIT_ENDS,
  DEBIT_FAILURE_CODES,
  ENDED_BY,
} from "../../domain/subscriptions/debit-codes.ts";
import { isoTimeText } from "../../http/fields/fields.ts";
import { ATTEMPT_KINDS, ATTEMPT_STATUSES } from "../../domain/subscriptions/subscription.ts";

const fields = {
  at: z.string().openapi({ format: "date", description: "Its day." }),
  kind: z.enum(ATTEMPT_KINDS),
  status: z.enum(ATTEMPT_STATUSES),
  code: z.enum(DEBIT_FAILURE_CODES).nullable().openapi({ description: "Why it failed." }),
  message: z.string().nullable(),
  action: z.enum(DEBIT_ACTIONS).nullable().openapi({ description: "What to do about it." }),
  providerCode: z.string().nullable().openapi({ description: "The bank's own code." }),
};

const providerMessage = z.string().nullable().openapi({
  description: "The provider's own sentence on an order that it did not take.",
});

/** An attempt to debit a cycle, as events show it. */
export const SubscriptionAttempt = z.object(fields).openapi("SubscriptionAttempt");

/** The same, as the API shows it. */
export const SubscriptionChargeAttempt = z
  .object({ ...fields, providerMessage })
  .openapi("SubscriptionChargeAttempt");

/** An order of a debit that the provider did not take. */
export const SubscriptionDebitRefusal = z
  .object({
    at: isoTimeText,
    code: z.enum(DEBIT_FAILURE_CODES),
    message: z.string(),
    action: z.enum(DEBIT_ACTIONS).openapi({ description: "What to do about it." }),
    providerMessage,
  })
  .openapi("SubscriptionDebitRefusal");

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
