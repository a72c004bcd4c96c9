import { z } from "@hono/zod-openapi";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { integer, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** A decision on an operation, as its route and a proposal take it. */
export const OPERATION_DECISION = {
  outcome: z.enum(["done", "failed"], { error: breaks("value", { values: "done or failed" }) }),
  endToEndId: text(TEXT_MAX).optional(),
};

/** When a company's object goes back to, as its route and a proposal take it. */
export const RESTORE_TIME = {
  to: integer(1, Number.MAX_SAFE_INTEGER, "").openapi({
    description: "The time to go back to (epoch milliseconds), up to 30 days ago.",
  }),
};

/** A decision on a withdraw, as its route and a proposal take it. */
export const PAYOUT_DECISION = {
  outcome: z.enum(["done", "failed", "returned"], {
    error: breaks("value", { values: "done, failed or returned" }),
  }),
  endToEndId: text(TEXT_MAX).optional(),
  returnedAmount: integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({
    description: "With `returned`: centavos returned in total; by default the full amount.",
  }),
};

/** Refuses an amount of any outcome but `returned`. */
export function checkReturnedAmount(
  { outcome, returnedAmount }: { outcome: string; returnedAmount?: number | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (returnedAmount === undefined || outcome === "returned") return;
  context.addIssue({
    code: "custom",
    path: ["returnedAmount"],
    message: breaks("onlyAllowedWith", { action: "returned" }),
  });
}
