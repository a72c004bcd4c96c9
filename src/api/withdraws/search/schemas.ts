import { z } from "@hono/zod-openapi";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { APPROVAL_STATUSES, WITHDRAW_STATUSES } from "../../../domain/withdraws/withdraw-status.ts";
import { EXAMPLE_WITHDRAW } from "../../../domain/events/api-examples.ts";
import { withdrawView } from "../../../domain/withdraws/withdraw.ts";
import {
  amountParam,
  cursor,
  inOrder,
  integer,
  isoInstant,
  optionalLimit,
  PAGE_SIZE_MAX,
  rangeEnd,
  text,
  TEXT_MAX,
} from "../../../http/fields/fields.ts";
import { Withdraw } from "../schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const FILTERS = {
  after: cursor.optional(),
  status: z
    .enum(WITHDRAW_STATUSES, { error: breaks("oneOf", { values: WITHDRAW_STATUSES.join(", ") }) })
    .optional(),
  approval: z
    .enum(APPROVAL_STATUSES, { error: breaks("oneOf", { values: APPROVAL_STATUSES.join(", ") }) })
    .optional()
    .openapi({ description: "`pending` finds those that wait, however many others there are." }),
  from: isoInstant.optional(),
  to: rangeEnd.optional(),
  pixKey: text(TEXT_MAX).min(1, breaks("notEmpty")).optional().openapi({
    description: "The whole key, in any form that a withdraw takes.",
  }),
};

const RANGES = inOrder(["from", "to"], ["amountFrom", "amountTo"]);

export const WithdrawSearchQuery = z
  .object({
    ...FILTERS,
    limit: optionalLimit,
    amountFrom: amountParam.optional(),
    amountTo: amountParam.optional(),
  })
  .superRefine(RANGES);

export type WithdrawSearchRequest = z.output<typeof WithdrawSearchQuery>;

const cents = integer(0, MAX_AMOUNT_CENTS, "centavos");

/** The same search as a body: a PIX key may be a CPF, which no log of addresses should see. */
export const WithdrawSearchBody = z
  .object({
    ...FILTERS,
    limit: integer(1, PAGE_SIZE_MAX, "").optional(),
    amountFrom: cents.optional(),
    amountTo: cents.optional(),
  })
  .superRefine(RANGES)
  .openapi("SearchWithdrawsInput", {
    example: {
      pixKey: "maria@example.com",
      status: "Failed",
      from: "2026-11-01T00:00:00.000Z",
      limit: 50,
    },
  });

export const WithdrawSearchPage = z
  .object({
    items: z.array(Withdraw),
    after: z
      .string()
      .nullable()
      .openapi({ description: "Send it back as `after` for the next page; null at the end." }),
    hasMore: z.boolean(),
  })
  .openapi("WithdrawSearch", {
    example: { items: [withdrawView(EXAMPLE_WITHDRAW)], after: null, hasMore: false },
  });
