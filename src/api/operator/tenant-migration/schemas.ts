import { z } from "@hono/zod-openapi";
import { MIGRATION_STAGES } from "../../../db/schema/routing.ts";

export const MoveBody = z
  .union([z.object({ to: z.string().max(16) }), z.object({ abort: z.literal(true) })], {
    error: "must be { to } or { abort: true }",
  })
  .openapi("MoveCompany", { type: "object" });

export const CompanyMove = z
  .object({
    database: z.string().openapi({ description: "The company's current database." }),
    target: z.string().nullable().openapi({ description: "null if no move is in progress." }),
    stage: z.enum(MIGRATION_STAGES).nullable(),
    atTable: z.string().openapi({ description: "The table that the stage has reached." }),
    busy: z.boolean().openapi({ description: "Another caller holds the step: call again." }),
  })
  .openapi("CompanyMove", {
    example: { database: "DB", target: "DB_2", stage: "copying", atTable: "events", busy: false },
  });
