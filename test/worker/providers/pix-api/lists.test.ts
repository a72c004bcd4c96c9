import { expect, it } from "vitest";
import { idEnvioOf } from "../../../../src/providers/pix-api/refunds-and-payouts.ts";
import type { ListPage } from "../../../../src/providers/provider.ts";
import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { problem } from "../../../support/fakes/fake-psp/answers.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import {
  MARIA,
  payoutOrder,
  pixOrder,
} from "../../../support/builders/providers/provider-orders.ts";

const PSP_URL = "https://psp.example.com";
const DAY_MS = 86_400_000;
/** So long that a page of ten charges fits into an answer and one of a hundred does not. */
const LONG_TEXT = "ç".repeat(25_000);

function given(wish: Parameters<typeof pspConfig>[1] = {}) {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const bank = pspProvider(pspConfig(PSP_URL, wish), psp.fetch, { clock });
  const around = { from: clock.now() - DAY_MS, to: clock.now() + DAY_MS };
  const list = async (name: ListName, page = 0, window = around) => {
    const answer = await bank.list(name, window, page);
    if (answer.kind !== "known") throw new Error("the list is unknown");
    return answer;
  };
  return { clock, psp, bank, around, list };
}

/** A PSP of which each entry of a list is changed on its way. */
function rewriting(path: string, change: (entry: any, index: number) => unknown) {
  const { clock, psp, around } = given();
  const bank = pspProvider(
    pspConfig(PSP_URL),
    async (request) => {
      const answer = await psp.fetch(request);
      if (!new URL(request.url).pathname.endsWith(path)) return answer;
      const body: any = await answer.json();
      const member = body.cobs === undefined ? "pix" : "cobs";
      return Response.json({ ...body, [member]: body[member].map(change) });
    },
    { clock },
  );
  return { psp, bank, around };
}

const payoutOf = ({ payoutId }: { payoutId: string }) => ({
  kind: "payout",
  payoutId,
  id: idEnvioOf(payoutId),
  amount: 1_000,
});

const paymentIds = ({ records }: Extract<ListPage, { kind: "known" }>) =>
  records.flatMap((each) => (each.kind === "payment" ? [each.payment.paymentId] : []));

it("a PSP lists payouts when payouts are configured, and otherwise no request is sent", async () => {
  const { bank } = given();
  const { bank: alone, psp, around } = given({ payouts: null });

  expect(bank.lists).toEqual(["payments", "charges", "due_charges", "payouts"]);
  expect(alone.lists).toEqual(["payments", "charges", "due_charges"]);
  expect(await alone.list("payouts", around, 0)).toEqual({ kind: "unknown" });
  expect(psp.requests).toEqual([]);
});

it("charges of both kinds are listed by their creation time with their outcome", async () => {
  const { psp, bank, clock, list, around } = given();
  const due = pspProvider(pspConfig(PSP_URL, { charge: "cobv" }), psp.fetch, { clock });
  const [paid, removed, open, dueOrder] = [
    pixOrder(),
    pixOrder(),
    pixOrder(),
    pixOrder({ payer: MARIA }),
  ];
  for (const order of [paid, removed, open]) await bank.createCharge(order);
  await due.createCharge(dueOrder);
  const paymentId = psp.pay(paid.chargeId);
  const refundId = psp.refundExternally(paymentId, "4.00");
  psp.removeCharge(removed.chargeId);

  const charges = await list("charges");
  const dueCharges = await list("due_charges");

  const none = { payments: [], disputes: [], refunds: [] };
  expect(charges).toMatchObject({ unreadable: [], hasMore: false });
  expect(charges.records).toMatchObject([
    {
      kind: "charge",
      chargeId: paid.chargeId,
      charge: {
        status: "open",
        payments: [{ paymentId, method: "PIX", amount: 2_500, paidAt: clock.now() }],
        refunds: [{ id: refundId, paymentId, amount: 400, status: "DONE" }],
      },
    },
    { chargeId: removed.chargeId, charge: { status: "failed", ...none } },
    { chargeId: open.chargeId, charge: { status: "open", ...none } },
  ]);
  expect(dueCharges.records).toMatchObject([{ chargeId: dueOrder.chargeId }]);
  const before = { from: around.from - DAY_MS, to: around.from };
  expect(await list("charges", 0, before)).toMatchObject({ records: [], hasMore: false });
});

