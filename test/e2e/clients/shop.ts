import { ApiError, brl, Centavo, IgnoredFieldsError, type Event } from "centavo";

const {
  CENTAVO_URL: baseUrl = "",
  CENTAVO_CLIENT_ID: clientId = "",
  CENTAVO_API_KEY: apiKey = "",
  APPROVER_CLIENT_ID = "",
  APPROVER_API_KEY = "",
} = process.env;
const centavo = new Centavo({ baseUrl, clientId, apiKey });
const approver = new Centavo({
  baseUrl,
  clientId: APPROVER_CLIENT_ID,
  apiKey: APPROVER_API_KEY,
});

/** What a call fails with. */
function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

async function withdrawn() {
  await centavo.settings.change({ withdrawApprovalAbove: 1_000 });
  const asked = { amount: brl("12,00"), pixKey: "maria@example.com" };
  const found = await centavo.withdraws.dryRun(asked);
  const approved = await centavo.withdraws.request(asked);
  const refused = await centavo.withdraws.request({ ...asked, amount: 1_300 });
  await approver.withdraws.approve(approved.id);
  await approver.withdraws.refuse(refused.id, { reason: "Ask again." });
  const ends = [approved.id, refused.id].map((id) => centavo.withdraws.get(id));
  return {
    accepted: found.accepted,
    needsApproval: found.approval,
    approvals: (await Promise.all(ends)).map(({ approval }) => approval),
  };
}

const me = await centavo.me();
const charge = await centavo.transactions.create({
  amount: brl("100,00"),
  paymentMethod: "PIX",
  externalRef: "pedido-1",
});
const qr = await centavo.transactions.qr(charge.id);
const png = await centavo.transactions.qrPng(charge.id);
await centavo.sandbox.pay(charge.id);
const unpaid = await centavo.transactions.create({ amount: 500, paymentMethod: "PIX" });
const cancelled = await centavo.transactions.cancel(unpaid.id);
const refunded = await centavo.transactions.refund(charge.id, { amount: brl("20,00") });
const refusal = await failureOf(centavo.transactions.refund(charge.id, { amount: brl("90,00") }));
const uncaptured = await failureOf(centavo.transactions.capture(charge.id));
const unknown = await failureOf(
  // @ts-expect-error The API knows no such field.
  centavo.transactions.create({ amount: 700, paymentMethod: "PIX", zigzag: 1 }),
);
const paid = await centavo.transactions.get(charge.id);
const { items: found } = await centavo.transactions.search({ externalRef: "pedido-1" });
const csv = await centavo.transactions.searchCsv({ externalRef: "pedido-1" });
const timeline = await centavo.transactions.timeline(charge.id);
const receipt = await centavo.transactions.receipt(charge.id);
const pdf = await centavo.transactions.receiptPdf(charge.id);
const withdraws = await withdrawn();
const balance = await centavo.balance();
const days = await centavo.reports.daily();
const reconciled = await centavo.reconcile({
  items: [{ externalRef: "pedido-1", amount: brl("100,00") }],
});
const link = await centavo.links.create({ name: "Curso", amount: brl("500,00") });
const code = await centavo.codes.create({ amount: brl("10,00") });
const disputes = await centavo.disputes.list();
const endpoint = await centavo.webhooks.endpoints.create({
  url: "https://example.com/hook",
  events: ["transaction.paid"],
});
const rotated = await centavo.webhooks.endpoints.rotateSecret(endpoint.id);
await centavo.webhooks.endpoints.change(endpoint.id, { description: "orders" });
await centavo.webhooks.endpoints.delete(endpoint.id);
const endpoints = await centavo.webhooks.endpoints.list();

const events: Event[] = [];
for await (const event of centavo.events.iterate({ pollMs: 100 })) events.push(event);
const payment = events.find(({ type }) => type === "transaction.paid");
const [first] = events;

process.stdout.write(
  JSON.stringify({
    company: me.company.name,
    qr: qr.slice(0, 4),
    png: new TextDecoder().decode(png.slice(1, 4)),
    cancelled: cancelled.status,
    refundedAmount: refunded.refundedAmount,
    refusal: refusal instanceof ApiError ? refusal.problem.refundableCents : null,
    uncaptured: uncaptured instanceof ApiError ? uncaptured.code : null,
    ignored: unknown instanceof IgnoredFieldsError ? unknown.fields : null,
    paid: [paid.status, paid.paidAmount],
    found: found.map(({ providerTxId }) => providerTxId === charge.id),
    csv: csv.trim().split("\n").length,
    timeline: timeline.items.length > 2,
    receipt: "signature" in receipt,
    pdf: new TextDecoder().decode(pdf.slice(0, 5)),
    withdraws,
    available: Number.isSafeInteger(balance.availableCents),
    gross: days.items.map(({ gross }) => gross),
    reconciled: reconciled.items.map(({ result }) => result),
    link: link.status,
    code: code.amount,
    disputes: disputes.items,
    secrets: [endpoint.secret, rotated.secret].map((secret) => secret.slice(0, 6)),
    endpoints: endpoints.items,
    events: events.map(({ companySequence }) => companySequence),
    payment: payment?.type === "transaction.paid" ? payment.data?.externalRef : null,
    first: first?.type.startsWith("transaction."),
  }),
);
