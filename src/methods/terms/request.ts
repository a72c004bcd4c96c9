import { z } from "@hono/zod-openapi";
import type { DueTerms } from "../../domain/charges/payment-details.ts";
import { isCalendarDay } from "../../domain/shared/calendar-day.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { integer } from "../../lib/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const BASIS_POINTS_MAX = 10_000;

export const calendarDay = z
  .string({ error: breaks("string") })
  .refine(isCalendarDay, breaks("calendarDay"))
  .openapi({ format: "date" });

const adjustment = z.object({
  type: z.enum(["FIXED", "PERCENTAGE"], {
    error: breaks("value", { values: "FIXED or PERCENTAGE" }),
  }),
  value: integer(0, MAX_AMOUNT_CENTS, "centavos").openapi({
    description: "centavos, or hundredths of a percent",
  }),
});

const Fine = adjustment.superRefine(limitPercentage).openapi("Fine");
const Discount = adjustment
  .extend({ untilDate: calendarDay.optional() })
  .superRefine(limitPercentage)
  .openapi("Discount", { description: "Until the due date where `untilDate` is left out." });

/** Fine, interest and discount of a create request, beside a due date. */
export const dueTermFields = {
  fine: Fine.optional(),
  interest: z
    .object({ value: integer(0, BASIS_POINTS_MAX, "hundredths of a percent") })
    .openapi("Interest", { description: "A month, counted for each day after the due date." })
    .optional(),
  discount: Discount.optional(),
};

type SentTerms = z.output<z.ZodObject<typeof dueTermFields>>;

/** The terms of a request. A zero fine, interest or discount is none. */
export function dueTerms(
  { fine, interest, discount }: Partial<SentTerms>,
  dueDate: string,
): DueTerms {
  return {
    dueDate,
    fine: fine === undefined || fine.value === 0 ? null : fine,
    interest: interest === undefined || interest.value === 0 ? null : interest,
    discount:
      discount === undefined || discount.value === 0
        ? null
        : { ...discount, untilDate: discount.untilDate ?? dueDate },
  };
}

/** Where a request's terms stand, and what their days may be. */
interface TermsAt {
  member: "boleto" | "pix";
  today: string;
  lastDueDate: string;
  /** The due date where the request sends none; left out where there is none. */
  defaultDueDate?: string | undefined;
}

/** Due dates outside the calendar's range, and discounts later than the due date or of everything. */
export function* dueTermErrors(
  body: Record<string, unknown>,
  { member, today, lastDueDate, defaultDueDate }: TermsAt,
): Generator<z.core.$ZodIssue> {
  const sent = body[member] as Record<string, unknown> | null | undefined;
  const sentDate = calendarDay.safeParse(sent?.["dueDate"]);
  if (sentDate.success && sentDate.data < today) {
    yield termIssue([member, "dueDate"], breaks("notBeforeToday", { day: today }));
  } else if (sentDate.success && sentDate.data > lastDueDate) {
    yield termIssue([member, "dueDate"], breaks("notAfter", { day: lastDueDate }));
  }
  const discount = sent?.["discount"] as Record<string, unknown> | null | undefined;
  const untilDate = calendarDay.safeParse(discount?.["untilDate"]);
  const dueDate = defaultDueDate ?? sentDate.data;
  if (untilDate.success && dueDate !== undefined && untilDate.data > dueDate) {
    yield termIssue([member, "discount", "untilDate"], breaks("notAfterDueDate", { day: dueDate }));
  }
  const terms = Fine.safeParse(discount);
  if (!terms.success) return;
  const whole = terms.data.type === "FIXED" ? body["amount"] : BASIS_POINTS_MAX;
  if (typeof whole === "number" && terms.data.value >= whole) {
    yield termIssue([member, "discount", "value"], breaks("nothingLeft"));
  }
}

/** A fault that no schema of one field sees. */
export function termIssue(path: string[], message: string): z.core.$ZodIssue {
  return { code: "custom", path, message, input: undefined };
}

function limitPercentage(
  { type, value }: { type: string; value: number },
  context: z.core.$RefinementCtx,
): void {
  if (type !== "PERCENTAGE" || value <= BASIS_POINTS_MAX) return;
  context.addIssue({
    code: "custom",
    path: ["value"],
    message: breaks("maxBasisPoints", { max: BASIS_POINTS_MAX }),
  });
}
