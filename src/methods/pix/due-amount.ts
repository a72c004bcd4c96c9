import type { PixDueTerms } from "../../domain/charges/payment-details.ts";
import { businessDayFrom } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { amountDue } from "../terms/amount-due.ts";

/**
 * The amount owed for a PIX with a due date on a day (`YYYY-MM-DD` in America/Sao_Paulo), centavos, at
 * least 1. BACEN moves due date and discount date to the next business day, so that the interest, unlike
 * a boleto's, is counted from the moved date (Manual de Padrões para Iniciação do Pix).
 */
export function pixAmountDue({ discount, ...due }: PixDueTerms, amount: Cents, day: string): Cents {
  const moved = {
    ...due,
    dueDate: businessDayFrom(due.dueDate),
    discount:
      discount === null ? null : { ...discount, untilDate: businessDayFrom(discount.untilDate) },
  };
  return amountDue(moved, amount, day);
}
