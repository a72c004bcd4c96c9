// A shop's day in nine steps, on the package `centavo`. Amounts are centavos.
// docs:begin connect
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { brl, Centavo, ConnectionError } from "centavo";

const {
  CENTAVO_URL: baseUrl = "http://localhost:8787",
  CENTAVO_CLIENT_ID: clientId = "app_local_loja",
  CENTAVO_API_KEY: apiKey = "sk_test_local_loja",
} = process.env;
const centavo = new Centavo({ baseUrl, clientId, apiKey });
/** The number of an order, new in each run. */
const order = `pedido-${Date.now()}`;
// docs:end connect

// 1. A PIX charge and its QR code.
// docs:begin create-charge
const customer = { name: "Maria da Silva", document: { type: "CPF", number: "12345678909" } };
const charge = await centavo.transactions.create({
  amount: brl("1.000,00"),
  paymentMethod: "PIX",
  externalRef: order,
  customer,
});
console.log(`pix        ${charge.amountText} ${charge.status}`);
console.log(charge.pix.qrcode);
// docs:end create-charge

// docs:begin qr
const svg = await centavo.transactions.qr(charge.id);
await writeFile("qr.svg", svg);
console.log("qr         qr.svg");
// docs:end qr

// 2. A boleto.
// docs:begin boleto
const boleto = await centavo.transactions.create({
  amount: brl("89,90"),
  paymentMethod: "BOLETO",
  customer,
  boleto: { expiresInDays: 3 },
});
console.log(`boleto     ${boleto.boleto.digitableLine}`);
// docs:end boleto

// 3. A card by its token: in a live shop the payer's page makes the token, so no server sees the number.
// docs:begin card
const { token } = await centavo.cards.tokenize({
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
  cvv: "123",
});
const sale = await centavo.transactions.create({
  amount: brl("149,00"),
  paymentMethod: "CREDIT_CARD",
  installments: 3,
  customer,
  card: { token },
});
console.log(`card       ${sale.status}`);
// docs:end card

// 4. The payer pays, and the gateway tells the shop by a webhook.
// docs:begin verify-webhook
let secret;
const shop = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The raw body, as it came: a parsed one does not verify.
    const event = await centavo.webhooks.verify(Buffer.concat(chunks), request.headers, secret);
    if (event.type === "transaction.paid") shop.emit("paid", event.data);
    // Only now: whatever is not answered 2xx comes again.
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
// docs:end verify-webhook
// docs:begin endpoint
await once(shop.listen(0, "127.0.0.1"), "listening");
const endpoint = await centavo.webhooks.endpoints.create({
  url: `http://127.0.0.1:${shop.address().port}/hook`,
  events: ["transaction.paid"],
});
secret = endpoint.secret;
// docs:end endpoint
const paid = once(shop, "paid");
// docs:begin pay
await centavo.sandbox.pay(charge.id);
// docs:end pay
const [payment] = await paid;
console.log(`webhook    ${payment.externalRef === order ? "verified" : "of another order"}`);
await centavo.webhooks.endpoints.delete(endpoint.id);
shop.close();

// 5. A call without an answer: this client loses it on purpose.
async function loseAnswer(request) {
  await fetch(request);
  throw new Error("the line is dead");
}
const lossy = new Centavo({ baseUrl, clientId, apiKey, retries: 0, fetch: loseAnswer });
// docs:begin retry
const second = { amount: brl("10,00"), paymentMethod: "PIX", externalRef: `${order}-b` };
try {
  await lossy.transactions.create(second);
} catch (error) {
  if (!(error instanceof ConnectionError)) throw error;
  // The charge may exist: the same key answers with it, and makes no second one.
  await centavo.transactions.create(second, { idempotencyKey: error.idempotencyKey });
}
// docs:end retry
const { items } = await centavo.transactions.search({ externalRef: second.externalRef });
console.log(`retry      ${items.length} charge`);

// 6. A part goes back to the payer.
// docs:begin refund
const refunded = await centavo.transactions.refund(charge.id, { amount: brl("100,00") });
console.log(`refund     ${refunded.refundedAmount} centavos, ${refunded.status}`);
// docs:end refund

// 7. Does the shop's own list agree with the gateway?
// docs:begin reconcile
const { items: compared } = await centavo.reconcile({
  items: [{ externalRef: order, amount: brl("1.000,00") }, { externalRef: "pedido-0" }],
});
console.log(`reconcile  ${compared.map(({ result }) => result).join(", ")}`);
// docs:end reconcile

// 8. Money to a bank account. Above R$ 500,00 a day another application has to approve it.
await centavo.settings.change({ withdrawApprovalAbove: brl("500,00") });
// docs:begin withdraw
const approver = new Centavo({
  baseUrl,
  clientId: process.env.APPROVER_CLIENT_ID ?? "app_local_aprovador",
  apiKey: process.env.APPROVER_API_KEY ?? "sk_test_local_aprovador",
});
const wish = { amount: brl("600,00"), pixKey: "maria@example.com" };
const { accepted, checks } = await centavo.withdraws.dryRun(wish);
if (!accepted) throw new Error(checks.find(({ passed }) => !passed).detail);
const withdraw = await centavo.withdraws.request(wish);
if (withdraw.approval === "pending") await approver.withdraws.approve(withdraw.id);
const { approval } = await centavo.withdraws.get(withdraw.id);
console.log(`withdraw   ${approval}`);
// docs:end withdraw

// 9. A page where anybody pays.
// docs:begin link
const link = await centavo.links.create({ name: "Curso de bordado", amount: brl("250,00") });
console.log(`link       ${link.url}`);
// docs:end link
