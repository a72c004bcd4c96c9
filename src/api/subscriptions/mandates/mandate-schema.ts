import { z } from "@hono/zod-openapi";
import {
  ENDED_BY,
  MANDATE_END_ACTIONS,
  MANDATE_END_REASONS,
} from "../../../domain/subscriptions/debit-codes.ts";
import { MANDATE_STATES } from "../../../domain/subscriptions/records.ts";

const fields = {
  id: z.string().nullable().openapi({ description: "BACEN `idRec`: case-sensitive." }),
  status: z.enum(MANDATE_STATES),
  payerIspb: z.string().nullable(),
  reason: z.enum(MANDATE_END_REASONS).nullable().openapi({ description: "Why it ended." }),
  message: z.string().nullable(),
  action: z.enum(MANDATE_END_ACTIONS).nullable().openapi({ description: "What to do about it." }),
  endedBy: z.enum(ENDED_BY).nullable(),
  providerCode: z.string().nullable().openapi({ description: "The bank's own code." }),
  needsApproval: z.boolean().openapi({
    description:
      "A bank says that it is of no more use: nothing more is debited; make a new subscription.",
  }),
};

/** The mandate of a subscription, as events show it. */
export const EventMandate = z.object(fields).openapi("SubscriptionEventMandate");

/** The same, as the API shows it. */
export const SubscriptionMandate = z
  .object({
    ...fields,
    providerMessage: z.string().nullable().openapi({
      description: "The provider's own sentence on its end, or on the order that it refused.",
    }),
  })
  .openapi("SubscriptionMandate");