it("the list omits foreign charges, and paid charges without their payment", async () => {
  const { psp, bank, around } = rewriting("/cob", (cob, index) => {
    if (index === 0) return { ...cob, txid: "fatura0000000000000000001234", status: "NOVO" };
    return index === 1 ? { ...cob, pix: undefined } : cob;
  });
  const orders = [pixOrder(), pixOrder(), pixOrder()];
  for (const order of orders) await bank.createCharge(order);
  psp.pay(orders[1]!.chargeId);

  expect(await bank.list("charges", around, 0)).toMatchObject({
    records: [{ chargeId: orders[2]!.chargeId }],
    unreadable: [],
  });
});

it("payouts are listed with their returns, also payouts that were made outside the gateway", async () => {
  const { psp, bank, list } = given();
  const [half, returned, failed, open] = [0, 0, 0, 0].map(() => payoutOrder());
  for (const order of [half!, returned!, failed!, open!]) await bank.sendPayout(order);
  for (const order of [half!, returned!]) psp.settlePayout(idEnvioOf(order.payoutId), "REALIZADO");
  psp.returnPayout(idEnvioOf(half!.payoutId), "4.00");
  psp.returnPayout(idEnvioOf(returned!.payoutId), "4.00", "6.00");
  psp.settlePayout(idEnvioOf(failed!.payoutId), "NAO_REALIZADO", "Conta inexistente");
  const others = psp.payOutExternally("7.00");
  psp.payOutExternally("8.00", "caixa@loja-exemplo.com.br");

  const { records, unreadable } = await list("payouts");

  const outcome = { endToEndId: expect.stringMatching(/^E/) };
  expect(unreadable).toEqual([]);
  expect(records).toEqual([
    { ...payoutOf(half!), outcome: { kind: "paid", ...outcome, returnedAmount: 400 } },
    { ...payoutOf(returned!), outcome: { kind: "returned", ...outcome } },
    {
      ...payoutOf(failed!),
      outcome: { kind: "failed", reason: "Conta inexistente", code: "ACCOUNT_INVALID" },
    },
    { ...payoutOf(open!), outcome: { kind: "processing" } },
    {
      kind: "payout",
      payoutId: null,
      id: others,
      amount: 700,
      outcome: { kind: "paid", endToEndId: others },
    },
  ]);
});

it("a 404 for payouts is an empty list, and a 404 for any other list is unknown", async () => {
  const { psp, around } = given();
  const notFound = problem(404, "PixEnviadoNaoEncontrado", "Pix enviado não encontrado.");
  const bank = pspProvider(pspConfig(PSP_URL), async (request) =>
    request.method === "GET" ? Response.json(notFound.body, notFound) : psp.fetch(request),
  );

  const empty = { kind: "known", records: [], unreadable: [], hasMore: false };
  expect(await bank.list("payouts", around, 0)).toEqual(empty);
  expect(await bank.list("payments", around, 0)).toEqual({ kind: "unknown" });
  expect(await bank.list("charges", around, 0)).toEqual({ kind: "unknown" });
});

