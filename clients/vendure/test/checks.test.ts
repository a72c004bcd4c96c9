import assert from "node:assert/strict";
import { after, before as beforeAll, test } from "node:test";
import {
  RequestContextService,
  SettingsStoreService,
  TransactionalConnection,
} from "@vendure/core";
import { ConnectionError, type Centavo } from "centavo";
import { CentavoCharge } from "../src/index.ts";
import { EventsService } from "../src/events.service.ts";
import { CENTAVO_CLIENT } from "../src/options.ts";
import {
  allocated,
  charge,
  checkOut,
  seen,
  toState,
  until,
  untilState,
  type Checkout,
} from "./checkout.ts";
import { call, centavo, GATEWAY, pay } from "./gateway.ts";
import { post } from "./relay.ts";
import { PRICE, startShop, type Shop } from "./shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await startShop();
});
after(() => shop.stop());

/** A paid order. */
async function sold(): Promise<Checkout & { transactionId: string; paymentId: string }> {
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await pay(transactionId);
  const { payments } = await untilState(shop, order.orderId, "PaymentSettled");
  return { ...order, transactionId, paymentId: payments[0]?.id ?? "" };
}

/** What the shopper is told who says that a transaction pays his order. */
async function claim({ shopper }: Checkout, metadata: object) {
  const { addPaymentToOrder } = await shopper(
    `mutation Claim($metadata: JSON!) {
      addPaymentToOrder(input: { method: "centavo", metadata: $metadata }) {
        __typename ... on Order { state } ... on ErrorResult { message }
        ... on PaymentDeclinedError { paymentErrorMessage }
      } }`,
    { metadata },
  );
  return addPaymentToOrder.paymentErrorMessage ?? addPaymentToOrder.state;
}

async function refund(paymentId: string, amount: number) {
  const { refundOrder } = await shop.admin(`mutation { refundOrder(input: {
    paymentId: "${paymentId}", amount: ${amount}, reason: "Troca", lines: [], shipping: 0, adjustment: 0
  }) { __typename ... on Refund { state total transactionId metadata } ... on ErrorResult { message } } }`);
  return refundOrder;
}

async function cancelByOwner({ orderId }: Checkout) {
  await shop.admin(`mutation { cancelOrder(input: { orderId: "${orderId}" }) { __typename } }`);
}

void test("a Pix is shown with its QR and code, holds the stock, and settles the order", async () => {
  const before = await allocated(shop);
  const order = await checkOut(shop);
  // A double click is one charge.
  const [made, twin] = await Promise.all([charge(order, "method: PIX", "pixQr"), charge(order)]);
  assert.equal(twin.transactionId, made.transactionId);
  assert.equal(made.amount, PRICE);
  assert.match(made.pixCode, /^000201.*6304[0-9A-F]{4}$/);
  assert.match(made.pixQr, /^<svg/);
  assert.equal(await allocated(shop), before + 1);
  assert.equal((await charge(order)).transactionId, made.transactionId);
  const { activeOrder } = await order.shopper(
    `query { activeOrder { centavoCharge { pixCode expiresAt } } }`,
  );
  assert.equal(activeOrder.centavoCharge.pixCode, made.pixCode);
  await pay(made.transactionId);
  const { payments } = await untilState(shop, order.orderId, "PaymentSettled");
  assert.deepEqual(
    payments.map(({ state, amount, transactionId }) => [state, amount, transactionId]),
    [["Settled", PRICE, made.transactionId]],
  );
  assert.equal(await allocated(shop), before + 1);
});

void test("a shopper's word pays nothing: unpaid, unknown, of another order, used", async () => {
  const paid = await sold();
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  assert.equal(await claim(order, { transactionId }), "O pagamento ainda não chegou.");
  const unknown = { transactionId: crypto.randomUUID() };
  assert.equal(await claim(order, unknown), "Não encontramos este pagamento.");
  assert.equal(await claim(order, { transactionId: 7 }), "Não encontramos este pagamento.");
  const other = { transactionId: paid.transactionId };
  assert.equal(await claim(order, other), "Este pagamento é de outro pedido.");
  const { payments, state } = await seen(shop, order.orderId);
  assert.equal(state, "ArrangingPayment");
  assert.ok(payments.every((payment) => payment.state === "Declined"));
});

