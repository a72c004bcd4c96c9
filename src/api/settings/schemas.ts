import { z } from "@hono/zod-openapi";
import { DEFAULT_FEES, FEE_KINDS, MAX_BASIS_POINTS } from "../../domain/ledger/fees.ts";
import { PAYMENT_METHODS, TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { DEFAULT_RELEASE_DAYS } from "../../methods/registry.ts";
import { MAX_AMOUNT_CENTS, MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import { integer } from "../../http/fields/fields.ts";

const RELEASE_DAYS_MAX = 365;

export const Settings = z
  .object({
    duplicateWithdrawGuard: z.boolean().openapi({
      description: "Refuse a withdraw to the same key with the same amount within ten minutes.",
      example: false,
    }),
    withdrawDailyLimit: z.int().nullable().openapi({
      description: "centavos a day (America/Sao_Paulo); null for no limit",
      example: null,
    }),
  })
  .openapi("CompanySettings");

export const ChangeSettings = z
  .object({
    duplicateWithdrawGuard: z.boolean({ error: "must be true or false" }).optional(),
    withdrawDailyLimit: integer(0, MAX_AMOUNT_CENTS, "centavos").nullable().optional(),
  })
  .openapi("ChangeCompanySettings", { description: "Omitted fields keep their value." });

const Fee = z.object({
  basisPoints: z.int().openapi({ example: 99, description: "hundredths of a percent" }),
  fixed: z.int().openapi({ example: 30, description: "centavos" }),
});

/** A company's fees, release days and limits, as its operator agreed with it. */
export const Terms = z
  .object({
    fees: z.object(fieldFor(FEE_KINDS, Fee)),
    releaseDays: z.object(fieldFor(PAYMENT_METHODS, z.int())),
    minimumWithdraw: z.int().openapi({ description: "centavos" }),
    frozen: z.boolean().openapi({ description: "Withdraws are refused and not sent." }),
  })
  .openapi("CompanyTerms", {
    example: {
      fees: { ...DEFAULT_FEES, [TRANSFER_METHOD]: { basisPoints: 99, fixed: 0 } },
      releaseDays: DEFAULT_RELEASE_DAYS,
      minimumWithdraw: MIN_WITHDRAW_CENTS,
      frozen: false,
    },
  });

const ChangeFee = z.object({
  basisPoints: integer(0, MAX_BASIS_POINTS, "hundredths of a percent").optional(),
  fixed: integer(0, MAX_AMOUNT_CENTS, "centavos").optional(),
});
const days = integer(0, RELEASE_DAYS_MAX, "days").optional();

export const ChangeTerms = z
  .object({
    fees: z.object(fieldFor(FEE_KINDS, ChangeFee.optional())).optional(),
    releaseDays: z.object(fieldFor(PAYMENT_METHODS, days)).optional(),
    minimumWithdraw: integer(MIN_WITHDRAW_CENTS, MAX_AMOUNT_CENTS, "centavos").optional(),
    frozen: z.boolean({ error: "must be true or false" }).optional(),
  })
  .openapi("ChangeCompanyTerms", {
    description: "Omitted fields keep their value. Existing charges keep their terms.",
    example: { fees: { [TRANSFER_METHOD]: { basisPoints: 99 } } },
  });

/** The same schema under each name. */
function fieldFor<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}
