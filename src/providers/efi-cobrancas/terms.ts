import type { BoletoTerms } from "../../domain/charges/payment-details.ts";
import { daysBetween } from "../../domain/shared/calendar-day.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { boletoExpiresAt } from "../../methods/boleto/boleto-terms.ts";
import { amountDue } from "../../methods/terms/amount-due.ts";

/** Efí's limits: hundredths of a percent, once, and thousandths of a percent a day. */
const FINE_MAX = 1_000;
const DAILY_INTEREST_MAX = 330;
/** Hundredths of a percent a month, as far as its unit is known. */
const MONTHLY_INTEREST_MAX = 330;
/** Hundredths of a percent in the whole. */
const BASIS_POINTS = 10_000;
/** Hundredths of a percent a month in a thousandth of a percent a day: 30 days, ten thousandths to a hundredth. */
const MONTHLY_IN_DAILY = 3;

/** The terms of a boleto in Efí's fields. All are always sent: what is left out is the account's setting. */
export interface BilletTerms {
  configurations: {
    /** Days after the due date on which it can still be paid. */
    days_to_write_off: number;
    /** Hundredths of a percent. */
    fine: number;
    /** Thousandths of a percent a day, or hundredths of a percent a month. */
    interest: { value: number; type: "daily" | "monthly" };
  };
  /** Centavos. */
  conditional_discount?: { type: "currency"; value: Cents; until_date: string };
}

/** Terms of a boleto that Efí can express exactly, and the names of those that it cannot. */
export function billetTerms(
  terms: BoletoTerms,
  amount: Cents,
  { termsProven }: { termsProven: boolean },
): { terms: BilletTerms; inexpressible: ("fine" | "interest")[] } {
  const fine = fineOf(terms.fine, amount);
  const interest = interestOf(terms.interest, termsProven);
  const discount = discountOf(terms, amount);
  return {
    terms: {
      configurations: {
        days_to_write_off: daysBetween(terms.dueDate, lastDayToPay(terms)),
        fine: fine ?? 0,
        interest: interest ?? { value: 0, type: "daily" },
      },
      ...(discount === null ? {} : { conditional_discount: discount }),
    },
    inexpressible: [
      ...(fine === null ? (["fine"] as const) : []),
      ...(interest === null ? (["interest"] as const) : []),
    ],
  };
}

/** What a boleto costs at least: less than its amount where there is a discount. Centavos. */
export function smallestAmount(terms: BoletoTerms, amount: Cents): Cents {
  return amount - (discountOf(terms, amount)?.value ?? 0);
}

/** A fixed fine is one where it is a whole number of hundredths of a percent of the amount. */
function fineOf(fine: BoletoTerms["fine"], amount: Cents): number | null {
  if (fine === null) return 0;
  const points = fine.type === "PERCENTAGE" ? fine.value : (fine.value * BASIS_POINTS) / amount;
  return Number.isInteger(points) && points <= FINE_MAX ? points : null;
}

/** By the day, which Efí documents; the unit of a month it does not, so it needs the owner's proof. */
function interestOf(
  interest: BoletoTerms["interest"],
  termsProven: boolean,
): BilletTerms["configurations"]["interest"] | null {
  if (interest === null) return { value: 0, type: "daily" };
  const daily = interest.value / MONTHLY_IN_DAILY;
  if (Number.isInteger(daily) && daily <= DAILY_INTEREST_MAX)
    return { value: daily, type: "daily" };
  const isTaken = termsProven && interest.value <= MONTHLY_INTEREST_MAX;
  return isTaken ? { value: interest.value, type: "monthly" } : null;
}

/** A percentage becomes the centavos that it is, so its unit, which Efí does not write, is not needed. */
function discountOf(
  terms: BoletoTerms,
  amount: Cents,
): { type: "currency"; value: Cents; until_date: string } | null {
  if (terms.discount === null) return null;
  const { untilDate } = terms.discount;
  const due = amountDue({ ...terms, fine: null, interest: null }, amount, untilDate);
  return { type: "currency", value: amount - due, until_date: untilDate };
}

/** Without fine or interest its due date; the days that banks take to report are none to pay on. */
function lastDayToPay(terms: BoletoTerms): string {
  const isPayableLate = terms.fine !== null || terms.interest !== null;
  return isPayableLate ? saoPauloDay(boletoExpiresAt(terms)) : terms.dueDate;
}