void test("the same webhook twice at once, beside the reading of events, makes one payment", async () => {
  const order = await checkOut(shop);
  shop.relay.faults.dropped = 100;
  const { transactionId } = await charge(order);
  await pay(transactionId);
  const webhook = await until("the webhook", async () => {
    const { last } = shop.relay;
    return last?.body.includes(transactionId) === true && last;
  });
  shop.relay.faults.dropped = 0;
  const [first, second] = await Promise.all([
    post(shop.webhookUrl, webhook),
    post(shop.webhookUrl, webhook),
    shop.app.get(EventsService).catchUp(),
  ]);
  assert.deepEqual([first, second], [204, 204]);
  const { payments } = await untilState(shop, order.orderId, "PaymentSettled");
  assert.equal(payments.length, 1);
  // An old message after a newer state changes nothing.
  await refund(payments[0]?.id ?? "", PRICE);
  assert.equal(await post(shop.webhookUrl, webhook), 204);
  const [late, ...more] = (await seen(shop, order.orderId)).payments;
  assert.deepEqual([late?.state, late?.refunds.length, more], ["Settled", 1, []]);
  const forged = { ...webhook, body: webhook.body.replace("PAID", "PAI D") };
  assert.equal(await post(shop.webhookUrl, forged), 400);
});

void test("refunds from the admin: in part, the rest, and no more", async () => {
  const { paymentId, transactionId, orderId } = await sold();
  assert.equal((await refund(paymentId, 500)).state, "Settled");
  assert.equal((await refund(paymentId, PRICE)).__typename, "RefundAmountError");
  assert.equal((await refund(paymentId, PRICE - 500)).state, "Settled");
  const { status, refundedAmount } = await centavo.transactions.get(transactionId);
  assert.deepEqual([status, refundedAmount], ["REFUNDED", PRICE]);
  const { payments } = await seen(shop, orderId);
  assert.deepEqual(
    payments[0]?.refunds.map(({ state, total }) => [state, total]),
    [
      ["Settled", 500],
      ["Settled", PRICE - 500],
    ],
  );
});

void test("a refund that is clicked twice is done once, and counted once", async () => {
  const { paymentId, transactionId } = await sold();
  const twice = await Promise.all([refund(paymentId, 700), refund(paymentId, 700)]);
  assert.equal(twice.filter(({ state }) => state === "Settled").length, 1);
  assert.equal((await centavo.transactions.get(transactionId)).refundedAmount, 700);
  assert.equal((await refund(paymentId, 700)).state, "Settled");
  assert.equal((await centavo.transactions.get(transactionId)).refundedAmount, 1_400);
});

void test("an event that comes before the card's answer makes no second payment, and no error", async (t) => {
  const order = await checkOut(shop);
  const { transactions } = shop.app.get<Centavo>(CENTAVO_CLIENT);
  const real = transactions.create.bind(transactions);
  const late = async (...asked: Parameters<typeof real>) => {
    const made = await real(...asked);
    // Whoever reads the event now waits for the order: not longer than this answer is late.
    const read = shop.app.get(EventsService).catchUp();
    await Promise.race([read, new Promise((wake) => setTimeout(wake, 1_500))]);
    return made;
  };
  t.mock.method(transactions, "create", late, { times: 1 });
  const card = { document: "123.456.789-09", cardToken: await token("4242424242424242") };
  assert.equal(await claim(order, card), "PaymentSettled");
  await shop.app.get(EventsService).catchUp();
  assert.equal((await seen(shop, order.orderId)).payments.length, 1);
});

void test("an order that the owner cancels ends its Pix and frees the stock; a late payment is shown", async () => {
  const before = await allocated(shop);
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await cancelByOwner(order);
  await until("the Pix is cancelled", async () => {
    const { status } = await centavo.transactions.get(transactionId);
    return status === "CANCELLED";
  });
  assert.equal(await allocated(shop), before);
  await pay(transactionId);
  const { payments } = await until("the late payment", async () => {
    const late = await seen(shop, order.orderId);
    const isNoted = late.notes.some((note) => note.startsWith("R$ 25,00 recebido por PIX"));
    return isNoted && late.payments.length > 0 && late;
  });
  const attention = async () => {
    const { centavoAttention } = await shop.admin(`query { centavoAttention { transactionId } }`);
    return JSON.stringify(centavoAttention).includes(transactionId);
  };
  assert.equal(await attention(), true);
  assert.equal((await refund(payments[0]?.id ?? "", PRICE)).state, "Settled");
  await until("nothing to decide any more", async () => !(await attention()));
});

