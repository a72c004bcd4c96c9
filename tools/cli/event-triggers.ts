import type {
  AnchorEventType,
  EventType,
  SettingsEventType,
  TestEventType,
} from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { requestJson } from "./gateway.ts";

/* oxlint-disable typescript/no-explicit-any -- a client reads whatever JSON comes */

const CHARGE_CENTS = 2_500;
const PART_CENTS = 1_000;
/** The smallest withdraw. The sandbox bank pays it. */
const WITHDRAW_CENTS = 1_000;
/** The returned part of a withdraw. */
const RETURNED_PART_CENTS = 400;
/** The sandbox bank refuses amounts that end in .99. */
const REFUSED_WITHDRAW_CENTS = 1_099;
/** The sandbox's bank refuses the return of a payment without a charge that ends in .99. */
const NO_RETURN_CENTS = 2_599;
/** Covers a recipe's withdraw and its fee. */
const FUNDS_CENTS = 5_000;
/** Test numbers of the sandbox acquirer (docs/api.md). */
const APPROVED_CARD = "4242424242424242";
const CARD_WITHOUT_FUNDS = "4000000000009995";

/** The object of an event. */
export interface CreatedObject {
  kind: "transaction" | "withdraw" | "payment" | "link" | "company";
  id: string | number;
}

export interface Recipe {
  /** A short description for the list. */
  description: string;
  /** Creates the event's object. Throws `CliError` when the service refuses a request. */
  run: (client: ApiClient) => Promise<CreatedObject>;
}

/** Events of a withdraw that waits for an approval. */
type ApprovalEventType = "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused";

/**
 * How to cause each event in the sandbox. `ledger.anchored` is missing: only the cron anchors ledgers. So are the
 * events of an approval, which takes two applications, and of settings: a threshold goes away only a day later.
 */
export const RECIPES: Record<
  Exclude<EventType, TestEventType | AnchorEventType | ApprovalEventType | SettingsEventType>,
  Recipe
