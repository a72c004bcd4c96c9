import type {
  decideContradiction,
  getContradiction,
} from "../../../../../api/operator/contradictions/routes.ts";
import { asTyped } from "../../../form.ts";
import type { JsonOf, RouteBody } from "../../../../../http/openapi/route-types.ts";
import { amountOf } from "../../settings/fields.ts";
import type { Form } from "../../answers.tsx";

export const CONTRADICTIONS_PATH = "/console/operator/contradictions";

/** What a provider said against what was booked. Centavos. */
export type Contradiction = RouteBody<typeof getContradiction>;

/** A decision as a person typed it. */
export interface TypedDecision {
  action: string;
  /** In reais, with a minus for a debit. */
  amount: string;
  transactionId: string;
  reason: string;
}

/** The fields of a form; absent ones are empty. */
export function typedDecision(form: Form): TypedDecision {
  const text = (name: string) => (form[name] ?? "").trim();
  return {
    action: text("action"),
    amount: text("amount"),
    transactionId: text("transactionId"),
    reason: text("reason"),
  };
}

/** Signed reais as centavos; null for another text. */
function signedCents(typed: string): number | null {
  const isDebit = /^[-−]/.test(typed);
  const cents = amountOf(isDebit ? typed.slice(1) : typed);
  if (typeof cents !== "number") return null;
  return isDebit ? 0 - cents : cents;
}

/** The API's request; null if the amount of a correction is no amount. */
export function decisionRequest({
  action,
  amount,
  transactionId,
  reason,
}: TypedDecision): (JsonOf<typeof decideContradiction> & { amount?: number }) | null {
  const cents = action === "correct" ? signedCents(amount) : undefined;
  if (cents === null) return null;
  return {
    action: asTyped(action),
    reason,
    ...(cents === undefined ? {} : { amount: cents }),
    ...(action === "credit" ? { transactionId } : {}),
  };
}
