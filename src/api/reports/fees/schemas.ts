import { z } from "@hono/zod-openapi";
import type { DifferenceCursor, FeeDay } from "../../../db/reconciliation/settlements.ts";
import { PAYMENT_METHODS } from "../../../domain/charges/charge-status.ts";
import { DIFFERENCE_KINDS } from "../../../domain/reconciliation/settlement.ts";
import { EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";
import { AccountProviderName } from "../../../http/fields/account-provider.ts";
import { dayParam, inDayRange, pageLimit } from "../../../http/fields/fields.ts";
import { fromBase64Url, toBase64Url } from "../../../lib/base64.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { differencePage, feeReportView } from "./views.ts";

const DAYS = {
  from: dayParam.openapi({ description: "America/Sao_Paulo. Default: 30 days before `to`." }),
  to: dayParam.openapi({ description: "America/Sao_Paulo, included. Default: today." }),
};

export const FeesQuery = z.object(DAYS).superRefine(inDayRange);

const cents = (description: string) => z.int().openapi({ description: `centavos: ${description}` });
const day = (description: string) =>
  z.string().openapi({ format: "date", description: `America/Sao_Paulo: ${description}` });

const SUMS = {
  count: z.int().openapi({ description: "Credits of payments; each installment is one." }),
  gross: cents("these credits before the fee"),
  agreed: cents("the agreed fee of these credits"),
  taken: cents("what the bank took, also for refunds and chargebacks, less what it gave back"),
  difference: cents("taken less agreed"),
  anticipation: cents("what it took for paying earlier, where somebody ordered that"),
  refunds: cents("what refunds took away from the account, less reversed ones"),
  chargebacks: cents("what chargebacks took away from it, less reversed ones"),
};

const EXAMPLE_DAY: FeeDay = {
  day: "2026-11-21",
  account: "pagarme",
  paymentMethod: PAYMENT_METHODS[0],
  count: 42,
  gross: 105_000,
  agreed: 3_150,
  taken: 3_151,
  anticipation: 0,
  refunds: 2_500,
  chargebacks: 0,
};

export const FeeReport = z
  .object({
    accounts: z
      .array(
        z.object({
          account: z.string(),
          provider: AccountProviderName,
          comparedUntil: day("the last day whose lines were read and compared"),
        }),
      )
      .openapi({
        description:
          "The accounts whose bank tells what it took. Empty: none does, and none ever has.",
      }),
    items: z.array(
      z.object({
        day: day("when the bank paid"),
        account: z.string(),
        paymentMethod: z.enum(PAYMENT_METHODS),
        ...SUMS,
      }),
    ),
    totals: z.object(SUMS),
  })
  .openapi("FeeReport", {
    example: feeReportView(
      [EXAMPLE_DAY],
      [{ account: "pagarme", provider: "PagarMe", day: "2026-11-22" }],
    ),
  });

const CursorParts = z.tuple([
  z.iso.date(),
  z.string(),
  z.enum(DIFFERENCE_KINDS),
  z.string(),
  z.string(),
]);

/** What the next page of differences begins after, in words that nobody needs to read. */
export function differenceCursor({
  day: on,
  account,
  kind,
  transactionId,
  line,
}: DifferenceCursor): string {
  const parts: z.infer<typeof CursorParts> = [on, account, kind, transactionId, line];
  return toBase64Url(new TextEncoder().encode(JSON.stringify(parts)));
}

/** Null for a text that no page gave. */
function parseCursor(text: string): DifferenceCursor | null {
  try {
    const parts: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text)));
    const [on, account, kind, transactionId, line] = CursorParts.parse(parts);
    return { day: on, account, kind, transactionId, line };
  } catch {
    return null;
  }
}

export const DifferencesQuery = z
  .object({
    ...DAYS,
    after: z
      .string()
      .refine((text) => parseCursor(text) !== null, breaks("earlierPage"))
      .transform(parseCursor)
      .optional()
      .openapi({ type: "string" }),
    limit: pageLimit,
  })
  .superRefine(inDayRange);

export const FeeDifferences = z
  .object({
    items: z.array(
      z.object({
        day: day("when the bank made or changed the line, or when it was overdue"),
        account: z.string(),
        kind: z.enum(DIFFERENCE_KINDS).openapi({
          description:
            "`fee`: more was taken than agreed. `amount`: the bank settles another amount than was paid, or went back. " +
            "`late`: its day is after the release here, by more than two business days. `missing`: a week after the payment not " +
            "all its lines are there. `unpaid`: a week after its day a line still waits.",
        }),
        transactionId: z.string(),
        settlementId: z
          .string()
          .nullable()
          .openapi({ description: "The bank's id of the line; null for a missing one." }),
        amount: cents("what is in question"),
      }),
    ),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("FeeDifferences", {
    example: differencePage(
      [
        {
          day: "2026-11-21",
          account: "pagarme",
          kind: "fee",
          transactionId: EXAMPLE_TRANSACTION.id,
          line: "py_0000000000000001",
          amount: 1,
        },
      ],
      null,
    ),
  });
