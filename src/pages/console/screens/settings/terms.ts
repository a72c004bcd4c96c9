import { PAYMENT_METHODS, type PaymentMethod } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS, type CompanyTerms } from "../../../../domain/ledger/fees.ts";
import { typedReais } from "../../../../domain/shared/money.ts";
import type { Language } from "../../texts.ts";
import type { Form } from "../answers.tsx";
import { amountOf, wholeOf, type Unreadable } from "./fields.ts";

type Terms = Pick<CompanyTerms, "fees" | "releaseDays">;

/** The terms as their form shows them. A percentage has two decimals, as an amount of reais. */
export function termsForm({ fees, releaseDays }: Terms, language: Language): Form {
  return Object.fromEntries([
    ...FEE_KINDS.flatMap((kind) => [
      [`percent-${kind}`, typedReais(fees[kind].basisPoints, language)],
      [`fixed-${kind}`, typedReais(fees[kind].fixed, language)],
    ]),
    ...PAYMENT_METHODS.map((method) => [`days-${method}`, String(releaseDays[method])]),
  ]) as Form;
}

/** The posted terms as the API's change. */
export function termsOf(form: Form): Terms | Unreadable {
  const unreadable: string[] = [];
  const read = (name: string, value: number | null | undefined): number => {
    if (typeof value === "number") return value;
    unreadable.push(name);
    return 0;
  };
  const fees = Object.fromEntries(
    FEE_KINDS.map((kind) => [
      kind,
      {
        basisPoints: read(`percent-${kind}`, amountOf(form[`percent-${kind}`])),
        fixed: read(`fixed-${kind}`, amountOf(form[`fixed-${kind}`])),
      },
    ]),
  ) as Terms["fees"];
  const releaseDays = Object.fromEntries(
    PAYMENT_METHODS.map((method) => [
      method,
      read(`days-${method}`, wholeOf(form[`days-${method}`])),
    ]),
  ) as Record<PaymentMethod, number>;
  return unreadable.length > 0 ? { unreadable } : { fees, releaseDays };
}
