import { z } from "@hono/zod-openapi";
import { retryPolicyFault, RETRY_DAYS_MAX } from "../../../domain/subscriptions/subscription.ts";
import { dayParam, inDayRange } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { DebitSum } from "./schemas.ts";

export const RecoveryQuery = z
  .object({
    from: dayParam.openapi({ description: "Due date, included. Default: 365 days before `to`." }),
    to: dayParam.openapi({ description: "Due date, included. Default: today." }),
  })
  .superRefine(inDayRange);

export const RecoveryReport = z
  .object({
    items: z
      .array(
        z.object({
          month: z.string().openapi({ description: "`YYYY-MM` of the due dates." }),
          failed: DebitSum,
          recovered: z.object({ retry: DebitSum, card: DebitSum, hand: DebitSum }).openapi({
            description:
              "Those of them that were paid since: by another attempt, by the payer's saved card, or by hand.",
          }),
        }),
      )
      .openapi({ description: "Cycles with a failed attempt, by month." }),
  })
  .openapi("SubscriptionRecoveryReport", {
    example: {
      items: [
        {
          month: "2026-12",
          failed: { count: 12, amount: 59_880 },
          recovered: {
            retry: { count: 5, amount: 24_950 },
            card: { count: 1, amount: 4_990 },
            hand: { count: 3, amount: 14_970 },
          },
        },
      ],
    },
  });

/** Days, such as `1,3,5`. */
const POLICY = /^\d(,\d){0,2}$/;

export const BacktestQuery = z.object({
  retry: z
    .string({ error: breaks("retryDays", { min: 1, max: RETRY_DAYS_MAX }) })
    .transform((text) => (POLICY.test(text) ? text.split(",").map(Number) : []))
    .refine(
      (days) => days.length > 0 && retryPolicyFault(days) === null,
      breaks("retryDays", { min: 1, max: RETRY_DAYS_MAX }),
    )
    .openapi({ type: "string", description: "Days after the due date.", example: "1,3,5" }),
});

const outcome = {
  tried: z.int().openapi({ description: "Retries of these cycles that a bank took." }),
  paid: z.int(),
};

export const RetryBacktest = z
  .object({
    data: z.object({
      from: z.string().openapi({ format: "date", description: "The first due date." }),
      to: z.string().openapi({ format: "date" }),
      failed: z.int().openapi({
        description:
          "Cycles whose first failure another day might have mended: not those of the recovery report that fail again until " +
          "somebody changes something.",
      }),
      insufficient: z.boolean().openapi({
        description:
          "Whether a day of the policy was tried fewer than 20 times: nothing is guessed.",
      }),
      days: z.array(
        z.object({
          daysAfter: z.int(),
          ...outcome,
          recovered: z.int().nullable().openapi({
            description: "Cycles that the policy would have recovered by this day.",
          }),
        }),
      ),
      weekdays: z.array(
        z.object({ weekday: z.int().openapi({ description: "1 is Monday." }), ...outcome }),
      ),
    }),
  })
  .openapi("SubscriptionRetryBacktest", {
    example: {
      data: {
        from: "2025-11-21",
        to: "2026-11-21",
        failed: 120,
        insufficient: false,
        days: [
          { daysAfter: 1, tried: 100, paid: 30, recovered: 36 },
          { daysAfter: 3, tried: 70, paid: 21, recovered: 61 },
        ],
        weekdays: [{ weekday: 1, tried: 60, paid: 20 }],
      },
    },
  });
