import { describe, expect, test } from "vitest";
import { MAX_BOLETO_AMOUNT_CENTS } from "../../../../src/methods/boleto/boleto-code.ts";
import {
  barcodeOf,
  dueDateFactor,
  encodeBoleto,
  digitableLineOf,
  type BoletoCode,
} from "../../../../src/methods/boleto/boleto-code.ts";
import {
  BOLETO_ERRORS,
  parseBoleto,
  type BoletoErrorCode,
} from "../../../../src/methods/boleto/boleto-code-parser.ts";
import vectors from "../../../vectors/boleto.json";

const TODAY = "2026-11-20";
const FREE_FIELD = "0000001234567890123456789";
const CODE: BoletoCode = {
  bank: "001",
  amount: 2_500,
  dueDate: "2026-12-01",
  freeField: FREE_FIELD,
};
const LINE = "00190000090123456789701234567897116470000002500";

describe("encodes a boleto like other encoders", () => {
  test.each(vectors.factors)("$date is factor $factor", ({ date, factor }) => {
    expect(dueDateFactor(date)).toBe(factor);
  });

  test.each(vectors.slips)("$line", ({ barcode, line, formatted, dueDate, info }) => {
    const dueDay = dueDate ?? info.dueDateAtRef2026_11_20;
    expect(
      encodeBoleto({
        bank: info.bank,
        amount: info.amountCents,
        dueDate: dueDay,
        freeField: barcode.slice(19),
      }),
    ).toEqual({ barcode, digitableLine: line });
    expect(barcodeOf(line)).toBe(barcode);
    expect(digitableLineOf(barcode)).toBe(line);
    expect(parseBoleto(formatted, TODAY)).toEqual({
      valid: true,
      content: {
        barcode,
        digitableLine: line,
        formattedLine: formatted,
        bank: info.bank,
        amount: info.amountCents,
        factor: barcode.slice(5, 9),
        dueDate: info.dueDateAtRef2026_11_20,
        freeField: barcode.slice(19),
      },
    });
  });

  test.each(vectors.mod11Edge)(
    "a computed general check digit of $rawDv becomes 1: $line",
    ({ amountCents, barcode, line }) => {
      expect(encodeBoleto({ ...CODE, amount: amountCents })).toEqual({
        barcode,
        digitableLine: line,
      });
    },
  );

  test.each<[string, Partial<BoletoCode>]>([
    ["a bank of two digits", { bank: "01" }],
    ["a bank code that marks a utility bill", { bank: "800" }],
    ["more than its ten digits of value", { amount: MAX_BOLETO_AMOUNT_CENTS + 1 }],
    ["a negative amount", { amount: -1 }],
    ["half a centavo", { amount: 0.5 }],
    ["a free field of 24 digits", { freeField: FREE_FIELD.slice(1) }],
    ["a free field with a letter", { freeField: FREE_FIELD.replace("9", "A") }],
    ["a day that does not exist", { dueDate: "2026-02-30" }],
    ["a day before the first factor", { dueDate: "2000-07-02" }],
  ])("cannot carry %s", (_title, changes) => {
    expect(() => encodeBoleto({ ...CODE, ...changes })).toThrow(RangeError);
  });

  test.each([digitableLineOf, barcodeOf])("%o is not a boleto code", (convert) => {
    expect(() => convert(LINE.slice(1, -1))).toThrow(RangeError);
  });
});

describe("parses a boleto code", () => {
  const READINGS = vectors.cycle.flatMap(({ line, resolvedDueDateByReferenceDate }) =>
    Object.entries(resolvedDueDateByReferenceDate).map(([day, dueDate]) => [line, day, dueDate]),
  );
  test.each(READINGS)("with factor %s, seen on %s, to the date %s", (line, day, dueDate) => {
    expect(parseBoleto(line, day)).toMatchObject({ content: { dueDate } });
  });

  test("with null for an absent date and amount", () => {
    const { barcode } = encodeBoleto({ ...CODE, amount: 0, dueDate: null });
    expect(parseBoleto(barcode, TODAY)).toMatchObject({
      content: { amount: null, factor: "0000", dueDate: null },
    });
  });

  test("from a line and from a barcode alike, with any mask", () => {
    const read = parseBoleto(LINE, TODAY);
    expect(read.valid).toBe(true);
    expect(parseBoleto(barcodeOf(LINE), TODAY)).toEqual(read);
    expect(parseBoleto("00190.00009 01234.567897-01234.567897 1 16470000002500", TODAY)).toEqual(
      read,
    );
  });
});

const REFUSED: [string, BoletoErrorCode[], string][] = [
  ["a letter", ["bad_character"], `A${LINE.slice(1)}`],
  ["a digit of another script", ["bad_character"], `٠${LINE.slice(1)}`],
  ["46 digits", ["wrong_length"], LINE.slice(1)],
  ["48 digits of no utility", ["wrong_length"], `${LINE}0`],
  ["only a mask", ["wrong_length"], "-"],
  ["a utility's line", ["arrecadacao"], "846100000005246100291102005460339004695895061080"],
  ["a utility's barcode", ["arrecadacao"], "84610000000246100291100054603390069589506108"],
  ["a line with the length of a barcode", ["arrecadacao"], `8${LINE.slice(1)}`],
  ["a field changed", ["bad_field_1", "bad_check_digit"], changed(LINE, 0)],
  ["another field changed", ["bad_field_2", "bad_check_digit"], changed(LINE, 12)],
  ["the third field changed", ["bad_field_3", "bad_check_digit"], changed(LINE, 24)],
  ["a changed check digit of a field", ["bad_field_3"], changed(LINE, 31)],
  ["the general check digit changed", ["bad_check_digit"], changed(LINE, 32)],
  ["the value changed", ["bad_check_digit"], changed(LINE, 46)],
  [
    "all fields changed",
    ["bad_field_1", "bad_field_2", "bad_field_3", "bad_check_digit"],
    changed(changed(changed(LINE, 1), 11), 23),
  ],
  ["another currency", ["wrong_currency", "bad_field_1", "bad_check_digit"], changed(LINE, 3)],
  ["all zeros", ["wrong_currency", "bad_check_digit"], "0".repeat(47)],
];

describe("names every rule that a code breaks", () => {
  test.each(REFUSED)("%s: %j", (_title, reasons, text) => {
    expect(parseBoleto(text, TODAY)).toEqual({ valid: false, reasons });
  });

  test("the tested codes cover every reason", () => {
    const met = new Set(REFUSED.flatMap(([, reasons]) => reasons));
    expect([...met].toSorted()).toEqual(Object.keys(BOLETO_ERRORS).toSorted());
  });

  test.each(vectors.invalid)("$name", ({ line }) => {
    expect(parseBoleto(line, TODAY)).toMatchObject({ valid: false });
  });
});

/** Increases one digit by one. */
function changed(line: string, at: number): string {
  return line.slice(0, at) + String((Number(line[at]) + 1) % 10) + line.slice(at + 1);
}
