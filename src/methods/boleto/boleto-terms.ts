import type { BoletoTerms } from "../../domain/charges/payment-details.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";

/** Banks report a payment some days after it was made. */
const BANK_REPORT_DAYS = 3;
/** A boleto with fine or interest may be paid for this long after its due date. */
const LATE_PAYMENT_DAYS = 30;

/** The expiry of an unpaid boleto (epoch ms): the end of a day some days after its due date. */
export function boletoExpiresAt(terms: Pick<BoletoTerms, "dueDate" | "fine" | "interest">): number {
  const days =
    terms.fine === null && terms.interest === null ? BANK_REPORT_DAYS : LATE_PAYMENT_DAYS;
  return endOfDay(addDays(terms.dueDate, days));
}
