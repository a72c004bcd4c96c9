import type {
  AnchorEventType,
  EventType,
  SettingsEventType,
  SubscriptionEventType,
  TestEventType,
} from "../../../src/domain/events/event-types.ts";
import type { Centavo, Schemas } from "../src/index.ts";

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
  kind: "transaction" | "withdraw" | "payment" | "link" | "subscription" | "company";
  id: string | number;
}

type Charge = CreatedObject & { id: string };
type Payout = CreatedObject & { id: number };
type Rule = Schemas["CompanySettings"]["unexpectedPayments"]["NO_CHARGE"];

export interface Recipe {
  /** A short description for the list. */
  description: string;
  /** Creates the event's object at the service with this URL. Throws `CentavoError` when it refuses a request. */
  run: (centavo: Centavo, base: string) => Promise<CreatedObject>;
}

/** Events of a withdraw that waits for an approval. */
type ApprovalEventType = "withdraw.awaiting_approval" | "withdraw.approved" | "withdraw.refused";

/** Events of a subscription that take days of the clock, as in a scenario. */
type LaterEventType = Exclude<
  SubscriptionEventType,
  `subscription.${"created" | "approved" | "rejected" | "paused" | "resumed" | "cancelled" | "charge_scheduled"}`
>;

/**
 * How to cause each event in the sandbox. `ledger.anchored` is missing: only the cron anchors ledgers. So are the
 * events of an approval, which takes two applications, of settings: a threshold goes away only a day later, and of
 * debits that fail on their day.
 */
export const RECIPES: Record<
  Exclude<
    EventType,
    TestEventType | AnchorEventType | ApprovalEventType | SettingsEventType | LaterEventType
  >,
  Recipe
