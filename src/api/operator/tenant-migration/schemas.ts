import { z } from "@hono/zod-openapi";
import { MIGRATION_STAGES } from "../../../db/schema/routing.ts";

export const MoveBody = z
  .union([z.object({ to: z.string().max(16) }), z.object({ abort: z.literal(true) })], {
    error: "must be { to } or { abort: true }",
  })
  .openapi("MoveCompany", { type: "object" });

export const CompanyMove = z
  .object({
    database: z.string().openapi({ description: "Where the company lives." }),
    target: z.string().nullable().openapi({ description: "null where it is not on its way." }),
    stage: z.enum(MIGRATION_STAGES).nullable(),
    atTable: z.string().openapi({ description: "How far the stage has come." }),
    busy: z.boolean().openapi({ description: "Somebody else is at it: ask again." }),
  })
  .openapi("CompanyMove", {
    example: { database: "DB", target: "DB_2", stage: "copying", atTable: "events", busy: false },
  });
