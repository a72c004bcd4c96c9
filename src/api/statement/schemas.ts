import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import { ENTRY_KINDS } from "../../domain/ledger/entries/entry.ts";
import { isCalendarMonth } from "../../domain/ledger/entries/month.ts";
import { MOVEMENT_TYPES } from "../../domain/ledger/ledger.ts";
import type { ReleaseQuery } from "../../domain/ledger/release.ts";
import {
  cursor,
  dayParam,
  hourParam,
  inDayRange,
  isoTimeText,
  pageLimit,
  requiredDay,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { entryView, releaseView } from "./views.ts";

const month = z
  .string()
  .refine(isCalendarMonth, "must be a month, such as 2026-11")
  .optional()
  .openapi({
    type: "string",
    example: "2026-11",
    description: "America/Sao_Paulo. Default: this month.",
  });

export const MonthQuery = z.object({ month });

export const EntriesQuery = MonthQuery.extend({
  from: dayParam.openapi({ description: "America/Sao_Paulo. Default: `to`. In place of `month`." }),
  to: dayParam.openapi({ description: "Included, at most 366 days. Default: today." }),
  hour: hourParam.optional().openapi({ description: "Only items of this hour of the first day." }),
  only: z
    .enum(ENTRY_KINDS, { error: breaks("oneOf", { values: ENTRY_KINDS.join(", ") }) })
    .optional()
    .openapi({ description: "Payments, what went out or came back, or items with a fee." }),
  after: cursor.optional(),
  limit: pageLimit,
}).superRefine(inDayRange);

const cents = (description: string) => z.int().openapi({ description: `centavos: ${description}` });

/** What the statement says of a transaction or a withdraw. */
const NAMES = {
  paymentMethod: z.enum(PAYMENT_METHODS).nullable(),
  counterpart: z.string().nullable().openapi({
    description:
      "The payer's name, or the PIX key that a withdraw goes to; masked without `pii:read`.",
  }),
  externalRef: z.string().nullable(),
};

const Entry = z.object({
  sequence: z
    .int()
    .openapi({ description: "The number of the movement's last posting, as the balance has it." }),
  createdAt: isoTimeText,
  type: z.enum(MOVEMENT_TYPES).openapi("MovementType"),
  ...NAMES,
  transactionId: z.string().nullable(),
  withdrawId: z.int().nullable(),
  gross: cents("signed"),
  fee: cents("the gateway's fee; negative where one came back"),
  net: cents("gross less fee: what `balance` changed by"),
  balance: cents("available and awaiting release, less a debt, after the entry"),
  availableNet: cents("what `available` changed by; a release changes it alone"),
  available: cents("may be withdrawn, less a debt, after the entry"),
});

export const StatementEntries = z
  .object({
    summary: z.object({
      month: z.string().openapi({ description: "Of the first day.", example: "2026-11" }),
      from: z.string().openapi({ format: "date" }),
      to: z.string().openapi({ format: "date" }),
      opening: cents("the balance before the month"),
      moneyIn: cents("the gross of the month's payments"),
      fees: cents("all fees, less those that came back"),
      moneyOut: cents("withdraws, refunds, disputes and corrections, less what came back"),
      closing: cents("opening and moneyIn, less fees and moneyOut"),
      available: cents("what of `closing` may be withdrawn, less a debt"),
      movements: z
        .int()
        .openapi({ description: "Of the ledger in the month: at least its items." }),
      sequence: z.int().openapi({ description: "The last posting that the sums count." }),
    }),
    items: z.array(Entry),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("StatementEntries", {
    example: {
      summary: {
        month: "2026-11",
        from: "2026-11-01",
        to: "2026-11-30",
        opening: 0,
        moneyIn: 2_500,
        fees: 25,
        moneyOut: 0,
        closing: 2_475,
        available: 2_475,
        movements: 1,
        sequence: 17,
      },
      items: [
        entryView({
          sequence: 17,
          createdAt: EXAMPLE_TRANSACTION.createdAt,
          type: "charge_paid",
          paymentMethod: "PIX",
          counterpart: EXAMPLE_TRANSACTION.payer.name,
          externalRef: EXAMPLE_TRANSACTION.externalRef,
          transactionId: EXAMPLE_TRANSACTION.id,
          withdrawId: null,
          gross: 2_500,
          fee: 25,
          net: 2_475,
          balance: 2_475,
          availableNet: 2_475,
          available: 2_475,
        }),
      ],
      after: null,
      hasMore: false,
    },
  });

/** The last release of the page before: when it is due, its transaction and its installment. */
const RELEASE_CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})\.(\d{1,3})$/;

/** What the next page of releases begins after. */
export function releaseCursor({ dueAt, transactionId, installment }: ReleaseKey): string {
  return `${dueAt}.${transactionId}.${installment}`;
}

type ReleaseKey = NonNullable<ReleaseQuery["after"]>;

export const ReleasesQuery = z.object({
  day: requiredDay.openapi({ description: "America/Sao_Paulo.", example: "2026-12-21" }),
  after: z
    .string()
    .regex(RELEASE_CURSOR, breaks("earlierPage"))
    .transform((text): ReleaseKey => {
      const [dueAt = "", transactionId = "", installment = ""] = text.split(".");
      return { dueAt: Number(dueAt), transactionId, installment: Number(installment) };
    })
    .optional()
    .openapi({ type: "string" }),
  limit: pageLimit,
});

const Release = z.object({
  transactionId: z.string(),
  installment: z.int().openapi({ description: "From 1." }),
  amount: cents("what of the credit has not been taken back"),
  releasesAt: isoTimeText,
  ...NAMES,
});

export const Releases = z
  .object({
    items: z.array(Release),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("PendingReleases", {
    example: {
      items: [
        releaseView({
          transactionId: EXAMPLE_TRANSACTION.id,
          installment: 1,
          amount: 2_475,
          dueAt: Date.parse("2026-12-21T14:02:00.000Z"),
          paymentMethod: PAYMENT_METHODS[0],
          counterpart: EXAMPLE_TRANSACTION.payer.name,
          externalRef: EXAMPLE_TRANSACTION.externalRef,
        }),
      ],
      after: null,
      hasMore: false,
    },
  });