it("an unreadable record is returned separately and does not block the other records of a list", async () => {
  const { psp, bank, list } = given();
  const [bad, good] = [pixOrder(), pixOrder()];
  const [badPayout, goodPayout] = [payoutOrder(), payoutOrder()];
  for (const order of [bad, good]) await bank.createCharge(order);
  for (const order of [badPayout, goodPayout]) await bank.sendPayout(order);
  const paid = pixOrder();
  await bank.createCharge(paid);
  const [badPayment, goodPayment] = [psp.pay(paid.chargeId), psp.payKey("2.00")];
  for (const id of [bad.chargeId, badPayment, idEnvioOf(badPayout.payoutId)]) {
    psp.book.views.makeUnreadable(id);
  }

  const payments = await list("payments");
  const charges = await list("charges");
  const payouts = await list("payouts");

  expect(paymentIds(payments)).toEqual([goodPayment]);
  expect(payments.unreadable).toEqual([
    {
      paymentId: badPayment,
      chargeId: paid.chargeId,
      payoutId: null,
      body: expect.stringContaining(`"endToEndId":"${badPayment}"`),
      fault: expect.stringMatching(/^horario: /),
    },
  ]);
  expect(charges.records).toMatchObject([{ chargeId: good.chargeId }]);
  const none = { paymentId: null, chargeId: null, payoutId: null };
  expect(charges.unreadable).toMatchObject([
    { ...none, chargeId: bad.chargeId, fault: "status: Unknown value" },
    { ...none, chargeId: paid.chargeId, fault: expect.stringMatching(/^pix.horario: /) },
  ]);
  expect(payouts.records).toMatchObject([{ payoutId: goodPayout.payoutId }]);
  expect(payouts.unreadable).toMatchObject([
    { ...none, payoutId: badPayout.payoutId, fault: expect.stringMatching(/^valor: /) },
  ]);
  psp.book.views.makeReadable(badPayment);
  expect(paymentIds(await list("payments"))).toEqual([badPayment, goodPayment]);
});

it.each([
  ["not an object", () => 7],
  ["null", () => null],
  ["a list", () => []],
  ["one with an invalid id", (pix: any) => ({ ...pix, endToEndId: "E-1/../x" })],
  ["one with a zero amount", (pix: any) => ({ ...pix, valor: "0.00" })],
  ["one with a time without an offset", (pix: any) => ({ ...pix, horario: "2026-11-21T12:00:00" })],
])("a payment that is %s is returned unchanged as unreadable", async (_what, change) => {
  const { psp, bank, around } = rewriting("/pix", (pix, index) =>
    index === 0 ? change(pix) : pix,
  );
  psp.payKey("1.00");
  const other = psp.payKey("2.00");

  const page = await bank.list("payments", around, 0);

  if (page.kind === "unknown") throw new Error("one record stopped the list");
  expect(paymentIds(page)).toEqual([other]);
  expect(page.unreadable).toHaveLength(1);
  expect(JSON.parse(page.unreadable[0]!.body)).toEqual(
    change({ ...psp.book.received[0], devolucoes: undefined }),
  );
});

it("an unreadable record is cut at 4,096 characters, and one of another PIX key is ignored", async () => {
  const { psp, bank, around } = rewriting("/pix", (pix) => ({
    ...pix,
    valor: 1,
    infoPagador: "x".repeat(9_000),
  }));
  psp.payKey("1.00");
  psp.payKey("2.00", "caixa@loja-exemplo.com.br");

  const page = await bank.list("payments", around, 0);

  expect(page.kind === "known" && page.unreadable.map(({ body }) => body.length)).toEqual([4_096]);
});

it("an unreadable return hides neither its payment nor the other returns", async () => {
  const { psp, bank, around } = rewriting("/pix", (pix) => pix);
  const paymentId = psp.payKey("10.00");
  psp.refundExternally(paymentId, "1.00");
  const med = psp.dispute(paymentId, "2.00");
  psp.book.pix(paymentId)!.devolucoes.push({ id: "odd", valor: 3, status: "DEVOLVIDO" }, "odd");

  const page = await bank.list("payments", around, 0);
  const found = await bank.findPayment(paymentId);

  const payment = {
    paymentId,
    amount: 1_000,
    refunds: [{ id: "app1", amount: 100, status: "DONE" }],
    disputes: [{ id: `${paymentId}:${med}`, amount: 200, status: "OPEN" }],
  };
  const unreadable = [
    {
      paymentId,
      chargeId: null,
      payoutId: null,
      body: JSON.stringify({
        endToEndId: paymentId,
        devolucoes: [{ id: "odd", valor: 3, status: "DEVOLVIDO" }],
      }),
      fault: expect.stringMatching(/^devolucoes.valor: /),
    },
    { paymentId, body: expect.stringContaining('["odd"]') },
  ];
  expect(page).toMatchObject({ records: [{ kind: "payment", payment }], unreadable });
  expect(found).toMatchObject({ kind: "known", payment, unreadable });
});

