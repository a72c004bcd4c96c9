import { z } from "@hono/zod-openapi";
import { integer } from "../../../http/fields/fields.ts";
import { allowCardNumber } from "../../../lib/fields/fields.ts";
import { RESTORE_TIME } from "../proposals/requests.ts";
import { requiredReason } from "../proposals/schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** A key of the archive: company, milliseconds and a UUID, of before without the prefix; `""` before the first. */
const ARCHIVE_CURSOR = /^(?:(?:changes\/)?\d{1,15}\/\d{1,20}-[0-9a-f-]{36})?$/;

export const RestoreStep = z
  .object({
    after: allowCardNumber(
      z
        .string()
        .regex(ARCHIVE_CURSOR, breaks("earlierStep"))
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
  .object({ ...RESTORE_TIME, reason: requiredReason })
  .openapi("RestoreObject", {
    example: { to: 1_795_564_800_000, reason: "Movement 12 of 22 November is broken." },
  });