> = {
  "transaction.authorized": {
    description: "a card that is authorized and not captured",
    run: (centavo) => chargedCard(centavo, APPROVED_CARD, false),
  },
  "transaction.paid": {
    description: "a charge that is paid",
    run: (centavo) => paidCharge(centavo),
  },
  "transaction.refused": {
    description: "a card without funds",
    run: (centavo) => chargedCard(centavo, CARD_WITHOUT_FUNDS, true),
  },
  "transaction.failed": {
    description: "a charge that fails at the bank",
    run: async (centavo) => {
      const charge = await openCharge(centavo, CHARGE_CENTS);
      await centavo.sandbox.fail(charge.id);
      return charge;
    },
  },
  "transaction.cancelled": {
    description: "a charge that you cancel",
    run: async (centavo) => {
      const charge = await openCharge(centavo, CHARGE_CENTS);
      await centavo.transactions.cancel(charge.id);
      return charge;
    },
  },
  "transaction.refunded": {
    description: "a paid charge that you refund",
    run: async (centavo) => {
      const charge = await paidCharge(centavo);
      await centavo.transactions.refund(charge.id);
      return charge;
    },
  },
  "transaction.partially_refunded": {
    description: "a paid charge that you refund in part",
    run: async (centavo) => {
      const charge = await paidCharge(centavo);
      await centavo.transactions.refund(charge.id, { amount: PART_CENTS });
      return charge;
    },
  },
  "transaction.disputed": {
    description: "a paid charge that the payer disputes",
    run: disputedCharge,
  },
  "transaction.chargeback_reversed": {
    description: "a card's chargeback that its bank reverses",
    run: async (centavo) => {
      const charge = await chargedCard(centavo, APPROVED_CARD, true);
      await centavo.sandbox.chargeBack(charge.id);
      await centavo.sandbox.reverseChargeback(charge.id);
      return charge;
    },
  },
  "withdraw.processing": { description: "a withdraw that is sent", run: sentWithdraw },
  "withdraw.paid": { description: "a withdraw that is paid", run: sentWithdraw },
  "withdraw.failed": {
    description: "a withdraw that the receiving bank refuses",
    run: async (centavo) => {
      await fund(centavo);
      return requestWithdraw(centavo, REFUSED_WITHDRAW_CENTS);
    },
  },
  "withdraw.cancelled": { description: "a withdraw that you cancel", run: cancelledWithdraw },
  "withdraw.partially_returned": {
    description: "a paid withdraw of which the receiving bank sends a part back",
    run: (centavo) => returnedWithdraw(centavo, { amount: RETURNED_PART_CENTS }),
  },
  "withdraw.returned": {
    description: "a paid withdraw that the receiving bank sends back",
    run: (centavo) => returnedWithdraw(centavo),
  },
  "dispute.opened": { description: "a dispute that the payer's bank opens", run: disputedCharge },
  "dispute.won": {
    description: "a dispute that you win",
    run: (centavo) => resolvedDispute(centavo, "won"),
  },
  "dispute.lost": {
    description: "a dispute that you lose",
    run: (centavo) => resolvedDispute(centavo, "lost"),
  },
  "payment.unexpected": {
    description: "a payment without a charge",
    run: (centavo) => unexpectedPayment(centavo),
  },
  "payment.credited": {
    description: "a payment without a charge that you credit",
    run: async (centavo) => {
      const payment = await unexpectedPayment(centavo);
      await centavo.payments.credit(payment.id);
      return payment;
    },
  },
  "payment.returned": {
    description: "a payment without a charge that you return",
    run: async (centavo) => {
      const payment = await unexpectedPayment(centavo);
      await centavo.payments.return(payment.id);
      return payment;
    },
  },
  "payment.return_failed": {
    description: "a payment without a charge whose return the payer's bank refuses",
    run: (centavo) =>
      withRule(centavo, "return", () => unexpectedPayment(centavo, NO_RETURN_CENTS)),
  },
  "payment_link.paid": {
    description: "a payment link that a payer uses",
    run: (centavo, base) => paidLink(centavo, base, null),
  },
  "payment_link.exhausted": {
    description: "a payment link for one payment that a payer uses",
    run: (centavo, base) => paidLink(centavo, base, 1),
  },
  "subscription.created": {
    description: "a subscription that you make",
    run: (centavo) => subscribed(centavo),
  },
  "subscription.approved": {
    description: "a subscription that its payer approves",
    run: (centavo) => approved(centavo),
  },
  "subscription.charge_scheduled": {
    description: "a subscription whose first debit is due in a few days",
    run: (centavo) => approved(centavo),
  },
  "subscription.rejected": {
    description: "a subscription that its payer refuses",
    run: async (centavo) => {
      const made = await subscribed(centavo);
      await centavo.sandbox.rejectSubscription(made.id);
      return made;
    },
  },
  "subscription.paused": { description: "a subscription that you pause", run: paused },
  "subscription.resumed": {
    description: "a subscription that you pause and resume",
    run: async (centavo) => {
      const made = await paused(centavo);
      await centavo.subscriptions.resume(made.id);
      return made;
    },
  },
  "subscription.cancelled": {
    description: "a subscription that you cancel",
    run: async (centavo) => {
      const made = await subscribed(centavo);
      await centavo.subscriptions.cancel(made.id);
      return made;
    },
  },
  "company.frozen": { description: "a company that you freeze", run: frozenCompany },
  "company.unfrozen": { description: "a company whose freeze you end", run: frozenCompany },
  "balance.released": {
    description: "a disputed charge whose money you win back",
    run: (centavo) => resolvedDispute(centavo, "won"),
  },
};

async function chargedCard(centavo: Centavo, number: string, capture: boolean): Promise<Charge> {
  const created = await centavo.transactions.create({
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
  return { kind: "transaction", id: created.id };
}

async function openCharge(centavo: Centavo, amount: number): Promise<Charge> {
  const created = await centavo.transactions.create({
    amount,
    paymentMethod: "PIX",
    customer: { name: "Maria da Silva" },
  });
  return { kind: "transaction", id: created.id };
}

async function paidCharge(centavo: Centavo, amount = CHARGE_CENTS): Promise<Charge> {
  const charge = await openCharge(centavo, amount);
  await centavo.sandbox.pay(charge.id);
  return charge;
}

/** Makes a payment link, and plays the payer who opens it, sends its form and pays. */
async function paidLink(
  centavo: Centavo,
  base: string,
  maxPayments: number | null,
): Promise<CreatedObject> {
  const body = { name: "Centavo CLI", amount: CHARGE_CENTS, maxPayments };
  const link = await centavo.links.create(body);
  const page = `${base}/l/${link.slug}`;
  const html = await (await fetch(page)).text();
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1];
  const form = { key: hidden("key") ?? "", checkout: hidden("checkout") ?? "", method: "PIX" };
  const sent = await fetch(page, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { Origin: base },
    redirect: "manual",
  });
  const secureId = sent.headers.get("Location")?.split("/").at(-1) ?? "";
  const status = await fetch(`${base}/api/checkout/status/${secureId}`);
  const { id } = (await status.json()) as { id: string };
  await centavo.sandbox.pay(id);
  return { kind: "link", id: link.id };
}

