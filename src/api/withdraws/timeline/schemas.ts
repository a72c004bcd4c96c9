import { z } from "@hono/zod-openapi";
import { MOVEMENT_TYPES } from "../../../domain/ledger/ledger.ts";
import { isoTimeText } from "../../../http/fields/fields.ts";
import { Attempt, Event, Postings } from "../../transactions/timeline/schemas.ts";

const Movement = z
  .object({
    kind: z.literal("movement"),
    at: isoTimeText,
    number: z.int().openapi({ description: "Of the movement in the company's ledger." }),
    type: z.enum(MOVEMENT_TYPES).openapi("MovementType"),
    postings: Postings,
  })
  .openapi("WithdrawTimelineMovement");

export const WithdrawTimeline = z
  .object({
    items: z
      .array(z.discriminatedUnion("kind", [Movement, Event, Attempt]))
      .openapi({ description: "Oldest first; the newest events and attempts." }),
  })
  .openapi("WithdrawTimeline");
