import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import { isCalendarMonth } from "../../domain/ledger/entries/month.ts";
import { MOVEMENT_TYPES } from "../../domain/ledger/ledger.ts";
import { cursor, isoTimeText, pageLimit } from "../../http/fields/fields.ts";
import { entryView } from "./views.ts";

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

export const EntriesQuery = MonthQuery.extend({ after: cursor.optional(), limit: pageLimit });

const cents = (description: string) => z.int().openapi({ description: `centavos: ${description}` });

const Entry = z.object({
  sequence: z
    .int()
    .openapi({ description: "The number of the movement's last posting, as the balance has it." }),
  createdAt: isoTimeText,
  type: z.enum(MOVEMENT_TYPES).openapi("MovementType"),
  paymentMethod: z.enum(PAYMENT_METHODS).nullable(),
  counterpart: z.string().nullable().openapi({
    description:
      "The payer's name, or the PIX key that a withdraw goes to; masked without `pii:read`.",
  }),
  externalRef: z.string().nullable(),
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
      month: z.string().openapi({ example: "2026-11" }),
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
