import { givenLink } from "../charges/payment-links.ts";
import { call } from "../requests/api.ts";
import { FULL_REQUEST } from "../requests/full-request.ts";
import { givenCard, givenToken } from "../charges/card.ts";
import { createTransaction, givenTransaction, pay } from "../charges/transaction.ts";
import { refund } from "../operations/refund.ts";
import { changeSettings } from "../withdraws/approvals.ts";
import { requestWithdraw } from "../withdraws/withdraw.ts";
import { givenMember } from "../console/members.ts";
import { givenCompany, waitUntilDrained, type TestCompany } from "./company.ts";

/** In every free text of a marked company. */
export const MARKER = "marked-secret";

export interface MarkedCompany {
  company: TestCompany;
  /** An id of each kind, by the segment of the path before it. */
  ids: Record<string, string>;
  transactionId: string;
  cardToken: string;
  /** The key of its create request. */
  idempotencyKey: string;
}

/** A company that has one of everything a request can ask for. Every text in it has the marker. */
export async function givenMarkedCompany(): Promise<MarkedCompany> {
  const company = await givenCompany({
    balance: 50_000,
    webhookUrl: `https://${MARKER}.example.com/hook`,
  });
  const idempotencyKey = `tx_${MARKER}`;
  const texts = {
    externalRef: MARKER,
    metadata: MARKER,
    customer: { ...FULL_REQUEST.customer, name: MARKER, email: `${MARKER}@example.com` },
    postbackUrl: `https://${MARKER}.example.com/postback`,
  };
  await createTransaction(company, { ...FULL_REQUEST, ...texts }, { key: idempotencyKey });
  const { id } = await givenTransaction(company, { ...FULL_REQUEST, ...texts });
  await pay(company, id);
  const code = await call("/api/v1/pix/static-codes", { company, body: { description: MARKER } });
  await requestWithdraw(company, { description: MARKER, pixKey: `${MARKER}@example.com` });
  // An open one is changed by the object's alarm, at a time that no test knows.
  await call("/api/v1/sandbox/withdraws/1/pay", { method: "POST", company });
  await call(`/api/v1/sandbox/transactions/${id}/dispute`, { method: "POST", company });
  await call(`/api/v1/sandbox/payments`, {
    company,
    body: { amount: 700, payer: { name: MARKER } },
  });
  const waiting = await givenWaitingRefund(company, texts);
  await waitUntilDrained(company);
  const link = await givenLink(company, { name: MARKER, metadata: MARKER });
  const member = await givenMember(company, "viewer", MARKER);
  const invitation = await call("/api/v1/people/invitations", {
    company,
    body: { email: `${MARKER}@example.com`, role: "viewer" },
  });
  const saved = await givenCard(company, { saveCard: true }, texts);
  const subscription = await call("/api/v1/subscriptions", {
    company,
    body: {
      customer: { name: MARKER, document: { number: "12345678909" } },
      description: MARKER,
      amount: 4_990,
      period: "MONTHLY",
      firstDueDate: "2099-12-10",
      journey: "QR",
      retry: "none",
    },
  });
  const view = await call("/api/v1/saved-views", {
    company,
    body: { name: MARKER, filters: { externalRef: MARKER } },
  });
  const disputes = await call("/api/v1/disputes", { company });
  const payments = await call("/api/v1/payments/unexpected", { company });
  const events = await call("/api/v1/events", { company });
  const deliveries = await call("/api/v1/webhooks/deliveries", { company });
  const endpoint = await call("/api/v1/webhooks/endpoints", {
    company,
    body: { url: "https://loja.example.com/erp", events: ["*"], description: MARKER },
  });
  return {
    company,
    ids: {
      endpoints: endpoint.body.data.id,
      transactions: id,
      transactionByTransactionId: id,
      Withdraw: "1",
      withdraws: "1",
      events: events.body.items[0].id,
      deliveries: deliveries.body.items[0].id,
      balance: String(company.id),
      statement: String(company.id),
      forecast: String(company.id),
      applications: company.clientId,
      pending: "refundApprovalAbove",
      refunds: waiting,
      disputes: disputes.body.items[0].id,
      unexpected: payments.body.items[0].id,
      "static-codes": code.body.data.id,
      "payment-links": link.id,
      people: member.id,
      invitations: invitation.body.data.id,
      "saved-views": view.body.data.id,
      cards: saved.card.savedCardId,
      subscriptions: subscription.body.data.id,
    },
    transactionId: id,
    cardToken: await givenToken(company),
    idempotencyKey,
  };
}

/** The id of a refund that waits for an approval; the company's looser limit waits for its cool-down. */
async function givenWaitingRefund(company: TestCompany, texts: object): Promise<string> {
  const { id } = await givenTransaction(company, { ...FULL_REQUEST, ...texts });
  await pay(company, id);
  await changeSettings(company, { refundApprovalAbove: 1 });
  const asked = await refund(company, id, 2);
  await changeSettings(company, { refundApprovalAbove: 1_000 });
  return asked.body.data.refunds[0].id;
}
