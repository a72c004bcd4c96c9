import { expect, it, vi } from "vitest";
import { idEnvioOf } from "../../../../src/providers/pix-api/refunds-and-payouts.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import {
  payoutOrder,
  pixOrder,
  refundOrder,
} from "../../../support/builders/providers/provider-orders.ts";

const URL = "https://psp.example.com";

function given() {
  const psp = new FakePsp();
  return { psp, bank: pspProvider(pspConfig(URL), psp.fetch) };
}

async function givenPaid() {
  const { psp, bank } = given();
  const order = pixOrder();
  await bank.createCharge(order);
  const paymentId = psp.pay(order.chargeId);
  return { psp, bank, payment: { chargeId: order.chargeId, paymentId } };
}

it("a refund is processing until the PSP reports that it is done or why it failed", async () => {
  const { psp, bank, payment } = await givenPaid();
  const [done, failed] = [refundOrder(payment, 700), refundOrder(payment, 800)];
  for (const refund of [done, failed]) {
    expect(await bank.sendRefund(refund)).toEqual({ kind: "processing" });
  }

  psp.settleDevolucao(payment.paymentId, done.refundId, "DEVOLVIDO");
  psp.settleDevolucao(payment.paymentId, failed.refundId, "NAO_REALIZADO", "Conta\n encerrada");

  expect(await bank.findRefund(done)).toEqual({ kind: "done" });
  expect(await bank.findRefund(failed)).toEqual({ kind: "failed", reason: "Conta encerrada" });
  expect(await bank.findCharge(payment.chargeId)).toMatchObject({ disputes: [] });
});

it.each(["new_status", "other_amount", "other_id"] as const)(
  "a refund whose response has %s is unknown and is looked up by its id",
  async (fault) => {
    const { psp, bank, payment } = await givenPaid();
    const refund = refundOrder(payment, 2_500);
    psp.faultOnce(fault);

    expect(await bank.sendRefund(refund)).toEqual({ kind: "unknown" });
    psp.faultOnce(fault);
    expect(await bank.findRefund(refund)).toEqual({ kind: "unknown" });
    expect(await bank.findRefund(refund)).toEqual({ kind: "processing" });
    expect(psp.refundedAmount(payment.paymentId)).toBe(2_500);
  },
);

it("a refund of a payment that this account does not know is unknown, not failed", async () => {
  const { bank } = given();
  const refund = refundOrder({ chargeId: null, paymentId: "E12345678202611210000abcdefghijk" }, 1);

  expect(await bank.sendRefund(refund)).toEqual({ kind: "unknown" });
  expect(await bank.findRefund(refund)).toEqual({ kind: "not_found" });
  expect(await bank.sendRefund({ ...refund, paymentId: null })).toMatchObject({ kind: "failed" });
});

it("a rejected refund is unknown while its lookup fails", async () => {
  const { psp, bank, payment } = await givenPaid();
  psp.faultOnce("unavailable", /^GET .*devolucao/);

  expect(await bank.sendRefund(refundOrder(payment, 9_999))).toEqual({ kind: "unknown" });
  expect(await bank.sendRefund(refundOrder(payment, 9_999))).toEqual({
    kind: "failed",
    reason: "A devolução excederia o valor do pix.",
  });
});

it("a payout names its payee, and ends when the receiving bank has decided", async () => {
  const { psp, bank } = given();
  const asked: unknown[] = [];
  const spy = pspProvider(pspConfig(URL), async (request) => {
    if (request.method === "PUT") asked.push(await request.clone().json());
    return psp.fetch(request);
  });
  const [paid, failed] = [payoutOrder({ description: " Repasse " }), payoutOrder()];
  expect(await spy.sendPayout(paid)).toEqual({ kind: "processing" });
  await bank.sendPayout(failed);
  expect(asked).toEqual([
    {
      valor: "10.00",
      pagador: { chave: pspConfig(URL).pixKey, infoPagador: "Repasse" },
      favorecido: { chave: "11222333000181", cnpj: "11222333000181" },
    },
  ]);

  psp.settlePayout(idEnvioOf(paid.payoutId), "REALIZADO");
  psp.settlePayout(idEnvioOf(failed.payoutId), "NAO_REALIZADO", "Conta inexistente");

  const endToEndId = psp.book.envios.get(idEnvioOf(paid.payoutId))?.endToEndId;
  expect(await bank.findPayout(paid.payoutId)).toMatchObject({ kind: "paid", endToEndId });
  expect(await bank.sendPayout(paid)).toMatchObject({ kind: "paid", endToEndId });
  expect(await bank.findPayout(failed.payoutId)).toEqual({
    kind: "failed",
    reason: "Conta inexistente",
    code: "ACCOUNT_INVALID",
  });
});

it("a partly returned payout is paid and shows the returned amount", async () => {
  const { psp, bank } = given();
  const order = payoutOrder();
  const idEnvio = idEnvioOf(order.payoutId);
  await bank.sendPayout(order);
  psp.settlePayout(idEnvio, "REALIZADO");
  const { endToEndId } = psp.book.envios.get(idEnvio)!;

  const { amount } = order;
  expect(await bank.findPayout(order.payoutId)).toEqual({ kind: "paid", endToEndId, amount });
  psp.returnPayout(idEnvio, "1.00", "4.00");
  const half = { kind: "paid", endToEndId, returnedAmount: 500, amount };
  expect(await bank.findPayout(order.payoutId)).toEqual(half);
  psp.returnPayout(idEnvio, "5.00");
  const whole = { kind: "returned", endToEndId, amount };
  expect(await bank.findPayout(order.payoutId)).toEqual(whole);
});

