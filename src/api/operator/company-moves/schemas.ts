import { z } from "@hono/zod-openapi";
import { MOVE_STAGES } from "../../../db/schema/routing.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export const MoveBody = z
  .union([z.object({ to: z.string().max(16) }), z.object({ abort: z.literal(true) })], {
    error: breaks("moveBody"),
  })
  .openapi("MoveCompanyInput", { type: "object" });

const MOVE_FIELDS = {
  database: z.string().openapi({ description: "The company's current database." }),
  target: z.string().nullable().openapi({ description: "null if no move is in progress." }),
  stage: z.enum(MOVE_STAGES).nullable(),
  atTable: z.string().openapi({ description: "The table that the stage has reached." }),
  busy: z.boolean().openapi({ description: "Another caller holds the step: call again." }),
};
const EXAMPLE_MOVE = {
  database: "DB",
  target: "DB_2",
  stage: "copying",
  atTable: "events",
  busy: false,
} as const;

export const CompanyMove = z.object(MOVE_FIELDS).openapi("CompanyMove", { example: EXAMPLE_MOVE });

export const CompanyMoves = z
  .object({
    items: z.array(z.object({ companyId: z.int(), ...MOVE_FIELDS })),
    databases: z.array(z.string()).openapi({ description: "Where companies can live." }),
  })
  .openapi("CompanyMoves", {
    example: { items: [{ companyId: 17, ...EXAMPLE_MOVE }], databases: ["DB", "DB_2"] },
  });
