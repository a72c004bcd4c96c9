import type { RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import { addDays, daysBetween } from "../../domain/shared/calendar-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** The content of a barcode of bank collection (cobrança bancária). */
export interface BoletoCode {
  /** Three digits (COMPE). */
  bank: string;
  /** Centavos; 0 where the payer chooses. */
  amount: Cents;
  /** `YYYY-MM-DD`; null for a boleto without one. */
  dueDate: string | null;
  /** 25 digits, the bank's own (campo livre). */
  freeField: string;
}

/** The largest amount of a barcode's ten digits of value (FEBRABAN), centavos. */
export const MAX_BOLETO_AMOUNT_CENTS: Cents = 9_999_999_999;
/** The digit of the real, the only currency of a boleto. */
export const CURRENCY_DIGIT = "9";
/** The factor's day 0 (BACEN, Carta-Circular 2926/2000). */
const FACTOR_BASE = "1997-10-07";
/** Of 2000-07-03, and again of 2025-02-22, after 9999. */
const FIRST_FACTOR = 1_000;
const FACTOR_CYCLE = 9_000;
const NO_FACTOR = "0000";
/** How far ahead of its reader a factor is taken to point. */
const MAX_FUTURE_DAYS = 5_500;

/** 8 stands for another layout, of taxes and utilities (arrecadação). */
const BANK = /^[0-79]\d{2}$/;
const FREE_FIELD = /^\d{25}$/;
const BARCODE = /^\d{44}$/;
const DIGITABLE_LINE = /^\d{47}$/;
const LINE_GROUPS = /^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/;

/**
 * The barcode (44 digits) of a boleto and the line that a person types for it (47), by BACEN's
 * Carta-Circular 2926/2000 and FEBRABAN's layout. Throws a `RangeError` for what they cannot carry.
 */
export function encodeBoleto({
  bank,
  amount,
  dueDate,
  freeField,
}: BoletoCode): Pick<RegisteredBoleto, "barcode" | "digitableLine"> {
  if (!BANK.test(bank)) throw new RangeError(`${bank} is not a bank code`);
  if (!FREE_FIELD.test(freeField)) throw new RangeError("the free field has 25 digits");
  if (!Number.isInteger(amount) || amount < 0 || amount > MAX_BOLETO_AMOUNT_CENTS) {
    throw new RangeError(`a boleto cannot carry ${amount} centavos`);
  }
  const head = bank + CURRENCY_DIGIT;
  const rest = dueDateFactor(dueDate) + String(amount).padStart(10, "0") + freeField;
  const barcode = head + mod11(head + rest) + rest;
  return { barcode, digitableLine: digitableLineOf(barcode) };
}

/**
 * The four digits of a due date (fator de vencimento): days since 1997-10-07, which after 9999
 * (2025-02-21) go on from 1000. `0000` is no due date. Throws before 2000-07-03, the first 1000.
 */
export function dueDateFactor(dueDate: string | null): string {
  if (dueDate === null) return NO_FACTOR;
  const days = daysBetween(FACTOR_BASE, dueDate);
  if (days < FIRST_FACTOR) throw new RangeError(`a due date factor cannot express ${dueDate}`);
  return String(((days - FIRST_FACTOR) % FACTOR_CYCLE) + FIRST_FACTOR);
}

/**
 * The due date of a factor; null below 1000, which no date has. A factor comes back every 9,000 days
 * and no standard says which date is meant: it is the last one up to 5,500 days after
 * `referenceDay`, so that a boleto may be fifteen years ahead and more than nine overdue.
 */
export function dueDateOf(factor: string, referenceDay: string): string | null {
  const days = Number(factor);
  if (days < FIRST_FACTOR) return null;
  const first = addDays(FACTOR_BASE, days);
  const cycles = Math.floor((daysBetween(first, referenceDay) + MAX_FUTURE_DAYS) / FACTOR_CYCLE);
  return addDays(first, Math.max(0, cycles) * FACTOR_CYCLE);
}

/** The typed line (47 digits) of a barcode (44): its three first fields get a check digit each. */
export function digitableLineOf(barcode: string): string {
  if (!BARCODE.test(barcode)) throw new RangeError("a boleto's barcode has 44 digits");
  const fields = [
    barcode.slice(0, 4) + barcode.slice(19, 24),
    barcode.slice(24, 34),
    barcode.slice(34),
  ];
  return fields.map((field) => field + mod10(field)).join("") + barcode.slice(4, 19);
}

/** The barcode (44 digits) of a typed line (47), whose three check digits of fields are left out. */
export function barcodeOf(digitableLine: string): string {
  const [first, second, third] = digitableLineFields(digitableLine);
  return (
    first.slice(0, 4) +
    digitableLine.slice(32) +
    first.slice(4, -1) +
    second.slice(0, -1) +
    third.slice(0, -1)
  );
}

/** The three fields of a typed line that end in a check digit of their own. */
export function digitableLineFields(digitableLine: string): [string, string, string] {
  if (!DIGITABLE_LINE.test(digitableLine)) throw new RangeError("a boleto's line has 47 digits");
  return [digitableLine.slice(0, 10), digitableLine.slice(10, 21), digitableLine.slice(21, 32)];
}

/** A typed line as a slip prints it: `AAABC.CCCCX DDDDD.DDDDDY EEEEE.EEEEEZ K UUUUVVVVVVVVVV`. */
export function formattedLine(digitableLine: string): string {
  return digitableLine.replace(LINE_GROUPS, "$1.$2 $3.$4 $5.$6 $7 $8");
}

/** The check digit of a field of the line: weights 2 and 1 from the right, digits of products summed. */
export function mod10(digits: string): string {
  const sum = digitsFromRight(digits).reduce((total, digit, index) => {
    const product = digit * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** The general check digit, over the other 43 of the barcode: weights 2 to 9 from the right, never 0. */
export function mod11(digits: string): string {
  const sum = digitsFromRight(digits).reduce((total, digit, index) => {
    return total + digit * ((index % 8) + 2);
  }, 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? "1" : String(digit);
}

function digitsFromRight(digits: string): number[] {
  return Array.from(digits, Number).toReversed();
}