it("a payout whose returns exceed its amount is returned, and the log contains both amounts", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { psp, bank } = given();
  const order = payoutOrder();
  const idEnvio = idEnvioOf(order.payoutId);
  await bank.sendPayout(order);
  psp.settlePayout(idEnvio, "REALIZADO");
  psp.returnPayout(idEnvio, "6.00", "6.00");

  const found = await bank.findPayout(order.payoutId);

  const logged = lines.mock.calls.map(([line]) => JSON.parse(line));
  lines.mockRestore();
  expect(found).toMatchObject({ kind: "returned" });
  const amounts = { valor: 1_000, returned: 1_200 };
  expect(logged).toEqual([{ level: "error", event: "payout_over_returned", idEnvio, ...amounts }]);
});

it.each([
  ["no return", [], "returned"],
  ["a return of the whole amount", [["DEVOLVIDO", "10.00"]], "returned"],
  [
    "a return of a part",
    [
      ["DEVOLVIDO", "3.00"],
      ["EM_PROCESSAMENTO", "7.00"],
    ],
    "paid",
  ],
  ["a return in progress", [["EM_PROCESSAMENTO", "10.00"]], "unknown"],
])("a payout that Efí reports as returned with %s: %j makes it %s", async (_what, told, kind) => {
  const { psp, bank } = given();
  const order = payoutOrder();
  const idEnvio = idEnvioOf(order.payoutId);
  await bank.sendPayout(order);
  psp.settlePayout(idEnvio, "DEVOLVIDO");
  for (const [status = "", valor = ""] of told) {
    psp.book.envios.get(idEnvio)!.devolucoes.push({ status, valor });
  }

  expect((await bank.findPayout(order.payoutId)).kind).toBe(kind);
});

it("an unreadable return of a payout does not hide the other returns", async () => {
  const { psp, bank } = given();
  const order = payoutOrder();
  const idEnvio = idEnvioOf(order.payoutId);
  await bank.sendPayout(order);
  psp.settlePayout(idEnvio, "REALIZADO");
  psp.returnPayout(idEnvio, "4.00", "1,00");

  expect(await bank.findPayout(order.payoutId)).toMatchObject({ returnedAmount: 400 });
  const around = { from: Date.now() - 60_000, to: Date.now() + 60_000 };
  expect(await bank.list("payouts", around, 0)).toMatchObject({
    records: [{ outcome: { kind: "paid", returnedAmount: 400 } }],
    unreadable: [{ payoutId: order.payoutId, body: expect.stringContaining('"1,00"') }],
  });
});

it("a payout fails only by an error of Efí together with a lookup that does not find it", async () => {
  const { psp, bank } = given();
  const order = payoutOrder({ pixKey: "" });
  psp.faultOnce("unavailable", /^GET/);

  expect(await bank.sendPayout(order)).toEqual({ kind: "unknown" });
  expect(await bank.sendPayout(order)).toEqual({
    kind: "failed",
    reason: "A chave não existe",
    code: "KEY_NOT_FOUND",
  });
});

it.each(["new_status", "other_amount", "other_id", "number_for_text", "reset"] as const)(
  "a payout whose response has %s is unknown and is paid once",
  async (fault) => {
    const { psp, bank } = given();
    const order = payoutOrder();
    psp.faultOnce(fault);

    expect(await bank.sendPayout(order)).toEqual({ kind: "unknown" });
    expect(await bank.sendPayout(order)).toEqual({ kind: "processing" });
    expect(psp.book.payoutCounts.get(idEnvioOf(order.payoutId))).toBe(1);
  },
);

it("a payout of a company without payouts is unknown and sends no request", async () => {
  const { psp } = given();
  const bank = pspProvider(pspConfig(URL, { payouts: null }), psp.fetch);

  expect(await bank.sendPayout(payoutOrder())).toEqual({ kind: "unknown" });
  expect(await bank.findPayout(payoutOrder().payoutId)).toEqual({ kind: "unknown" });
  expect(psp.requests).toEqual([]);
});

it("a payment with another id, an unreadable field or a zero amount counts as no response", async () => {
  const { psp, bank } = given();
  const paymentId = psp.payKey("1.00");
  psp.faultOnce("other_id");
  expect(await bank.findPayment(paymentId)).toEqual({ kind: "unknown" });
  psp.faultOnce("number_for_text");
  expect(await bank.findPayment(paymentId)).toEqual({ kind: "unknown" });

  expect(await bank.findPayment(psp.payKey("0.00"))).toEqual({ kind: "unknown" });
  expect(await bank.findPayment(paymentId)).toMatchObject({ payment: { amount: 100 } });
});

it("payments are read page by page, and a page with another number counts as no response", async () => {
  const { psp, bank } = given();
  const ids = Array.from({ length: 101 }, () => psp.payKey("1.00"));
  const window = { from: 0, to: Date.now() + 1_000 };

  const [first, second] = [
    await bank.list("payments", window, 0),
    await bank.list("payments", window, 1),
  ];

  expect(first).toMatchObject({ kind: "known", hasMore: true });
  expect(second).toMatchObject({ kind: "known", hasMore: false });
  const seen = [first, second].flatMap((page) =>
    page.kind === "known"
      ? page.records.flatMap((each) => (each.kind === "payment" ? [each.payment] : []))
      : [],
  );
  expect(seen.map(({ paymentId }) => paymentId)).toEqual(ids);
  const stuck = pspProvider(pspConfig(URL), async (request) =>
    psp.fetch(new Request(request.url.replace("paginaAtual=1", "paginaAtual=0"), request)),
  );
  expect(await stuck.list("payments", window, 1)).toEqual({ kind: "unknown" });
});
