import type { TransitionCharge } from "../../../../src/company/charges/command-types.ts";
import type { Decision } from "../../../../src/domain/reconciliation/contradiction.ts";
import { callsTo } from "../companies/calls.ts";
import { givenCompany, type TestCompany } from "../companies/company.ts";
import { decideInObject } from "../operations/decide.ts";
import type { Charge } from "../operations/object-operations.ts";
import { endToEndId, settle, termsOf } from "./charge-commands.ts";
import { givenTransaction } from "./transaction.ts";

export const AMOUNT = 2_500;
export const PAYMENT_ID = endToEndId(1);

/** A company with a charge that was paid by PIX, in centavos of `AMOUNT`. */
export async function givenPaid() {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: AMOUNT });
  const charge = { id, amount: AMOUNT };
  await settle(company, charge);
  return { company, charge };
}

/** The house that took the payment says that its charge ended. */
export function callEnded(
  company: TestCompany,
  charge: Charge,
  to: TransitionCharge["to"] = "cancelled",
) {
  const terms = termsOf(charge);
  const told = { companyId: company.id, terms, to, toldOfPaid: terms.account };
  return callsTo(company.id).transitionCharge(told);
}

/** Two operators decide the finding of a number. */
export function decide(
  company: TestCompany,
  decided: Partial<Decision> & Pick<Decision, "action">,
  terms: TransitionCharge["terms"] | null = null,
  number = 1,
) {
  const decision = { amount: null, transactionId: null, reason: "a test", ...decided };
  return decideInObject(company, { kind: "contradiction", number, decision, terms });
}
