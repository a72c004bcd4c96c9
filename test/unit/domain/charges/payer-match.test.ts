import { expect, it } from "vitest";
import { payerMatch, whoPaid } from "../../../../src/domain/charges/payer-match.ts";

const CPF = "12345678909";
const CNPJ = "11222333000181";
const ALPHANUMERIC_CNPJ = "12ABC34501DE35";

it.each([
  ["a whole document", CPF, CPF, "matches"],
  ["with punctuation", "123.456.789-09", CPF, "matches"],
  ["a masked CPF", "***.456.789-**", CPF, "matches"],
  ["a masked CPF without punctuation", "***456789**", CPF, "matches"],
  ["a masked CNPJ", "**.222.333/****-**", CNPJ, "matches"],
  ["a CNPJ with letters, in lower case", "12abc34501de35", ALPHANUMERIC_CNPJ, "matches"],
  ["another's document", "11144477735", CPF, "differs"],
  ["one visible digit that differs", "***.456.780-**", CPF, "differs"],
  ["a CNPJ for a CPF", CNPJ, CPF, "differs"],
  ["too few visible digits", "***.***.789-**", CPF, "unknown"],
  ["a visible digit that differs among few", "***.***.780-**", CPF, "differs"],
  ["no document", "", CPF, "unknown"],
  ["no document of the customer", CPF, "", "unknown"],
  ["a text of another length", "4567", CPF, "unknown"],
])("%s: %j of %j", (_what, reported, customer, expected) => {
  expect(payerMatch(reported, customer)).toBe(expected);
});

const PIX = { paymentId: "E1823612020261122122648vmpfg9qo5" };
const NOBODY = { name: "", documentNumber: "" };
const payer = (document: string | null, name: string | null = "Ana Souza") => ({
  name,
  document,
  ispb: null,
});

it.each([
  ["a whole document is masked", payer(CPF), "***.456.789-**"],
  ["a masked one stays as it was masked", payer("***456789**"), "***.456.789-**"],
  ["a masked one with other digits hidden", payer("123.***.***-09"), "123.***.***-09"],
  ["a CNPJ", payer(CNPJ), "**.222.333/****-**"],
  ["what is no document is dropped", payer("RG 123"), null],
])("who paid: %s", (_what, reported, documentMasked) => {
  expect(whoPaid({ ...PIX, payer: reported }, NOBODY)).toEqual({
    paidBy: { name: "Ana Souza", documentMasked, ispb: "18236120" },
    payerMatch: "unknown",
  });
});

it("who paid: the customer himself, the institution only, or nobody that is known", () => {
  const customer = { name: "Ana Souza", documentNumber: CPF };
  expect(whoPaid({ ...PIX, payer: "customer" }, customer)).toEqual({
    paidBy: { name: "Ana Souza", documentMasked: "***.456.789-**", ispb: "18236120" },
    payerMatch: "matches",
  });
  expect(whoPaid(PIX, customer)).toEqual({
    paidBy: { name: null, documentMasked: null, ispb: "18236120" },
    payerMatch: "unknown",
  });
  expect(whoPaid({ paymentId: "B20261122" }, customer)).toEqual({
    paidBy: null,
    payerMatch: "unknown",
  });
});
