import { z } from "@hono/zod-openapi";
import { dayParam, inDayRange } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { banksView, outlookView } from "./views.ts";

/** The most days of a report: each mandate and debit of them is read. */
export const DAYS_MAX = 90;
const DAYS_DEFAULT = 30;
const DAYS_RANGE = { min: 1, max: DAYS_MAX };

export const OutlookQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,2}$/, breaks("between", DAYS_RANGE))
    .transform(Number)
    .refine((days) => days >= 1 && days <= DAYS_MAX, breaks("between", DAYS_RANGE))
    .default(DAYS_DEFAULT)
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: DAYS_MAX,
      description: "Days, the first of them today.",
    }),
});

export const BanksQuery = z
  .object({
    from: dayParam.openapi({ description: "America/Sao_Paulo. Default: 29 days before `to`." }),
    to: dayParam.openapi({ description: "America/Sao_Paulo, included. Default: today." }),
  })
  .superRefine(inDayRange);

const PERIOD = {
  from: z.string().openapi({ format: "date" }),
  to: z.string().openapi({ format: "date", description: "Included." }),
};
const SUM = { count: z.int(), amount: z.int().openapi({ description: "centavos" }) };

/** Cycles, and what they are debited. */
export const DebitSum = z
  .object(SUM)
  .openapi("DebitSum", { example: { count: 42, amount: 209_580 } });

export const DebitOutlook = z
  .object({
    ...PERIOD,
    items: z
      .array(z.object({ day: z.string().openapi({ format: "date" }), ...SUM }))
      .openapi({ description: "Days with a debit, oldest first." }),
    totals: DebitSum,
  })
  .openapi("DebitOutlook", {
    example: outlookView({ from: "2026-12-01", to: "2026-12-30" }, [
      { day: "2026-12-10", count: 42, amount: 209_580 },
    ]),
  });

const count = (description: string) => z.int().openapi({ description });

export const PayerBanks = z
  .object({
    ...PERIOD,
    items: z.array(
      z.object({
        ispb: z.string().nullable().openapi({
          description: "The payer's bank; null where no PSP has told of one.",
          example: "18236120",
        }),
        name: z.string().nullable().openapi({ description: "Null for a bank that is not known." }),
        mandates: z.object({
          made: count("subscriptions made in the period"),
          codesRead: count(
            "of those with a code: the PSP has told of the payer's bank, or it is paid",
          ),
          approved: count("by the payer, also where it has ended since"),
          paidUnapproved: count(
            "whose first payment, made with the approval, came without the approval",
          ),
          rejected: count("by the payer or the bank"),
          expired: count("never answered in time"),
          active: count("debited now"),
          approvedBasisPoints: z.int().nullable().openapi({
            description: "Approved of those decided: 10000 is all; null before the first.",
          }),
        }),
        debits: z.object({
          due: count("cycles due in the period that were debited"),
          paidInTime: count("paid at the first attempt"),
          paidLater: count("paid after it had failed"),
          failed: count("whose first attempt failed"),
          failures: z
            .array(z.object({ code: z.string(), count: z.int() }))
            .openapi({ description: "Why it failed, the commonest first." }),
        }),
      }),
    ),
  })
  .openapi("PayerBanks", {
    example: banksView(
      { from: "2026-11-01", to: "2026-11-30" },
      {
        mandates: [
          {
            ispb: "18236120",
            status: "active",
            hasCode: true,
            isBankTold: true,
            isPaid: false,
            count: 38,
          },
          {
            ispb: "18236120",
            status: "rejected",
            hasCode: true,
            isBankTold: true,
            isPaid: false,
            count: 2,
          },
        ],
        debits: [
          { ispb: "18236120", status: "paid", first: "paid", code: null, count: 35 },
          { ispb: "18236120", status: "paid", first: "failed", code: "NO_BALANCE", count: 3 },
        ],
      },
    ),
  });
