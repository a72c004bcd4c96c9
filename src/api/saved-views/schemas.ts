import { z } from "@hono/zod-openapi";
import { LIST_STATUSES, PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { FAILURE_CODES } from "../../domain/charges/failure-reason.ts";
import { SAVED_VIEW_NAME_MAX } from "../../domain/charges/saved-view.ts";
import { isoTimeText, text } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const ID_MAX = 64;
/** Characters of a filter that is text. */
const FILTER_MAX = 255;
const AMOUNT_MAX = 20;
const EXAMPLE_FILTERS = { status: "PAID" as const, amountFrom: "100,00" };
const EXAMPLE_VIEW = {
  id: "5f0c8e4b-1d2a-4f6e-9b7c-3a1d0e8f6b42",
  name: "Paid, from R$ 100",
  filters: EXAMPLE_FILTERS,
  createdAt: "2026-11-21T12:00:00.000Z",
};

const name = text(SAVED_VIEW_NAME_MAX).trim().min(1, breaks("notEmpty"));
const filterText = text(FILTER_MAX).min(1, breaks("notEmpty")).optional();
const day = z.iso.date({ error: breaks("day") }).optional();
const amount = text(AMOUNT_MAX)
  .min(1, breaks("notEmpty"))
  .optional()
  .openapi({ description: "reais, as typed", example: "1.234,56" });

const Filters = z
  .object({
    status: z
      .enum(LIST_STATUSES, { error: breaks("oneOf", { values: LIST_STATUSES.join(", ") }) })
      .optional(),
    paymentMethod: z
      .enum(PAYMENT_METHODS, { error: breaks("oneOf", { values: PAYMENT_METHODS.join(", ") }) })
      .optional(),
    failureCode: z
      .enum(FAILURE_CODES, { error: breaks("oneOf", { values: FAILURE_CODES.join(", ") }) })
      .optional(),
    from: day,
    to: day,
    paidFrom: day,
    paidTo: day,
    amountFrom: amount,
    amountTo: amount,
    externalRef: filterText,
    endToEndId: filterText,
    id: filterText,
  })
  .openapi("PaymentFilters", {
    description:
      "The filters of the console's list of payments, as they stand in its address. Days are those of " +
      "America/Sao_Paulo.",
    example: EXAMPLE_FILTERS,
  });

export const SaveViewBody = z
  .object({ name, filters: Filters })
  .openapi("SaveView", { example: { name: EXAMPLE_VIEW.name, filters: EXAMPLE_FILTERS } });

export const RenameViewBody = z
  .object({ name })
  .openapi("RenameView", { example: { name: EXAMPLE_VIEW.name } });

const View = z
  .object({ id: z.string(), name: z.string(), filters: Filters, createdAt: isoTimeText })
  .openapi("SavedView", { example: EXAMPLE_VIEW });

export const OneView = z.object({ data: View }).openapi("OneSavedView");
export const Views = z
  .object({ items: z.array(View) })
  .openapi("SavedViews", { example: { items: [EXAMPLE_VIEW] } });

export const ViewParam = z.object({
  id: z.string().max(ID_MAX).openapi({ example: EXAMPLE_VIEW.id }),
});