/** A debit a week ahead is ordered as soon as its payer has approved. */
const DEBIT_AHEAD_MS = 7 * 86_400_000;

type Subscribed = CreatedObject & { id: string };

async function subscribed(centavo: Centavo): Promise<Subscribed> {
  const { serverTime } = await centavo.me();
  const firstDueDate = new Date(Date.parse(serverTime) + DEBIT_AHEAD_MS).toISOString().slice(0, 10);
  const { id } = await centavo.subscriptions.create({
    customer: { name: "Maria da Silva", document: { number: "12345678909" } },
    description: "Clube do livro",
    amount: CHARGE_CENTS,
    period: "MONTHLY",
    firstDueDate,
    journey: "QR",
  });
  return { kind: "subscription", id };
}

/** Its first debit is opened at once, and ordered: it is due soon. */
async function approved(centavo: Centavo): Promise<Subscribed> {
  const made = await subscribed(centavo);
  await centavo.sandbox.approveSubscription(made.id);
  const [next] = (await centavo.subscriptions.get(made.id)).nextCharges;
  if (next !== undefined)
    await centavo.subscriptions.openCharge(made.id, { dueDate: next.dueDate });
  return made;
}

async function paused(centavo: Centavo): Promise<Subscribed> {
  const made = await approved(centavo);
  await centavo.subscriptions.pause(made.id);
  return made;
}

async function disputedCharge(centavo: Centavo): Promise<Charge> {
  const charge = await paidCharge(centavo);
  await centavo.sandbox.dispute(charge.id);
  return charge;
}

async function resolvedDispute(centavo: Centavo, outcome: "won" | "lost"): Promise<Charge> {
  const charge = await disputedCharge(centavo);
  await centavo.sandbox.resolveDispute(charge.id, { outcome });
  return charge;
}

/** Plays a payer who pays without a charge. */
async function unexpectedPayment(centavo: Centavo, amount = CHARGE_CENTS): Promise<Charge> {
  const payment = await centavo.sandbox.payWithoutCharge({ amount });
  return { kind: "payment", id: payment.paymentId };
}

/** Sets the rule for payments without a charge, and afterwards the earlier one again. */
async function withRule(
  centavo: Centavo,
  rule: Rule,
  run: () => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { unexpectedPayments } = await centavo.settings.get();
  const change = (to: Rule) => centavo.settings.change({ unexpectedPayments: { NO_CHARGE: to } });
  await change(rule);
  try {
    return await run();
  } finally {
    await change(unexpectedPayments.NO_CHARGE);
  }
}

/** Freezes the company and ends that at once. */
async function frozenCompany(centavo: Centavo): Promise<CreatedObject> {
  await centavo.sandbox.changeTerms({ frozen: true });
  await centavo.sandbox.changeTerms({ frozen: false });
  return { kind: "company", id: "freeze" };
}

async function fund(centavo: Centavo): Promise<void> {
  await paidCharge(centavo, FUNDS_CENTS);
}

async function returnedWithdraw(centavo: Centavo, part?: { amount: number }): Promise<Payout> {
  const withdraw = await sentWithdraw(centavo);
  await centavo.sandbox.payWithdraw(withdraw.id);
  await centavo.sandbox.returnWithdraw(withdraw.id, part);
  return withdraw;
}

async function sentWithdraw(centavo: Centavo): Promise<Payout> {
  await fund(centavo);
  return requestWithdraw(centavo, WITHDRAW_CENTS);
}

/** Pays to a new PIX key each time: no duplicate of another withdraw, and no registered key is needed. */
async function requestWithdraw(centavo: Centavo, amount: number): Promise<Payout> {
  const withdraw = await centavo.withdraws.request({
    amount,
    pixKey: crypto.randomUUID(),
    pixKeyType: "EVP",
  });
  return { kind: "withdraw", id: withdraw.id };
}

/** The sandbox sends a withdraw after two seconds; it can be cancelled until then. */
async function cancelledWithdraw(centavo: Centavo): Promise<Payout> {
  const withdraw = await sentWithdraw(centavo);
  await centavo.withdraws.cancel(withdraw.id);
  return withdraw;
}
