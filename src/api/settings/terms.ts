import { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import { updateCompanyTerms, type TermsChange } from "../../db/companies/companies.ts";
import {
  DEFAULT_FEES,
  FEE_KINDS,
  MAX_BASIS_POINTS,
  type CompanyTerms,
} from "../../domain/ledger/fees.ts";
import { PAYMENT_METHODS, TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { DEFAULT_RELEASE_DAYS } from "../../methods/registry.ts";
import { MAX_AMOUNT_CENTS, MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import type { Env } from "../../config.ts";
import { integer } from "../../http/fields/fields.ts";
import { updateCredentials } from "./credentials.ts";

const RELEASE_DAYS_MAX = 365;

const Fee = z.object({
  basisPoints: z.int().openapi({ example: 99, description: "hundredths of a percent" }),
  fixed: z.int().openapi({ example: 30, description: "centavos" }),
});

/** The commercial terms the operator agreed with a company. */
export const Terms = z
  .object({
    fees: z.object(fieldFor(FEE_KINDS, Fee)),
    releaseDays: z.object(fieldFor(PAYMENT_METHODS, z.int())),
    minimumWithdraw: z.int().openapi({ description: "centavos" }),
    frozen: z.boolean().openapi({ description: "Withdraws are refused, and none is sent." }),
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
    description: "Parts left out stay as they are. Charges made before keep their terms.",
    example: { fees: { [TRANSFER_METHOD]: { basisPoints: 99 } } },
  });

export async function showTerms(env: Env, companyId: number, terms: CompanyTerms) {
  const frozen = await callCompany(env, companyId, (account) => account.isFrozen());
  return { ...terms, frozen };
}

/** Changes what is named, the rest stays; answers all of it, or null where there is no such company. */
export async function changeTerms(
  env: Env,
  companyId: number,
  change: z.output<typeof ChangeTerms>,
) {
  const { frozen, ...terms } = change;
  const changed = await updateCredentials(env, companyId, () =>
    updateCompanyTerms(env, companyId, terms as TermsChange),
  );
  if (changed === null) return null;
  if (frozen !== undefined) {
    await callCompany(env, companyId, (account) => account.setFrozen(companyId, frozen));
  }
  return showTerms(env, companyId, changed);
}

/** The same schema under each name. */
function fieldFor<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}
