import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS } from "../../../domain/charges/charge-status.ts";
import { OPEN_WORK } from "../../../domain/figures/service-sample.ts";
import { STUCK_PLACES } from "../../../domain/figures/stuck-money.ts";
import { isoTimeText } from "../../../http/fields/fields.ts";

const centavos = z.int().openapi({ description: "centavos" });
const since = isoTimeText.nullable();
const before = z.int().nullable().openapi({ description: "At `since`; null if it is not known." });

/** How long a PSP's calls took. */
export const PspSpeed = z
  .object({
    since: isoTimeText,
    calls: z.int(),
    p50Seconds: z.number().nullable(),
    p95Seconds: z.number().nullable(),
  })
  .openapi("PspSpeed");

/** How many payments, and their sum in centavos. */
export const PaymentVolume = z
  .object({ count: z.int(), amount: centavos })
  .openapi("PaymentVolume");

/** What the status answers of payments, webhooks, stuck money and growth. */
export const answerFields = {
  payments: z
    .object({
      since: since.openapi({
        description: "An hour ago; the first sample of a younger service; null without one.",
      }),
      methods: z.array(
        z.object({
          paymentMethod: z.enum(PAYMENT_METHODS),
          count: z.int().nullable(),
          amount: centavos.nullable(),
          weekBefore: z
            .union([PaymentVolume, z.null()])
            .openapi({ description: "The same hour a week ago; null if it is not known." }),
        }),
      ),
    })
    .openapi({ description: "Payments credited to charges in the last hour, by method." }),
  webhooks: z
    .object({
      since: since.openapi({ description: "A day ago, or the first sample." }),
      firstAttempts: z.int().nullable().openapi({ description: "Deliveries first attempted." }),
      deliveredAtFirst: z.int().nullable(),
      share: z.number().min(0).max(1).nullable().openapi({ description: "null without any." }),
      oldestOpen: isoTimeText
        .nullable()
        .openapi({ description: "Since when the oldest delivery is open that is not over." }),
    })
    .openapi({ description: "How many webhooks arrived at the first attempt." }),
  moneyStuck: z
    .array(
      z.object({
        place: z.enum(STUCK_PLACES),
        count: z.int(),
        amount: centavos,
        since: since.openapi({ description: "Since when the oldest waits." }),
      }),
    )
    .openapi({
      description:
        "Money that waits for a provider or a person: payouts and operations undecided for ten minutes, unexpected " +
        "payments, and what contradictions hold. Some may be in two places.",
    }),
  growth: z
    .object({
      since: since.openapi({ description: "A week ago, or the first sample." }),
      databases: z.array(z.object({ name: z.string(), bytes: z.int(), before })),
      objects: z
        .array(z.object({ companyId: z.int(), bytes: z.int(), before }))
        .openapi({ description: "The 50 largest companies' objects, the fastest growing first." }),
      openWork: z.array(
        z.object({
          work: z.enum(OPEN_WORK),
          count: z.int().openapi({ description: "Counts at most 10,000 per database." }),
          before,
        }),
      ),
    })
    .openapi({ description: "Measured every five minutes." }),
  volumes: z
    .object({
      upTo: z.string().nullable().openapi({ description: "The last day counted, `YYYY-MM-DD`." }),
      companies: z.array(
        z.object({ companyId: z.int(), name: z.string(), week: centavos, weekBefore: centavos }),
      ),
    })
    .openapi({
      description:
        "The 20 companies that received most in the seven days up to `upTo` and the seven before.",
    }),
};

const TIME = "2026-11-21T11:00:00.000Z";
const WEEK_AGO = "2026-11-14T12:00:00.000Z";

export const EXAMPLE_ANSWERS = {
  payments: {
    since: TIME,
    methods: [
      {
        paymentMethod: PAYMENT_METHODS[0],
        count: 310,
        amount: 7_750_000,
        weekBefore: { count: 280, amount: 7_100_000 },
      },
    ],
  },
  webhooks: {
    since: "2026-11-20T12:00:00.000Z",
    firstAttempts: 6_200,
    deliveredAtFirst: 6_138,
    share: 0.99,
    oldestOpen: TIME,
  },
  moneyStuck: [{ place: "undecided_payouts" as const, count: 1, amount: 10_000, since: TIME }],
  growth: {
    since: WEEK_AGO,
    databases: [{ name: "DB", bytes: 7_340_032, before: 6_291_456 }],
    objects: [{ companyId: 17, bytes: 2_097_152, before: 1_048_576 }],
    openWork: [{ work: "deliveries" as const, count: 12, before: 9 }],
  },
  volumes: {
    upTo: "2026-11-19",
    companies: [{ companyId: 17, name: "Loja Exemplo", week: 912_000, weekBefore: 860_000 }],
  },
};