> = {
  "transaction.authorized": {
    description: "a card that is authorized and not captured",
    run: (client) => chargedCard(client, APPROVED_CARD, false),
  },
  "transaction.paid": { description: "a charge that is paid", run: paidCharge },
  "transaction.refused": {
    description: "a card without funds",
    run: (client) => chargedCard(client, CARD_WITHOUT_FUNDS, true),
  },
  "transaction.failed": {
    description: "a charge that fails at the bank",
    run: async (client) => {
      const charge = await openCharge(client, CHARGE_CENTS);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/fail`);
      return charge;
    },
  },
  "transaction.cancelled": {
    description: "a charge that you cancel",
    run: async (client) => {
      const charge = await openCharge(client, CHARGE_CENTS);
      await post(client, `/api/v1/transactions/${charge.id}/cancel`);
      return charge;
    },
  },
  "transaction.refunded": {
    description: "a paid charge that you refund",
    run: async (client) => {
      const charge = await paidCharge(client);
      await post(client, `/api/v1/transactions/${charge.id}/refund`);
      return charge;
    },
  },
  "transaction.partially_refunded": {
    description: "a paid charge that you refund in part",
    run: async (client) => {
      const charge = await paidCharge(client);
      await post(client, `/api/v1/transactions/${charge.id}/refund`, { amount: PART_CENTS });
      return charge;
    },
  },
  "transaction.disputed": {
    description: "a paid charge that the payer disputes",
    run: disputedCharge,
  },
  "transaction.chargeback_reversed": {
    description: "a card's chargeback that its bank reverses",
    run: async (client) => {
      const charge = await chargedCard(client, APPROVED_CARD, true);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/chargeback`);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/chargeback/reverse`);
      return charge;
    },
  },
  "withdraw.processing": { description: "a withdraw that is sent", run: sentWithdraw },
  "withdraw.paid": { description: "a withdraw that is paid", run: sentWithdraw },
  "withdraw.failed": {
    description: "a withdraw that the receiving bank refuses",
    run: async (client) => {
      await fund(client);
      return requestWithdraw(client, REFUSED_WITHDRAW_CENTS);
    },
  },
  "withdraw.cancelled": { description: "a withdraw that you cancel", run: cancelledWithdraw },
  "withdraw.partially_returned": {
    description: "a paid withdraw of which the receiving bank sends a part back",
    run: (client) => returnedWithdraw(client, { amount: RETURNED_PART_CENTS }),
  },
  "withdraw.returned": {
    description: "a paid withdraw that the receiving bank sends back",
    run: (client) => returnedWithdraw(client),
  },
  "dispute.opened": { description: "a dispute that the payer's bank opens", run: disputedCharge },
  "dispute.won": {
    description: "a dispute that you win",
    run: (client) => resolvedDispute(client, "won"),
  },
  "dispute.lost": {
    description: "a dispute that you lose",
    run: (client) => resolvedDispute(client, "lost"),
  },
  "payment.unexpected": { description: "a payment without a charge", run: unexpectedPayment },
  "payment.credited": {
    description: "a payment without a charge that you credit",
    run: async (client) => {
      const payment = await unexpectedPayment(client);
      await post(client, `/api/v1/payments/unexpected/${payment.id}/credit`);
      return payment;
    },
  },
  "payment.returned": {
    description: "a payment without a charge that you return",
    run: async (client) => {
      const payment = await unexpectedPayment(client);
      await post(client, `/api/v1/payments/unexpected/${payment.id}/return`);
      return payment;
    },
  },
  "payment.return_failed": {
    description: "a payment without a charge whose return the payer's bank refuses",
    run: (client) => withRule(client, "return", () => unexpectedPayment(client, NO_RETURN_CENTS)),
  },
  "payment_link.paid": {
    description: "a payment link that a payer uses",
    run: (client) => paidLink(client, null),
  },
  "payment_link.exhausted": {
    description: "a payment link for one payment that a payer uses",
    run: (client) => paidLink(client, 1),
  },
  "company.frozen": { description: "a company that you freeze", run: frozenCompany },
  "company.unfrozen": { description: "a company whose freeze you end", run: frozenCompany },
  "balance.released": {
    description: "a disputed charge whose money you win back",
    run: (client) => resolvedDispute(client, "won"),
  },
};

async function chargedCard(
  client: ApiClient,
  number: string,
  capture: boolean,
): Promise<CreatedObject> {
  const created = await post(client, "/api/v1/transactions/create", {
    amount: CHARGE_CENTS,
    paymentMethod: "CREDIT_CARD",
    customer: { name: "Maria da Silva", document: { number: "12345678909", type: "CPF" } },
    card: {
      number,
      holderName: "MARIA DA SILVA",
      expirationMonth: 12,
      expirationYear: new Date().getFullYear() + 1,
      cvv: "123",
      capture,
    },
  });
  return { kind: "transaction", id: created.data.id };
}

async function openCharge(client: ApiClient, amount: number): Promise<CreatedObject> {
  const created = await post(client, "/api/v1/transactions/create", {
    amount,
    paymentMethod: "PIX",
    customer: { name: "Maria da Silva" },
  });
  return { kind: "transaction", id: created.data.id };
}

async function paidCharge(client: ApiClient, amount = CHARGE_CENTS): Promise<CreatedObject> {
  const charge = await openCharge(client, amount);
  await post(client, `/api/v1/sandbox/transactions/${charge.id}/pay`);
  return charge;
}

/** Makes a payment link, and plays the payer who opens it, sends its form and pays. */
async function paidLink(client: ApiClient, maxPayments: number | null): Promise<CreatedObject> {
  const body = { name: "Centavo CLI", amount: CHARGE_CENTS, maxPayments };
  const { data: link } = await post(client, "/api/v1/payment-links", body);
  const page = `${client.base}/l/${link.slug}`;
  const html = await (await fetch(page)).text();
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1];
  const form = { key: hidden("key") ?? "", checkout: hidden("checkout") ?? "", method: "PIX" };
  const sent = await fetch(page, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { Origin: client.base },
    redirect: "manual",
  });
  const secureId = sent.headers.get("Location")?.split("/").at(-1) ?? "";
  const path = `/api/checkout/status/${secureId}`;
  const { id } = await requestJson(client, { method: "GET", path });
  await post(client, `/api/v1/sandbox/transactions/${id}/pay`);
  return { kind: "link", id: link.id };
}

async function disputedCharge(client: ApiClient): Promise<CreatedObject> {
  const charge = await paidCharge(client);
  await post(client, `/api/v1/sandbox/transactions/${charge.id}/dispute`);
  return charge;
}

async function resolvedDispute(client: ApiClient, outcome: "won" | "lost"): Promise<CreatedObject> {
  const charge = await disputedCharge(client);
  await post(client, `/api/v1/sandbox/transactions/${charge.id}/dispute/resolve`, { outcome });
  return charge;
}

/** Plays a payer who pays without a charge. */
async function unexpectedPayment(client: ApiClient, amount = CHARGE_CENTS): Promise<CreatedObject> {
  const payment = await post(client, "/api/v1/sandbox/payments", { amount });
  return { kind: "payment", id: payment.paymentId };
}

/** Sets the rule for payments without a charge, and afterwards the earlier one again. */
async function withRule(
  client: ApiClient,
  rule: string,
  run: () => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const path = "/api/v1/company/settings";
  const { unexpectedPayments } = await requestJson(client, { method: "GET", path });
  const change = (value: string) =>
    requestJson(client, {
      method: "PUT",
      path,
      body: { unexpectedPayments: { NO_CHARGE: value } },
    });
  await change(rule);
  try {
    return await run();
  } finally {
    await change(unexpectedPayments.NO_CHARGE);
  }
}

/** Freezes the company and ends that at once. */
async function frozenCompany(client: ApiClient): Promise<CreatedObject> {
  const path = "/api/v1/sandbox/settings";
  await requestJson(client, { method: "PUT", path, body: { frozen: true } });
  await requestJson(client, { method: "PUT", path, body: { frozen: false } });
  return { kind: "company", id: "freeze" };
}

async function fund(client: ApiClient): Promise<void> {
  await paidCharge(client, FUNDS_CENTS);
}

async function returnedWithdraw(
  client: ApiClient,
  part?: { amount: number },
): Promise<CreatedObject> {
  const withdraw = await sentWithdraw(client);
  await post(client, `/api/v1/sandbox/withdraws/${withdraw.id}/pay`);
  await post(client, `/api/v1/sandbox/withdraws/${withdraw.id}/return`, part);
  return withdraw;
}

async function sentWithdraw(client: ApiClient): Promise<CreatedObject> {
  await fund(client);
  return requestWithdraw(client, WITHDRAW_CENTS);
}

/** Pays to a new PIX key each time: no duplicate of another withdraw, and no registered key is needed. */
async function requestWithdraw(client: ApiClient, amount: number): Promise<CreatedObject> {
  const withdraw = await post(client, "/api/Withdraw/request", {
    amount,
    pixKey: crypto.randomUUID(),
    pixKeyType: "EVP",
  });
  return { kind: "withdraw", id: withdraw.id };
}

/** The sandbox sends a withdraw after two seconds; it can be cancelled until then. */
async function cancelledWithdraw(client: ApiClient): Promise<CreatedObject> {
  const withdraw = await sentWithdraw(client);
  await post(client, `/api/Withdraw/${withdraw.id}/cancel`);
  return withdraw;
}

/** Sends a new idempotency key with every request. */
function post(client: ApiClient, path: string, body?: Record<string, unknown>): Promise<any> {
  return requestJson(client, {
    method: "POST",
    path,
    key: crypto.randomUUID(),
    ...(body === undefined ? {} : { body }),
  });
}
