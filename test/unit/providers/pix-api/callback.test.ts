import { expect, test } from "vitest";
import { parseCallback } from "../../../../src/providers/pix-api/callback.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

const CHARGE = "01a1ff19a0d88156a0c8a36d2f000007";
const REFUND = "8f14e45fceea467ab4c6b1a2d9e0f311";
const PAYOUT = "0d6c7a1e-52f3-4b8e-9a41-6f0c2d3e4b5a";
const E2E = "E12345678202611211000abcdefghijk";
const NOTICES = { kind: "payment", paymentId: E2E, returns: [] };
const UNREADABLE = { kind: "unreadable", report: { kind: "unreadable" } };

function received(more: object = {}) {
  return { endToEndId: E2E, valor: "1.00", horario: "2026-11-21T10:00:00Z", ...more };
}

test("a payment of a Centavo txid refers to its charge, any other to itself", () => {
  const pix = [
    received({ txid: CHARGE }),
    received({ txid: "fc9a43k6ff384ryP5f41719" }),
    received(),
  ];

  expect(parseCallback({ pix: [pix[0]] })).toEqual([
    { kind: "charge", chargeId: CHARGE, report: NOTICES },
  ]);
  expect(parseCallback({ pix: [pix[1]] })).toEqual([{ kind: "payment", report: NOTICES }]);
  expect(parseCallback({ pix })).toHaveLength(2);
});

test("ignores additional fields and null fields of a PSP", () => {
  const gnExtras = { pagador: { nome: "Maria" }, tarifa: "0.01" };
  const nulls = { txid: null, gnExtras: null, devolucoes: null };

  expect(parseCallback({ pix: [received({ txid: CHARGE, gnExtras })] })).toEqual([
    { kind: "charge", chargeId: CHARGE, report: NOTICES },
  ]);
  expect(parseCallback({ pix: [received(nulls)] })).toEqual([{ kind: "payment", report: NOTICES }]);
});

test("a return refers to its charge, with its status, and to a possible refund", () => {
  const devolucoes = [
    { id: REFUND, status: "DEVOLVIDO" },
    { id: "123ABC" },
    { id: "med", status: "NAO_REALIZADO" },
    { id: "new", status: "EM_ANALISE" },
  ];
  const returns = [
    { id: REFUND, status: "DONE" },
    { id: "123ABC", status: "OPEN" },
    { id: "med", status: "FAILED" },
    { id: "new", status: "OPEN" },
  ];

  expect(parseCallback({ pix: [received({ txid: CHARGE, devolucoes })] })).toEqual([
    { kind: "charge", chargeId: CHARGE, report: { ...NOTICES, returns } },
    { kind: "refund", refundId: REFUND, paymentId: E2E },
  ]);
});

test.each([[[null]], [[{ id: "a b" }]], ["x"], [{}]])(
  "reports unparseable returns (%j) next to the payment",
  (devolucoes) => {
    expect(parseCallback({ pix: [received({ devolucoes })] })).toEqual([
      { kind: "payment", report: NOTICES },
      UNREADABLE,
    ]);
  },
);

test("a payout's notice refers to the payout, with a foreign idEnvio too", () => {
  const psp = new FakePsp();
  const idEnvio = PAYOUT.replaceAll("-", "");
  psp.book.putEnvio(idEnvio, { valor: "1.00", favorecido: { chave: "k" } });
  psp.settlePayout(idEnvio, "NAO_REALIZADO", "Conta inexistente");

  expect(parseCallback(psp.callbacks[0])).toEqual([
    { kind: "payout", payoutId: PAYOUT, report: { kind: "payout", status: "FAILED", returned: 0 } },
  ]);
  const devolucoes = [
    { valor: "1.50", status: "DEVOLVIDO" },
    { valor: "2.00", status: "EM_PROCESSAMENTO" },
    { valor: "x", status: "DEVOLVIDO" },
  ];
  const back = { status: "REALIZADO", gnExtras: { idEnvio }, devolucoes };
  expect(parseCallback({ pix: [back] })).toEqual([
    { kind: "payout", payoutId: PAYOUT, report: { kind: "payout", status: "PAID", returned: 150 } },
  ]);
  const foreign = { endToEndId: E2E, gnExtras: { idEnvio: "4" } };
  expect(parseCallback({ pix: [foreign] })).toEqual([
    { kind: "payout", payoutId: "4", report: { kind: "payout", status: "OPEN", returned: 0 } },
  ]);
});

test("a payout's return reports the returned amount", () => {
  const gnExtras = { idEnvio: PAYOUT.replaceAll("-", "") };
  const notice = { tipo: "DEVOLUCAO", status: "DEVOLVIDO", valor: "3.00", gnExtras };

  expect(parseCallback({ pix: [notice] })).toEqual([
    { kind: "payout", payoutId: PAYOUT, report: { kind: "payout", status: "PAID", returned: 300 } },
  ]);
});

test("merges repeated notices and limits a body to a hundred", () => {
  expect(parseCallback({ pix: [received(), received()] })).toHaveLength(1);
  const many = Array.from({ length: 1_000 }, (_, n) => received({ endToEndId: `E${n}` }));
  expect(parseCallback({ pix: many })).toHaveLength(100);
});

test.each([null, "pix", 7, [], {}, { evento: "teste_webhook" }, { pix: null }, { pix: "x" }])(
  "%j contains no notice",
  (body) => {
    expect(parseCallback(body)).toEqual([]);
  },
);

test.each([
  { pix: [null, 1, "x", [], {}] },
  { pix: [{ endToEndId: "../../etc" }, { endToEndId: "a b" }, { endToEndId: "E".repeat(65) }] },
  { pix: [{ endToEndId: 5, txid: {} }] },
  { pix: [{ gnExtras: { idEnvio: 7 } }, { gnExtras: "x" }] },
])("%j is reported as unparseable", (body) => {
  expect(parseCallback(body)).toEqual([UNREADABLE]);
});
