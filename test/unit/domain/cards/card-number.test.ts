import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeBoleto, formattedLine } from "../../../../src/methods/boleto/boleto-code.ts";
import { containsCardNumber } from "../../../../src/domain/cards/card-number.ts";

/** Numbers that the brands publish for tests. */
const CARDS = {
  visa: "4242424242424242",
  mastercard: "5555555555554444",
  "mastercard of the series 2": "2223003122003222",
  "american express": "378282246310005",
  diners: "30569309025904",
  discover: "6011111111111117",
  jcb: "3566002020360505",
  unionpay: "6200000000000005",
  maestro: "6759649826438453",
  elo: "6362970000457013",
  hipercard: "6062826786276634",
};
const VISA = CARDS.visa;
const FULL_WIDTH = Array.from(VISA, (digit) => String.fromCodePoint(0xff10 + Number(digit))).join(
  "",
);

function digits(length: number) {
  return fc.stringMatching(new RegExp(`^\\d{${length}}$`));
}

describe("a card number is found", () => {
  test.each(Object.entries(CARDS))("of %s", (_brand, number) => {
    expect(containsCardNumber(number)).toBe(true);
    expect(containsCardNumber(`pedido ${number}!`)).toBe(true);
  });

  test.each([
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "4242.4242.4242.4242",
    "4242/4242/4242/4242",
    "4242_4242_4242_4242",
    "4242\u00a04242\u20074242\u202f4242",
    "4242\u20134242\u20144242\u22124242".replace("\u2212", "\u2010"),
    "4242\u200b4242\u200d4242\ufeff4242",
    "4\u00ad242424242424242",
    "4242 - 4242 - 4242 - 4242",
    "4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2",
    "42424242 42424242",
    "424242 4242424242",
    "42\n42 4242\t4242 4242",
    FULL_WIDTH,
    "4\ufe0f242424242424242",
    '{"card":"4242424242424242","cvv":"123"}',
    "77 4242 4242 4242 4242 12/30 123",
    "7 4242424242424242 123",
    "3782 822463 10005 12 2030 1234",
    "3056 930902 5904 12/30 123",
    "tx_4242424242424242",
    "https://loja.example.com/?card=4242424242424242",
    "4242424242424242 5555555555554444 378282246310005",
    "4242424242424242 6011111111111117 30569309025904, 41",
    "4242 4242 4242 4242, 5555 5555 5555 4444",
    "4242 4242 4242 4242 5555 5555 5555 4444 4242 4242 4242 4242",
  ])("in %j", (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  test("whatever separates its digits, and whatever stands around it", () => {
    const separator = fc.stringMatching(/^[\s\-./_\u200b\u00a0\u2013\u00ad]{0,4}$/);
    const around = fc.stringMatching(/^[a-zA-Z:;,(){}"']{0,20}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(CARDS)),
        fc.array(separator, { minLength: 19, maxLength: 19 }),
        around,
        around,
        (number, separators, before, after) => {
          const written = Array.from(
            number,
            (digit, at) => (at === 0 ? "" : separators[at]) + digit,
          );
          expect(containsCardNumber(before + written.join("") + after)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("is no card number:", () => {
  test.each([
    ["nothing", ""],
    ["a number that fails Luhn", "4242424242424241"],
    ["a number of no brand", "9999999999999995"],
    ["a short number", "424242424242"],
    ["one digit more", "42424242424242428"],
    ["a CPF", "529.982.247-25"],
    ["a CNPJ that passes Luhn", "36.000.000/0001-84"],
    ["a phone", "+55 (11) 98765-4321"],
    ["a time", "2026-11-22T12:00:00.000Z"],
    ["milliseconds", "1795350278999"],
    ["a clock's microseconds of 2027", "1800000000000006"],
    ["an UUID", "42424242-4242-4242-8242-424242424242"],
    ["a barcode of a product", "7891234567895"],
    ["an NF-e's key in groups", "4226 1112 3456 7800 0195 5500 1000 0000 4242 4242 4242"],
    ["an end-to-end id", "E18236120202611221200s0123456789"],
    ["a place", "-23.707240 -46.845981"],
    ["a hexadecimal id", "5366912851164049a7bfe58af9995d82"],
    ["the end of a BR Code", "62070503***63047450"],
    ["a bill's line", "84670000001-7 43590024020-9 02405000243-5 84221010811-9"],
  ])("%s", (_what, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  test("any boleto, as its line, its printed line and its barcode", () => {
    fc.assert(
      fc.property(
        digits(25),
        digits(2),
        fc.integer({ min: 0, max: 9_999_999_999 }),
        fc.integer({ min: 0, max: 9_000 }),
        (freeField, bank, amount, days) => {
          const dueDate = new Date(Date.UTC(2025, 1, 22) + days * 86_400_000);
          const { barcode, digitableLine } = encodeBoleto({
            bank: `0${bank}`,
            amount,
            dueDate: dueDate.toISOString().slice(0, 10),
            freeField,
          });
          for (const text of [barcode, digitableLine, formattedLine(digitableLine)]) {
            expect(containsCardNumber(text)).toBe(false);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

test("the search is linear in the length of a text, also of a hostile one", () => {
  const texts = [
    "4 ",
    "5 0 1 8 2 ",
    "6 0 ",
    "3 6 9 ",
    "4242-",
    "4 2 0 7 ",
    "42 ",
    " ",
    "4242424242424241 ",
  ].map((part) => part.repeat(65_536 / part.length));
  for (const text of texts) {
    const startedAt = performance.now();
    containsCardNumber(text);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
});
