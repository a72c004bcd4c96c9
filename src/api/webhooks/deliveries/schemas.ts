import { z } from "@hono/zod-openapi";
import { DELIVERY_STATUSES } from "../../../db/schema/webhooks.ts";
import { cursor, isoInstant, rangeEnd } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const ResendRange = z
  .object({
    from: isoInstant,
    to: rangeEnd,
    status: z
      .array(
        z.enum(DELIVERY_STATUSES, {
          error: breaks("someOf", { values: DELIVERY_STATUSES.join(", ") }),
        }),
      )
      .min(1, breaks("nameOneOf", { thing: "status" }))
      .default(["stopped", "exhausted"])
      .openapi({ description: "Statuses of the deliveries to resend." }),
    after: cursor.default(0).openapi({ description: "`after` of the last call, to continue." }),
  })
  .openapi("ResendWebhooksInput", {
    description: "`from` and `to`: times of the events, both included.",
  });
