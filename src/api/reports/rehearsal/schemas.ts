import { z } from "@hono/zod-openapi";
import { METHODS_WITH_CODE } from "../../../domain/charges/charge-status.ts";
import { REHEARSAL_DAYS, REHEARSAL_DAYS_MAX } from "../../../domain/rehearsal/cash-rehearsal.ts";
import { ENOUGH_ENDED } from "../../../domain/rehearsal/payment-odds.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { PAST_DAYS } from "./repository.ts";
import { rehearsalView } from "./views.ts";

const DAYS_RANGE = { min: 1, max: REHEARSAL_DAYS_MAX };

export const RehearsalQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,3}$/, breaks("between", DAYS_RANGE))
    .transform(Number)
    .refine((days) => days >= 1 && days <= REHEARSAL_DAYS_MAX, breaks("between", DAYS_RANGE))
    .default(REHEARSAL_DAYS)
    .openapi({
      type: "integer",
      minimum: 1,
      maximum: REHEARSAL_DAYS_MAX,
      description: "Days, the first of them today.",
    }),
});

const cents = (description: string) => z.int().openapi({ description: `centavos: ${description}` });

const RehearsalDay = z.object({
  day: z.string().openapi({ format: "date", description: "A day in America/Sao_Paulo." }),
  opening: cents("`certain` of the day before, today what is available now"),
  releases: cents("credits that become available"),
  expiredApprovals: cents(
    "withdraws with their fees, and refunds, that come back because nobody approved them in time",
  ),
  due: cents("open boletos, and PIX with a due date, due on that business day"),
  expiring: cents("open PIX without a due date, whose code expires"),
  expectedPayments: cents(
    "open charges expected to have become available on that day, less their fees",
  ),
  expectedFees: cents("the fees of these"),
  disputed: cents("open disputes whose deadline it is; those without one stand on the first day"),
  debtRepaid: cents("what `certain` repays of the debt"),
  certain: cents("available at the day's end if nothing else happens"),
  worst: cents("the same in the worst case"),
  expected: cents("the same as expected"),
  best: cents("the same in the best case"),
});

const share = z.number().min(0).max(1);

const Odds = z
  .object({
    share: share.openapi({ description: "The part of the open money that is paid." }),
    daysEarly: z
      .int()
      .nullable()
      .openapi({ description: "Paid so many days before the last day to pay; null: today." }),
  })
  .openapi("PaymentOdds", { example: { share: 0.8, daysEarly: 1 } });

const Assumptions = z.object({
  days: z.int().openapi({ description: "Days of the company's own past that are counted." }),
  returnedShare: share.openapi({
    description: "The part of these days' payments that was refunded or charged back.",
  }),
  methods: z.array(
    z.object({
      paymentMethod: z.enum(METHODS_WITH_CODE),
      ended: z.int().openapi({
        description: "Charges whose last day to pay is over; of many, 5,000 evenly spread ones.",
      }),
      paid: z.int().openapi({ description: "Those of them that were paid." }),
      isEnough: z.boolean().openapi({
        description: `False below ${ENOUGH_ENDED} ended charges: then nobody pays in the worst and the expected case, everybody in the best.`,
      }),
      worst: Odds,
      expected: Odds,
      best: Odds,
    }),
  ),
});

const NO_ONE = { share: 0, daysEarly: 0 };

export const Rehearsal = z
  .object({
    items: z.array(RehearsalDay),
    owed: cents("the debt now"),
    payout: cents(
      "withdraws that are asked for and not paid yet; one that fails comes back, in no case counted here",
    ),
    assumptions: Assumptions,
  })
  .openapi("Rehearsal", {
    example: rehearsalView({
      days: [
        {
          day: "2026-11-21",
          opening: 150_000,
          releases: 24_742,
          expiredApprovals: 0,
          due: 80_000,
          expiring: 12_000,
          expectedPayments: 58_300,
          expectedFees: 900,
          disputed: 0,
          debtRepaid: 0,
          certain: 174_742,
          worst: 174_742,
          expected: 233_042,
          best: 241_500,
        },
      ],
      owed: 0,
      payout: 0,
      returnedShare: 0.01,
      odds: METHODS_WITH_CODE.map((paymentMethod) => ({
        paymentMethod,
        ended: 12,
        paid: 9,
        isEnough: false,
        worst: NO_ONE,
        expected: NO_ONE,
        best: { share: 1, daysEarly: null },
      })),
      pastDays: PAST_DAYS,
    }),
  });
