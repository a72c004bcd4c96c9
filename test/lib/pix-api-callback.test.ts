import { expect, test } from "vitest";
import { callbackHints } from "../../src/providers/pix-api/callback.ts";
import { FakePsp } from "../support/fake-psp/psp.ts";

const CHARGE = "01a1ff19a0d88156a0c8a36d2f000007";
const REFUND = "8f14e45fceea467ab4c6b1a2d9e0f311";
const PAYOUT = "0d6c7a1e-52f3-4b8e-9a41-6f0c2d3e4b5a";
const E2E = "E12345678202611211000abcdefghijk";

function received(more: object = {}) {
  return { endToEndId: E2E, valor: "1.00", horario: "2026-11-21T10:00:00Z", ...more };
}

test("a payment of ours leads to its charge, any other to itself", () => {
  const pix = [
    received({ txid: CHARGE }),
    received({ txid: "fc9a43k6ff384ryP5f41719" }),
    received(),
  ];

  expect(callbackHints({ pix: [pix[0]] })).toEqual([
    { kind: "charge", chargeId: CHARGE, paymentId: E2E },
  ]);
  expect(callbackHints({ pix: [pix[1]] })).toEqual([{ kind: "payment", paymentId: E2E }]);
  expect(callbackHints({ pix })).toHaveLength(2);
});

test("what a PSP adds, or leaves null, changes nothing", () => {
  const gnExtras = { pagador: { nome: "Maria" }, tarifa: "0.01" };
  const nulls = { txid: null, gnExtras: null, devolucoes: null };

  expect(callbackHints({ pix: [received({ txid: CHARGE, gnExtras })] })).toEqual([
    { kind: "charge", chargeId: CHARGE, paymentId: E2E },
  ]);
  expect(callbackHints({ pix: [received(nulls)] })).toEqual([{ kind: "payment", paymentId: E2E }]);
});

test("a return leads to the charge and to the refund it may be", () => {
  const devolucoes = [{ id: REFUND, status: "DEVOLVIDO" }, { id: "123ABC" }, null, 7];

  expect(callbackHints({ pix: [received({ txid: CHARGE, devolucoes })] })).toEqual([
    { kind: "charge", chargeId: CHARGE, paymentId: E2E },
    { kind: "refund", refundId: REFUND, paymentId: E2E },
  ]);
});

test("a payout's notice leads to the payout, another's to nothing", () => {
  const psp = new FakePsp();
  const idEnvio = PAYOUT.replaceAll("-", "");
  psp.book.putEnvio(idEnvio, { valor: "1.00", favorecido: { chave: "k" } });
  psp.settlePayout(idEnvio, "NAO_REALIZADO", "Conta inexistente");

  expect(callbackHints(psp.callbacks[0])).toEqual([{ kind: "payout", payoutId: PAYOUT }]);
  expect(callbackHints({ pix: [{ endToEndId: E2E, gnExtras: { idEnvio: "4" } }] })).toEqual([]);
});

test("the same told again is one hint, and no body makes more than a hundred", () => {
  expect(callbackHints({ pix: [received(), received()] })).toHaveLength(1);
  const many = Array.from({ length: 1_000 }, (_, n) => received({ endToEndId: `E${n}` }));
  expect(callbackHints({ pix: many })).toHaveLength(100);
});

test.each([
  null,
  "pix",
  7,
  [],
  {},
  { evento: "teste_webhook" },
  { pix: null },
  { pix: "x" },
  { pix: [null, 1, "x", [], {}] },
  { pix: [{ endToEndId: "../../etc" }, { endToEndId: "a b" }, { endToEndId: "E".repeat(65) }] },
  { pix: [{ endToEndId: 5, txid: {} }] },
  { pix: [{ gnExtras: { idEnvio: 7 } }, { gnExtras: "x" }] },
])("%j tells nothing", (body) => {
  expect(callbackHints(body)).toEqual([]);
});
