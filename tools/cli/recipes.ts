import type {
  AnchorEventType,
  EventType,
  TestEventType,
} from "../../src/domain/events/event-types.ts";
import type { ApiClient } from "../lib/merchant.ts";
import { ask } from "./gateway.ts";

/* oxlint-disable typescript/no-explicit-any -- a client reads whatever JSON comes */

const CHARGE_CENTS = 2_500;
const PART_CENTS = 1_000;
/** The smallest withdraw; the sandbox's bank pays it. */
const WITHDRAW_CENTS = 1_000;
/** Of it, what comes back where a part does. */
const RETURNED_PART_CENTS = 400;
/** The sandbox's bank refuses what ends in .99 (`product.md` section 9). */
const REFUSED_WITHDRAW_CENTS = 1_099;
/** Pays for the withdraw that a recipe makes, with its fee. */
const FUNDS_CENTS = 5_000;
/** Test numbers of the sandbox's acquirer (`product.md` section 9). */
const APPROVED_CARD = "4242424242424242";
const CARD_WITHOUT_FUNDS = "4000000000009995";

/** What an event is about. */
export interface Made {
  kind: "transaction" | "withdraw";
  id: string | number;
}

export interface Recipe {
  /** In a few words, for the list. */
  how: string;
  /** Makes it happen. Throws `Failure` where the service or the sandbox says no. */
  play: (client: ApiClient) => Promise<Made>;
}

/** How each event of an object comes about in the sandbox. A ledger is anchored by the cron alone. */
export const RECIPES: Record<Exclude<EventType, TestEventType | AnchorEventType>, Recipe> = {
  "transaction.authorized": {
    how: "a card that is authorized and not captured",
    play: (client) => chargedCard(client, APPROVED_CARD, false),
  },
  "transaction.paid": { how: "a charge that is paid", play: paidCharge },
  "transaction.refused": {
    how: "a card without funds",
    play: (client) => chargedCard(client, CARD_WITHOUT_FUNDS, true),
  },
  "transaction.failed": {
    how: "a charge that fails at the bank",
    play: async (client) => {
      const charge = await openCharge(client, CHARGE_CENTS);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/fail`);
      return charge;
    },
  },
  "transaction.cancelled": {
    how: "a charge that you cancel",
    play: async (client) => {
      const charge = await openCharge(client, CHARGE_CENTS);
      await post(client, `/api/v1/transactions/${charge.id}/cancel`);
      return charge;
    },
  },
  "transaction.refunded": {
    how: "a paid charge that you refund",
    play: async (client) => {
      const charge = await paidCharge(client);
      await post(client, `/api/v1/transactions/${charge.id}/refund`);
      return charge;
    },
  },
  "transaction.partially_refunded": {
    how: "a paid charge that you refund in part",
    play: async (client) => {
      const charge = await paidCharge(client);
      await post(client, `/api/v1/transactions/${charge.id}/refund`, { amount: PART_CENTS });
      return charge;
    },
  },
  "transaction.disputed": { how: "a paid charge that the payer disputes", play: disputedCharge },
  "transaction.chargeback_reversed": {
    how: "a card's chargeback that its bank reverses",
    play: async (client) => {
      const charge = await chargedCard(client, APPROVED_CARD, true);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/chargeback`);
      await post(client, `/api/v1/sandbox/transactions/${charge.id}/chargeback/reverse`);
      return charge;
    },
  },
  "withdraw.processing": { how: "a withdraw that is sent", play: sentWithdraw },
  "withdraw.paid": { how: "a withdraw that is paid", play: sentWithdraw },
  "withdraw.failed": {
    how: "a withdraw that the receiving bank refuses",
    play: async (client) => {
      await fund(client);
      return requestWithdraw(client, REFUSED_WITHDRAW_CENTS);
    },
  },
  "withdraw.cancelled": { how: "a withdraw that you cancel", play: cancelledWithdraw },
  "withdraw.partially_returned": {
    how: "a paid withdraw of which the receiving bank sends a part back",
    play: (client) => returnedWithdraw(client, { amount: RETURNED_PART_CENTS }),
  },
  "withdraw.returned": {
    how: "a paid withdraw that the receiving bank sends back",
    play: (client) => returnedWithdraw(client),
  },
  "balance.released": {
    how: "a disputed charge whose money you win back",
    play: async (client) => {
      const charge = await disputedCharge(client);
      const resolve = `/api/v1/sandbox/transactions/${charge.id}/dispute/resolve`;
      await post(client, resolve, { outcome: "won" });
      return charge;
    },
  },
};

async function chargedCard(client: ApiClient, number: string, capture: boolean): Promise<Made> {
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

async function openCharge(client: ApiClient, amount: number): Promise<Made> {
  const created = await post(client, "/api/v1/transactions/create", {
    amount,
    paymentMethod: "PIX",
    customer: { name: "Maria da Silva" },
  });
  return { kind: "transaction", id: created.data.id };
}

async function paidCharge(client: ApiClient, amount = CHARGE_CENTS): Promise<Made> {
  const charge = await openCharge(client, amount);
  await post(client, `/api/v1/sandbox/transactions/${charge.id}/pay`);
  return charge;
}

async function disputedCharge(client: ApiClient): Promise<Made> {
  const charge = await paidCharge(client);
  await post(client, `/api/v1/sandbox/transactions/${charge.id}/dispute`);
  return charge;
}

async function fund(client: ApiClient): Promise<void> {
  await paidCharge(client, FUNDS_CENTS);
}

async function returnedWithdraw(client: ApiClient, part?: { amount: number }): Promise<Made> {
  const withdraw = await sentWithdraw(client);
  await post(client, `/api/v1/sandbox/withdraws/${withdraw.id}/pay`);
  await post(client, `/api/v1/sandbox/withdraws/${withdraw.id}/return`, part);
  return withdraw;
}

async function sentWithdraw(client: ApiClient): Promise<Made> {
  await fund(client);
  return requestWithdraw(client, WITHDRAW_CENTS);
}

/** To a key of its own, so that it is no repeat of another and needs no registered key. */
async function requestWithdraw(client: ApiClient, amount: number): Promise<Made> {
  const withdraw = await post(client, "/api/Withdraw/request", {
    amount,
    pixKey: crypto.randomUUID(),
    pixKeyType: "EVP",
  });
  return { kind: "withdraw", id: withdraw.id };
}

/** The sandbox sends it after two seconds; until then it can be cancelled. */
async function cancelledWithdraw(client: ApiClient): Promise<Made> {
  const withdraw = await sentWithdraw(client);
  await post(client, `/api/Withdraw/${withdraw.id}/cancel`);
  return withdraw;
}

/** Under a new key, where the route takes one. */
function post(client: ApiClient, path: string, body?: Record<string, unknown>): Promise<any> {
  return ask(client, {
    method: "POST",
    path,
    key: crypto.randomUUID(),
    ...(body === undefined ? {} : { body }),
  });
}