void test("an expired Pix frees the stock, and a new one can be made", async () => {
  const before = await allocated(shop);
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await call("POST", `/api/v1/sandbox/transactions/${transactionId}/expire`);
  await until("the stock is free", async () => (await allocated(shop)) === before);
  const next = await charge(order);
  assert.notEqual(next.transactionId, transactionId);
  await pay(next.transactionId);
  await untilState(shop, order.orderId, "PaymentSettled");
  await pay(transactionId);
  const { payments } = await until("the second payment", async () => {
    const twice = await seen(shop, order.orderId);
    return twice.payments.length === 2 && twice;
  });
  assert.deepEqual(
    payments.map(({ state }) => state),
    ["Settled", "Settled"],
  );
  assert.equal(await allocated(shop), before + 1);
});

void test("money that comes twice for one Pix is noted once", async () => {
  const { transactionId, orderId } = await sold();
  await pay(transactionId);
  const { notes } = await until("the note", async () => {
    const order = await seen(shop, orderId);
    return order.notes.length > 0 && order;
  });
  assert.match(notes[0] ?? "", /^Mais R\$ 25,00 chegaram .* \(pago de novo\)/);
  await shop.app.get(EventsService).catchUp();
  assert.equal((await seen(shop, orderId)).notes.length, 1);
});

void test("going back to the items ends the Pix and frees the stock", async () => {
  const before = await allocated(shop);
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await toState(order.shopper, "AddingItems");
  assert.equal(await allocated(shop), before);
  await until("the Pix is cancelled", async () => {
    const { status } = await centavo.transactions.get(transactionId);
    return status === "CANCELLED";
  });
});

void test("less than the order costs leaves it unpaid: the rest can be paid", async () => {
  const allocatedBefore = await allocated(shop);
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await pay(transactionId, 1_000);
  await until("the note", async () => {
    const { notes, payments, state } = await seen(shop, order.orderId);
    return notes.length > 0 && payments.length > 0 && state === "ArrangingPayment";
  });
  assert.equal(await allocated(shop), allocatedBefore);
  assert.equal(await claim(order, { transactionId }), "Este pagamento já foi usado.");
  const rest = await charge(order);
  assert.equal(rest.amount, PRICE - 1_000);
  await pay(rest.transactionId);
  await untilState(shop, order.orderId, "PaymentSettled");
  assert.equal(await allocated(shop), allocatedBefore + 1);
});

void test("a refund whose answer was lost is asked for again, and done once", async (t) => {
  const { paymentId, transactionId, orderId } = await sold();
  const { transactions } = shop.app.get<Centavo>(CENTAVO_CLIENT);
  const real = transactions.refund.bind(transactions);
  const lost = async (...asked: Parameters<typeof real>) => {
    await real(...asked);
    throw new ConnectionError("No answer.", null);
  };
  t.mock.method(transactions, "refund", lost, { times: 1 });
  assert.equal((await refund(paymentId, 700)).state, "Pending");
  await until("the refund is settled", async () => {
    await checkNow();
    const { payments } = await seen(shop, orderId);
    return payments[0]?.refunds[0]?.state === "Settled";
  });
  assert.equal((await centavo.transactions.get(transactionId)).refundedAmount, 700);
});

void test("a paid charge that the shop forgot in a crash settles its order", async () => {
  const order = await checkOut(shop);
  const { transactionId } = await charge(order);
  await shop.app.get(TransactionalConnection).rawConnection.getRepository(CentavoCharge).delete({
    transactionId,
  });
  await pay(transactionId);
  await untilState(shop, order.orderId, "PaymentSettled");
});

