import { z } from "@hono/zod-openapi";
import { integer } from "../../../http/fields/fields.ts";

export const ReconcileStep = z
  .object({
    fromStart: z.boolean().default(true),
    afterTransaction: z.string().max(64).default(""),
    afterWithdraw: integer(0, Number.MAX_SAFE_INTEGER, "").default(0),
    afterDay: z.string().max(10).default(""),
    afterSeq: integer(0, Number.MAX_SAFE_INTEGER, "").default(0),
    afterEvent: integer(0, Number.MAX_SAFE_INTEGER, "").default(0),
    repair: z.boolean().default(false),
    archived: z.boolean().default(false),
  })
  .openapi("ReconcileStep");

export const Reconciliation = z
  .object({
    movement: z.int().openapi({ description: "The newest movement that passed the audit." }),
    ledgerDone: z.boolean(),
    afterTransaction: z.string(),
    afterWithdraw: z.int(),
    afterDay: z.string(),
    afterSeq: z.int(),
    afterEvent: z.int(),
    copiesDone: z.boolean(),
    compared: z.int(),
    repaired: z.int(),
    violations: z.array(z.string()),
  })
  .openapi("Reconciliation");
