import { z } from "@hono/zod-openapi";
import { integer } from "../../../http/fields/fields.ts";
import { allowCardNumber } from "../../../lib/fields.ts";

/** A key of the archive: company, milliseconds and a UUID; `""` before the first. */
const ARCHIVE_CURSOR = /^(?:\d{1,15}\/\d{1,20}-[0-9a-f-]{36})?$/;

export const RestoreStep = z
  .object({
    after: allowCardNumber(
      z
        .string()
        .regex(ARCHIVE_CURSOR, "must be `after` of the step before")
        .default("")
        .openapi({ description: "`after` of the step before; empty in the first." }),
    ),
    since: integer(0, Number.MAX_SAFE_INTEGER, "").default(0).openapi({
      description: "Writes changes from this time on again (epoch milliseconds); 0 for all.",
    }),
  })
  .openapi("RestoreStep");

export const RestoreResult = z
  .object({
    archive: z.boolean().openapi({ description: "Whether the service keeps an archive." }),
    after: z
      .string()
      .nullable()
      .openapi({ description: "For the next step; null after the last." }),
    changes: z.int().openapi({ description: "Archived changes that this step wrote again." }),
    renumbered: z
      .int()
      .openapi({ description: "Events that got a number that no merchant has seen." }),
    refused: z
      .array(z.string())
      .openapi({ description: "What could not be written again, and why." }),
  })
  .openapi("RestoreResult", {
    example: {
      archive: true,
      after: null,
      changes: 3,
      renumbered: 0,
      refused: [],
    },
  });

export const RestoreObject = z
  .object({
    to: integer(1, Number.MAX_SAFE_INTEGER, "").openapi({
      description: "The time to go back to (epoch milliseconds), up to 30 days ago.",
    }),
  })
  .openapi("RestoreObject");

export const RestoredObject = z
  .object({
    undo: z
      .string()
      .openapi({ description: "The platform's bookmark from just before the restore." }),
  })
  .openapi("RestoredObject", {
    example: { undo: "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683" },
  });
