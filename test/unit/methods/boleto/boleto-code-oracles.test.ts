import { getBoletoInfo, isValidBoleto } from "@brazilian-utils/brazilian-utils";
import { codBarras2LinhaDigitavel, linhaDigitavel2CodBarras } from "@mrmgomes/boleto-utils";
import * as fc from "fast-check";
import { Boleto } from "node-boleto";
import { isBoleto } from "validation-br";
import { expect, test } from "vitest";
import { MAX_BOLETO_AMOUNT_CENTS } from "../../../../src/methods/boleto/boleto-code.ts";
import { encodeBoleto } from "../../../../src/methods/boleto/boleto-code.ts";
import { parseBoleto } from "../../../../src/methods/boleto/boleto-code-parser.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";

const RUNS = 1_000;
const seed = Date.now() % 2 ** 31;
/** A failure also prints its seed and the smallest failing boleto. */
const settings = { numRuns: RUNS, seed };

const TODAY = "2026-11-20";
const GENERAL_DIGIT_AT = 32;

const boleto = fc.record({
  bank: digits(3).filter((bank) => !bank.startsWith("8")),
  amount: fc.integer({ min: 0, max: MAX_BOLETO_AMOUNT_CENTS }),
  dueDate: fc.option(
    fc.integer({ min: -2_900, max: 5_400 }).map((days) => addDays(TODAY, days)),
    { freq: 9 },
  ),
  freeField: digits(25),
});

test(`${RUNS} encoded boletos are read alike by two other parsers (seed ${seed})`, () => {
  fc.assert(
    fc.property(boleto, (code) => {
      const { barcode, digitableLine } = encodeBoleto(code);
      const verdict = parseBoleto(digitableLine, TODAY);
      expect(verdict).toMatchObject({
        valid: true,
        content: { ...code, amount: code.amount === 0 ? null : code.amount, barcode },
      });
      expect(parseBoleto(barcode, TODAY)).toEqual(verdict);
      if (verdict.valid) {
        expect(parseBoleto(verdict.content.formattedLine, TODAY)).toEqual(verdict);
        expect(codBarras2LinhaDigitavel(barcode, true)).toBe(verdict.content.formattedLine);
      }
      expect(linhaDigitavel2CodBarras(digitableLine)).toBe(barcode);
      expect(isBoleto(digitableLine)).toBe(true);
      expect(isValidBoleto(digitableLine)).toBe(true);
      expect(getBoletoInfo(digitableLine, { referenceDate: localDate(TODAY) })).toEqual({
        bankCode: code.bank,
        amount: code.amount,
        expirationDate: code.dueDate === null ? null : localDate(code.dueDate),
      });
    }),
    settings,
  );
});

test(`${RUNS} boletos of another encoder are read with their values (seed ${seed})`, () => {
  const order = fc.record({
    amount: fc.integer({ min: 1, max: MAX_BOLETO_AMOUNT_CENTS }),
    // node-boleto does not know that factor 1000 appears again in 2049.
    dueDate: fc.integer({ min: -2_900, max: 5_400 }).map((days) => addDays(TODAY, days)),
    account: digits(7),
    ourNumber: digits(12),
  });
  fc.assert(
    fc.property(order, ({ amount, dueDate, account, ourNumber }) => {
      const written = new Boleto({
        banco: "santander",
        data_emissao: new Date(TODAY),
        data_vencimento: new Date(dueDate),
        valor: amount,
        nosso_numero: ourNumber,
        codigo_cedente: account,
        carteira: "102",
        pagador: "",
        instrucoes: "",
      });
      const { barcode_data: barcode, linha_digitavel: formattedLine } = written;
      const freeField = barcode.slice(19);
      expect(freeField).toContain(account);
      const verdict = parseBoleto(formattedLine, TODAY);
      expect(verdict).toMatchObject({
        valid: true,
        content: { barcode, formattedLine, bank: "033", amount, dueDate, freeField },
      });
      expect(encodeBoleto({ bank: "033", amount, dueDate, freeField }).barcode).toBe(barcode);
    }),
    settings,
  );
});

test(`${RUNS} lines with one changed digit get the verdict of two other parsers (seed ${seed})`, () => {
  let refused = 0;
  fc.assert(
    fc.property(boleto, fc.nat({ max: 46 }), fc.integer({ min: 1, max: 9 }), (code, at, more) => {
      const { digitableLine } = encodeBoleto(code);
      const digit = (Number(digitableLine[at]) + more) % 10;
      const changed = digitableLine.slice(0, at) + digit + digitableLine.slice(at + 1);
      const { valid } = parseBoleto(changed, TODAY);
      if (!valid) refused += 1;
      // Three remainders share one general check digit: only there may a change stay undetected.
      if (at <= GENERAL_DIGIT_AT || changed[GENERAL_DIGIT_AT] !== "1") expect(valid).toBe(false);
      expect(isValidBoleto(changed) && isBoleto(changed)).toBe(valid);
    }),
    settings,
  );
  expect(refused).toBeGreaterThan(RUNS * 0.9);
});

function digits(length: number) {
  const digit = fc.constantFrom(...Array.from("0123456789"));
  return fc.string({ unit: digit, minLength: length, maxLength: length });
}

/** Local midnight, because the library counts days in local time. */
function localDate(day: string): Date {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}
