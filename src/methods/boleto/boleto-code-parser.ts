import {
  barcodeOf,
  CURRENCY_DIGIT,
  dueDateOf,
  formattedLine,
  digitableLineFields,
  digitableLineOf,
  mod10,
  mod11,
} from "./boleto-code.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** Why a text is no boleto of bank collection: a word for programs and a sentence for people. */
export const BOLETO_ERRORS = {
  bad_character: "The code may contain only digits, spaces, points and hyphens.",
  arrecadacao:
    "This is a tax or utility bill (arrecadação: 48 digits, or a barcode that begins with " +
    "8). Such bills have another layout and are not accepted here.",
  wrong_length: "The digitable line of a boleto has 47 digits; its barcode has 44.",
  wrong_currency: "The fourth digit (the currency) must be 9, the Brazilian real.",
  bad_field_1:
    "The check digit of the first field (digit 10) does not match: the field was mistyped.",
  bad_field_2:
    "The check digit of the second field (digit 21) does not match: the field was mistyped.",
  bad_field_3:
    "The check digit of the third field (digit 32) does not match: the field was mistyped.",
  bad_check_digit:
    "The general check digit (33 of the line, 5 of the barcode) does not match: the code was changed.",
} as const;
export type BoletoErrorCode = keyof typeof BOLETO_ERRORS;

/** The content of a boleto; null where it gives none. */
interface BoletoContent {
  barcode: string;
  digitableLine: string;
  formattedLine: string;
  /** Three digits (COMPE). */
  bank: string;
  /** Centavos. */
  amount: Cents | null;
  /** Four digits (fator de vencimento). */
  factor: string;
  /** `YYYY-MM-DD`; see `dueDateOf` for which of a factor's dates. */
  dueDate: string | null;
  freeField: string;
}

export type BoletoParseResult =
  | { valid: true; content: BoletoContent }
  | { valid: false; reasons: BoletoErrorCode[] };

const SEPARATORS = /[ .-]/g;
const DIGITS = /^[0-9]*$/;
const BARCODE_LENGTH = 44;
const LINE_LENGTH = 47;
const ARRECADACAO_LENGTH = 48;
const FIELD_ERRORS = ["bad_field_1", "bad_field_2", "bad_field_3"] as const;

/**
 * Reads a boleto's line, masked or not, or its barcode strictly (BACEN, Carta-Circular 2926/2000),
 * and returns its content, or every rule it breaks. The due date is read as of `referenceDay`.
 */
export function parseBoleto(text: string, referenceDay: string): BoletoParseResult {
  const digits = text.replaceAll(SEPARATORS, "");
  const shape = formatError(digits);
  if (shape !== undefined) return { valid: false, reasons: [shape] };
  const isLine = digits.length === LINE_LENGTH;
  const barcode = isLine ? barcodeOf(digits) : digits;
  const reasons = [
    ...(barcode[3] === CURRENCY_DIGIT ? [] : ["wrong_currency" as const]),
    ...(isLine ? checkDigitErrors(digits) : []),
    ...(mod11(barcode.slice(0, 4) + barcode.slice(5)) === barcode[4]
      ? []
      : ["bad_check_digit" as const]),
  ];
  if (reasons.length > 0) return { valid: false, reasons };
  return { valid: true, content: toContent(barcode, referenceDay) };
}

function formatError(digits: string): BoletoErrorCode | undefined {
  if (!DIGITS.test(digits)) return "bad_character";
  const isWhole = digits.length === BARCODE_LENGTH || digits.length === LINE_LENGTH;
  if (digits.startsWith("8") && (isWhole || digits.length === ARRECADACAO_LENGTH)) {
    return "arrecadacao";
  }
  return isWhole ? undefined : "wrong_length";
}

function checkDigitErrors(line: string): BoletoErrorCode[] {
  const fields = digitableLineFields(line);
  return FIELD_ERRORS.filter((_fault, index) => {
    const field = fields[index] ?? "";
    return mod10(field.slice(0, -1)) !== field.at(-1);
  });
}

function toContent(barcode: string, referenceDay: string): BoletoContent {
  const digitableLine = digitableLineOf(barcode);
  const factor = barcode.slice(5, 9);
  const amount = Number(barcode.slice(9, 19));
  return {
    barcode,
    digitableLine,
    formattedLine: formattedLine(digitableLine),
    bank: barcode.slice(0, 3),
    amount: amount === 0 ? null : amount,
    factor,
    dueDate: dueDateOf(factor, referenceDay),
    freeField: barcode.slice(19),
  };
}