it("a page above the response limit is read ten records at a time and misses none", async () => {
  const { psp, bank, list } = given();
  const orders = Array.from({ length: 123 }, () => pixOrder());
  for (const order of orders) await bank.createCharge(order);
  for (const [index, order] of orders.entries()) {
    if (index % 4 === 0)
      psp.book.cobs.get(order.chargeId)!.requestBody.solicitacaoPagador = LONG_TEXT;
  }
  psp.requests.length = 0;

  const [first, second] = [await list("charges", 0), await list("charges", 1)];

  const idsOf = ({ records }: typeof first) =>
    records.flatMap((each) => (each.kind === "charge" ? [each.chargeId] : []));
  expect([...idsOf(first), ...idsOf(second)]).toEqual(orders.map(({ chargeId }) => chargeId));
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  expect(psp.requests).toHaveLength(1 + 10 + 1);
});

it("a record above the response limit is reported and does not block the others", async () => {
  const { psp, bank, list } = given();
  const orders = Array.from({ length: 12 }, () => pixOrder());
  for (const order of orders) await bank.createCharge(order);
  psp.book.cobs.get(orders[11]!.chargeId)!.requestBody.solicitacaoPagador = LONG_TEXT.repeat(25);

  const page = await list("charges");

  expect(page.records).toHaveLength(11);
  expect(page.unreadable).toEqual([
    {
      paymentId: null,
      chargeId: null,
      payoutId: null,
      body: '{"list":"charges"}',
      fault: "Larger than the answer limit",
    },
  ]);
});

it("endless responses lead to a bounded number of requests", async () => {
  const { psp, bank, around } = given();
  await bank.balance();
  psp.requests.length = 0;
  psp.faultAlways("endless");

  expect(await bank.list("payments", around, 0)).toEqual({ kind: "unknown" });
  expect(psp.requests).toHaveLength(1 + 1 + 4);
});

it("the account's balance is returned when the PSP's API supports it", async () => {
  const { psp, bank } = given();
  const { bank: without, psp: unasked } = given({ payouts: null });
  psp.payKey("1234.56");

  expect(await bank.balance()).toEqual({ kind: "known", balance: 123_456 });
  psp.book.openingBalance = -123_457;
  expect(await bank.balance()).toEqual({ kind: "known", balance: -1 });
  psp.faultOnce("not_json");
  expect(await bank.balance()).toEqual({ kind: "unknown" });
  expect(await without.balance()).toEqual({ kind: "unsupported" });
  expect(unasked.requests).toEqual([]);
});

it.each(["unavailable", "access_denied", "gateway_404", "reset"] as const)(
  "a balance is unknown when the PSP's response is %s",
  async (fault) => {
    const { psp, bank } = given();
    psp.faultOnce(fault);
    expect(await bank.balance()).toEqual({ kind: "unknown" });
  },
);

it("a payment may be as much older than its account as a return of it may come later", async () => {
  const { clock, psp } = given();
  const paymentId = psp.payKey("1.00");
  const accountMade = (days: number) =>
    pspProvider(pspConfig(PSP_URL), psp.fetch, {
      clock,
      createdAt: clock.now() + days * DAY_MS,
    });

  const found = { kind: "known", payment: { paymentId } };
  expect(await accountMade(90).findPayment(paymentId)).toMatchObject(found);
  expect(await accountMade(92).findPayment(paymentId)).toEqual({ kind: "unknown" });
});