void test("the payer's bank asks the money back: the owner is told", async () => {
  const { transactionId, orderId } = await sold();
  await call("POST", `/api/v1/sandbox/transactions/${transactionId}/dispute`);
  await until("the note", async () => {
    const { notes } = await seen(shop, orderId);
    return notes.some((note) => note.startsWith("Contestação de R$ 25,00 (aberta)"));
  });
});

void test("an order in dollars is not charged", async () => {
  const order = await checkOut(shop, "USD");
  await assert.rejects(charge(order), /só reais/);
  assert.match(await claim(order, { cardToken: "tok" }), /só reais/);
});

void test("the cursor is kept in the shop", async () => {
  await shop.app.get(EventsService).catchUp();
  const ctx = await shop.app.get(RequestContextService).create({ apiType: "admin" });
  const cursor = await shop.app.get(SettingsStoreService).get(ctx, "centavo.cursor");
  assert.deepEqual(cursor?.failed, []);
  assert.ok(cursor.after > 20);
});

void test("a boleto and a card pay by the same method", async () => {
  const order = await checkOut(shop);
  const { transactionId, boletoLine } = await charge(
    order,
    `method: BOLETO, document: "123.456.789-09"`,
  );
  assert.match(boletoLine, /^\d{5}\.\d{5} /);
  await pay(transactionId);
  await untilState(shop, order.orderId, "PaymentSettled");

  const card = await checkOut(shop);
  const document = "123.456.789-09";
  const refused = { document, cardToken: await token("4000000000000002") };
  assert.match(await claim(card, refused), /^O cartão foi recusado/);
  const accepted = { document, cardToken: await token("4242424242424242"), installments: 2 };
  assert.equal(await claim(card, accepted), "PaymentSettled");

  const slow = await checkOut(shop);
  const unanswered = { document, cardToken: await token("4000000000000119") };
  assert.match(await claim(slow, unanswered), /^O banco ainda não respondeu/);
  assert.match(await claim(slow, accepted), /^O banco ainda não respondeu/);
  const { items } = await centavo.transactions.search({ externalRef: slow.code });
  assert.equal(items.length, 1);
  await pay(items[0]?.providerTxId ?? "");
  await untilState(shop, slow.orderId, "PaymentSettled");
});

void test("nothing that a shopper or the admin was told is the gateway's own problem", async () => {
  const order = await checkOut(shop);
  const said = await charge(order, "method: BOLETO").then(
    () => "",
    (error: Error) => error.message,
  );
  assert.match(said, /^Confira nome, e-mail, CPF ou CNPJ e endereço/);
  const made = await charge(order);
  await pay(made.transactionId);
  await untilState(shop, order.orderId, "PaymentSettled");
});

// The last one: the gateway takes a limit back a day later only.
void test("a refund that waits for approval is pending, then settled or failed", async () => {
  await call("PUT", "/api/v1/company/settings", { refundApprovalAbove: 1 });
  for (const [verb, end] of [
    ["approve", "Settled"],
    ["refuse", "Failed"],
  ] as const) {
    const { paymentId, orderId } = await sold();
    const asked = await refund(paymentId, 700);
    assert.equal(asked.state, "Pending");
    const path = `/api/v1/refunds/${asked.transactionId}/${verb}`;
    await call("POST", path, {}, GATEWAY.approver);
    await until(`the refund is ${end}`, async () => {
      await checkNow();
      const { payments } = await seen(shop, orderId);
      return payments[0]?.refunds[0]?.state === end;
    });
  }
});

async function token(number: string): Promise<string> {
  const answer = (await call("POST", "/api/v1/cards/tokens", {
    number,
    holderName: "MARIA DA SILVA",
    expirationMonth: 12,
    expirationYear: new Date().getFullYear() + 3,
    cvv: "123",
  })) as { token: string };
  return answer.token;
}

/** Lets every check of a charge be due. */
async function checkNow() {
  const { rawConnection } = shop.app.get(TransactionalConnection);
  await rawConnection
    .getRepository(CentavoCharge)
    .createQueryBuilder()
    .update()
    .set({ checkAt: new Date(0) })
    .where("checkAt IS NOT NULL")
    .execute();
  await shop.app.get(EventsService).catchUp();
}
