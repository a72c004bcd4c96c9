import { z } from "@hono/zod-openapi";
import { CREATE_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import { SEARCH_STATUSES } from "../../domain/charges/charge-status.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import {
  cursor,
  inOrder,
  integer,
  isoInstant,
  isoTimeText,
  rangeEnd,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Lines of one request: a day of a shop with forty sales an hour. */
const LINES_MAX = 1_000;
const ONLY_HERE_DEFAULT = 100;
const ONLY_HERE_MAX = 1_000;
/** Longer than any id of a transaction and any end-to-end id (32 characters). */
const ID_MAX = 64;

const cents = integer(0, MAX_AMOUNT_CENTS, "centavos").optional();
const id = text(ID_MAX).min(1, breaks("notEmpty")).optional();

const Line = z
  .object({
    id: id.openapi({ description: "The transaction's id." }),
    externalRef: text(TEXT_MAX).min(1, breaks("notEmpty")).optional(),
    endToEndId: id,
    amount: cents.openapi({ description: "centavos: the `amount` of the transaction" }),
    paidAmount: cents.openapi({ description: "centavos: what really came" }),
    status: z
      .enum(SEARCH_STATUSES, { error: breaks("oneOf", { values: SEARCH_STATUSES.join(", ") }) })
      .optional()
      .openapi({ description: "As the creation answer or the lists show it." }),
  })
  .superRefine((line, context) => {
    if (line.id !== undefined || line.externalRef !== undefined || line.endToEndId !== undefined)
      return;
    const message = breaks("requiredReference");
    context.addIssue({ code: "custom", path: ["id"], message });
  });

export const ReconcileBody = z
  .object({
    items: z
      .array(Line, { error: breaks("array") })
      .max(LINES_MAX, breaks("maxItems", { max: LINES_MAX, things: "lines" })),
    from: isoInstant.optional().openapi({ description: "Start of the period, by `createdAt`." }),
    to: rangeEnd.optional().openapi({ description: "End of the period, included." }),
    after: cursor.default(0).openapi({ description: "The `after` of the page before." }),
    limit: integer(1, ONLY_HERE_MAX, "")
      .default(ONLY_HERE_DEFAULT)
      .openapi({ description: "The most items of `onlyHere`." }),
  })
  .superRefine(inOrder(["from", "to"]))
  .openapi("ReconcileLines", {
    example: {
      items: [
        { externalRef: "pedido-1001", amount: 2_500, status: "PAID" },
        { id: EXAMPLE_TRANSACTION.id, amount: 2_400 },
        { endToEndId: "E12345678202611211200abcdefghijk" },
      ],
      from: "2026-11-21T00:00:00-03:00",
      to: "2026-11-21T23:59:59-03:00",
      after: "0",
      limit: 100,
    },
  });

export type ReconcileRequest = z.output<typeof ReconcileBody>;

const value = z.union([z.string(), z.int()]);

const LineResult = z.object({
  result: z.enum(["matched", "mismatch", "missing", "duplicate"]).openapi({
    description: "`duplicate`: an earlier line names the same transaction, by whatever id.",
  }),
  id: z
    .string()
    .nullable()
    .openapi({ description: "The transaction of the line; null if missing." }),
  differences: z
    .array(z.object({ field: z.string(), theirs: value, ours: value.nullable() }))
    .optional()
    .openapi({ description: "There with `mismatch`." }),
});

const OnlyHere = z.object({
  id: z.string(),
  externalRef: z.string(),
  endToEndId: z.string().nullable(),
  amount: z.int().openapi({ description: "centavos" }),
  paidAmount: z.int().nullable().openapi({ description: "centavos" }),
  status: z.enum(CREATE_STATUSES),
  paymentMethod: z.enum(PAYMENT_METHODS),
  createdAt: isoTimeText,
  paidAt: isoTimeText.nullable(),
});

export const ReconcileResult = z
  .object({
    items: z.array(LineResult).openapi({ description: "In the order of the lines." }),
    onlyHere: z.array(OnlyHere).openapi({
      description:
        "Transactions of the period that no line matched, oldest first; empty without a period.",
    }),
    after: z.string().nullable().openapi({
      description:
        "Send it back as `after`, with the same lines, for more of `onlyHere`; null at the end.",
    }),
    hasMore: z.boolean(),
  })
  .openapi("ReconcileResult", {
    example: {
      items: [
        { result: "matched", id: EXAMPLE_TRANSACTION.id },
        {
          result: "mismatch",
          id: EXAMPLE_TRANSACTION.id,
          differences: [{ field: "amount", theirs: 2_400, ours: 2_500 }],
        },
        { result: "missing", id: null },
        { result: "duplicate", id: EXAMPLE_TRANSACTION.id },
      ],
      onlyHere: [],
      after: null,
      hasMore: false,
    },
  });
