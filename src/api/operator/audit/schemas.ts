import { z } from "@hono/zod-openapi";
import { FIRST_COPY } from "../../../domain/reconciliation/comparison-round.ts";
import { integer } from "../../../http/fields/fields.ts";

const number = () => integer(0, Number.MAX_SAFE_INTEGER, "").default(0);

const recordCursor = {
  dispute: z.string().max(512).default(""),
  payment: z.string().max(512).default(""),
  link: number(),
  subscription: number(),
  cycle: number(),
  contradiction: number(),
};

const cursorFields = {
  afterTransaction: z.string().max(64).default(""),
  afterWithdraw: number(),
  afterRecords: z.object(recordCursor).default(FIRST_COPY.afterRecords),
  afterDay: z.string().max(10).default(""),
  afterSeq: number(),
  afterEvent: number(),
};

export const ReconcileStep = z
  .object({
    fromStart: z.boolean().default(true),
    ...cursorFields,
    repair: z.boolean().default(false),
    archived: z.boolean().default(false),
  })
  .openapi("ReconcileStep");

const RecordCursor = z
  .object({
    dispute: z.string(),
    payment: z.string(),
    link: z.int(),
    subscription: z.int(),
    cycle: z.int(),
    contradiction: z.int(),
  })
  .openapi("RecordCursor");

const cursorResult = {
  afterTransaction: z.string(),
  afterWithdraw: z.int(),
  afterRecords: RecordCursor,
  afterDay: z.string(),
  afterSeq: z.int(),
  afterEvent: z.int(),
};

/** Where a comparison of all copies goes on: after these rows. */
export const CopyCursor = z.object(cursorResult).openapi("CopyCursor");

export const Reconciliation = z
  .object({
    movement: z.int().openapi({ description: "The newest movement that passed the audit." }),
    ledgerDone: z.boolean(),
    ...cursorResult,
    copiesDone: z.boolean(),
    compared: z.int(),
    repaired: z.int(),
    violations: z.array(z.string()),
  })
  .openapi("Reconciliation");
