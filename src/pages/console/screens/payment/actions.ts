import {
  chargeBackSandboxTransaction,
  disputeSandboxTransaction,
  expireSandboxTransaction,
  failSandboxTransaction,
  paySandboxTransaction,
  resolveSandboxDispute,
  reverseSandboxChargeback,
} from "../../../../api/sandbox/routes.ts";
import {
  cancelTransaction,
  captureTransaction,
  changeDueDate,
  refundTransaction,
} from "../../../../api/transactions/routes.ts";
import type { Cents } from "../../../../domain/shared/money.ts";
import type { Scope } from "../../../../domain/shared/company.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteAnswer } from "../../../../http/openapi/route-types.ts";
import { refundable, type Payment } from "./payment.ts";

export const ACTIONS = [
  "refund",
  "due-date",
  "cancel",
  "capture",
  "pay",
  "expire",
  "fail",
  "dispute",
  "dispute-won",
  "dispute-lost",
  "chargeback",
  "chargeback-reversed",
] as const;

export type ActionName = (typeof ACTIONS)[number];

/** What an action's call sends. */
interface Ask {
  params: { id: string };
  /** Centavos; null for an action without an amount. */
  amount: Cents | null;
  /** `YYYY-MM-DD`; "" for an action without a day. */
  dueDate: string;
  key: { idempotencyKey?: string };
}

interface Action {
  /** What the person's role must have, and whether he proves his second factor again: his money leaves. */
  scope?: Scope;
  asksAgain?: true;
  /** Played in the test environment; such a call has no idempotency key. */
  isSimulated: boolean;
  isPossible: (payment: Payment) => boolean;
  run: (c: ConsoleContext, ask: Ask) => Promise<RouteAnswer<typeof refundTransaction>>;
  /** The most of it, in centavos, where a part may be chosen. */
  upTo?: (c: ConsoleContext, payment: Payment) => Cents | Promise<Cents>;
  /** Whether a day is chosen. */
  hasDay?: true;
}

const isOpen = ({ status }: Payment) => status === "WAITING_PAYMENT" || status === "AUTHORIZED";
const isWaiting = ({ status }: Payment) => status === "WAITING_PAYMENT";
const isPaid = ({ status }: Payment) => status === "PAID";
const isDisputed = ({ dispute }: Payment) => dispute?.status === "OPEN";

export const ACTION: Record<ActionName, Action> = {
  refund: {
    scope: "refunds:write",
    asksAgain: true,
    isSimulated: false,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
    upTo: refundable,
    run: (c, { params, amount, key }) =>
      callRoute(c, refundTransaction, { params, ...bodyOf(amount), ...key }),
  },
  "due-date": {
    isSimulated: false,
    isPossible: (payment) => isWaiting(payment) && payment.boleto !== undefined,
    hasDay: true,
    run: (c, { params, dueDate, key }) =>
      callRoute(c, changeDueDate, { params, json: { dueDate }, ...key }),
  },
  cancel: {
    isSimulated: false,
    isPossible: isOpen,
    run: (c, { params, key }) => callRoute(c, cancelTransaction, { params, ...key }),
  },
  capture: {
    isSimulated: false,
    isPossible: ({ status }) => status === "AUTHORIZED",
    upTo: (_c, { amount }) => amount,
    run: (c, { params, amount, key }) =>
      callRoute(c, captureTransaction, { params, ...bodyOf(amount), ...key }),
  },
  pay: {
    isSimulated: true,
    isPossible: isWaiting,
    run: (c, { params }) => callRoute(c, paySandboxTransaction, { params }),
  },
  expire: {
    isSimulated: true,
    isPossible: isWaiting,
    run: (c, { params }) => callRoute(c, expireSandboxTransaction, { params }),
  },
  fail: {
    isSimulated: true,
    isPossible: isWaiting,
    run: (c, { params }) => callRoute(c, failSandboxTransaction, { params }),
  },
  dispute: {
    isSimulated: true,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
    run: (c, { params }) => callRoute(c, disputeSandboxTransaction, { params }),
  },
  "dispute-won": {
    isSimulated: true,
    isPossible: isDisputed,
    run: (c, { params }) =>
      callRoute(c, resolveSandboxDispute, { params, json: { outcome: "won" } }),
  },
  "dispute-lost": {
    isSimulated: true,
    isPossible: isDisputed,
    run: (c, { params }) =>
      callRoute(c, resolveSandboxDispute, { params, json: { outcome: "lost" } }),
  },
  chargeback: {
    isSimulated: true,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
    run: (c, { params }) => callRoute(c, chargeBackSandboxTransaction, { params }),
  },
  "chargeback-reversed": {
    isSimulated: true,
    isPossible: ({ refundReason }) => refundReason === "CHARGEBACK",
    run: (c, { params }) => callRoute(c, reverseSandboxChargeback, { params }),
  },
};

/** The scope that an action needs. */
export function scopeOf(name: ActionName): Scope {
  return ACTION[name].scope ?? "transactions:write";
}

function bodyOf(amount: Cents | null) {
  return amount === null ? {} : { json: { amount } };
}
