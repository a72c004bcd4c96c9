import { describe, expect, test } from "vitest";
import type { BoletoTerms } from "../../../../../src/domain/charges/payment-details.ts";
import type { TransactionRecord } from "../../../../../src/domain/charges/transaction.ts";
import { hasSlip, toSlip } from "../../../../../src/methods/boleto/slip/slip.ts";
import {
  givenCharge,
  SLIP_COMPANY,
  SLIP_RENDERED_AT,
} from "../../../../support/builders/charges/slip.ts";

const WEEKEND = "Vencimento em fim de semana: sem encargos até 07/12/2026.";

test("a slip shows in Portuguese all that a payer and a bank need", () => {
  const charge = givenCharge({ instructions: "Não receber em cheque.\n\n Pedido 1001 \r\n" });
  expect(toSlip(charge, SLIP_COMPANY, SLIP_RENDERED_AT)).toEqual({
    bank: "001-9",
    payment: {
      formattedLine: "00190.00009 01234.567897 01234.567897 6 16510000123456",
      barcode: "00196165100001234560000001234567890123456789",
      qrcode: charge.boleto.registered.qrcode,
    },
    stamp: null,
    isTest: false,
    beneficiary: { name: "Açougue São João Ltda", document: "11.222.333/0001-81" },
    payer: {
      name: "Maria da Silva",
      document: "123.456.789-09",
      address: ["Rua das Flores, 10", "Centro - São Paulo/SP", "CEP 01001-000"],
    },
    dueDate: "05/12/2026",
    issuedOn: "21/11/2026",
    amount: "R$ 1.234,56",
    documentNumber: "PED-1001",
    ourNumber: "1234567890-1",
    terms: [WEEKEND],
    instructions: "Não receber em cheque. / Pedido 1001",
  });
});

test.each([
  ["237", "237-2"],
  ["341", "341-7"],
  ["033", "033-7"],
  ["104", "104-0"],
  ["756", "756-0"],
  ["748", "748-X"],
])("bank %s is printed as %s", (bank, printed) => {
  const { registered } = givenCharge().boleto;
  const charge = givenCharge({
    registered: { ...registered, barcode: bank + registered.barcode.slice(3) },
  });
  expect(toSlip(charge, SLIP_COMPANY, SLIP_RENDERED_AT).bank).toBe(printed);
});

const FINE = { type: "PERCENTAGE", value: 200 } as const;
const DISCOUNT = { type: "FIXED", value: 500, untilDate: "2026-11-30" } as const;

describe("the terms are full sentences", () => {
  test.each<[string, Partial<BoletoTerms>, string, string[]]>([
    ["no terms", { dueDate: "2026-12-04" }, "2026-11-21", []],
    [
      "a discount with today's amount",
      { dueDate: "2026-12-04", discount: DISCOUNT },
      "2026-11-30",
      ["Até 30/11/2026: desconto de R$ 5,00.", "Valor para pagamento em 30/11/2026: R$ 1.229,56."],
    ],
    [
      "an expired discount",
      { dueDate: "2026-12-04", discount: { ...DISCOUNT, type: "PERCENTAGE", value: 1_050 } },
      "2026-12-01",
      ["Até 30/11/2026: desconto de 10,50%."],
    ],
    [
      "a fine above the amount, added in full",
      { dueDate: "2026-12-04", fine: { type: "FIXED", value: 200_000 } },
      "2026-12-05",
      [
        "Após o vencimento: multa de R$ 2.000,00.",
        "Valor para pagamento em 05/12/2026: R$ 3.234,56.",
      ],
    ],
    [
      "fine and interest",
      { fine: FINE, interest: { value: 100 } },
      "2026-12-07",
      [
        WEEKEND,
        "Após o vencimento: multa de 2,00%.",
        "Após o vencimento: juros de 1,00% ao mês, proporcionais aos dias de atraso.",
      ],
    ],
    [
      "a fine in reais with today's amount",
      { dueDate: "2026-12-04", fine: { type: "FIXED", value: 250 } },
      "2026-12-05",
      ["Após o vencimento: multa de R$ 2,50.", "Valor para pagamento em 05/12/2026: R$ 1.237,06."],
    ],
  ])("%s", (_title, terms, day, sentences) => {
    const noon = Date.parse(`${day}T12:00:00-03:00`);
    expect(toSlip(givenCharge(terms), SLIP_COMPANY, noon).terms).toEqual(sentences);
  });
});

describe("a slip that must no longer be paid", () => {
  test.each<[Partial<TransactionRecord>, string]>([
    [{ status: "paid" }, "PAGO"],
    [{ status: "refunded" }, "DEVOLVIDO"],
    [{ status: "cancelled", cancelReason: "REQUESTED" }, "CANCELADO"],
    [{ status: "cancelled", cancelReason: "EXPIRED" }, "EXPIRADO"],
    [{ status: "failed" }, "CANCELADO"],
    [{ status: "refused" }, "CANCELADO"],
  ])("of status %j has the stamp %s", (changes, stamp) => {
    const charge = givenCharge({ dueDate: "2026-12-04", discount: DISCOUNT }, changes);
    const slip = toSlip(charge, SLIP_COMPANY, SLIP_RENDERED_AT);
    expect(slip).toMatchObject({ stamp, payment: null });
    expect(slip.terms).toEqual(["Até 30/11/2026: desconto de R$ 5,00."]);
  });
});

test("a payer with few fields leaves no gaps", () => {
  const { payer } = givenCharge();
  const unknown = { ...payer, documentNumber: "", address: { city: "Recife", zipCode: "X1" } };
  expect(toSlip(givenCharge({}, { payer: unknown }), SLIP_COMPANY, SLIP_RENDERED_AT).payer).toEqual(
    {
      name: "Maria da Silva",
      document: "",
      address: ["Recife", "CEP X1"],
    },
  );
});

test("masks an alphanumeric CNPJ, and marks a sandbox slip as a test", () => {
  const company = { ...SLIP_COMPANY, bankDocument: "12ABC34501DE35", mode: "sandbox" as const };
  expect(toSlip(givenCharge(), company, SLIP_RENDERED_AT)).toMatchObject({
    beneficiary: { document: "12.ABC.345/01DE-35" },
    isTest: true,
  });
});

test("there is no slip before the provider has registered the boleto", () => {
  expect(hasSlip(givenCharge())).toBe(true);
  expect(hasSlip(givenCharge({ registered: null }))).toBe(false);
  expect(hasSlip({ ...givenCharge(), boleto: null })).toBe(false);
});
