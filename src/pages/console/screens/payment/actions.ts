import type { Cents } from "../../../../domain/shared/money.ts";
import type { Scope } from "../../../../domain/shared/company.ts";
import { apiPath, refundable, type Payment } from "./payment.ts";

export const ACTIONS = [
  "refund",
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

interface Action {
  /** What the person's role must have, and whether he proves his second factor again: his money leaves. */
  scope?: Scope;
  asksAgain?: true;
  /** Played in the test environment; such a call has no idempotency key. */
  isSimulated: boolean;
  isPossible: (payment: Payment) => boolean;
  /** The API's last words of its path, where they are not the action's name; and what the request says. */
  path?: string;
  body?: object;
  /** The most of it, in centavos, where a part may be chosen. */
  upTo?: (payment: Payment) => Cents;
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
  },
  cancel: { isSimulated: false, isPossible: isOpen },
  capture: {
    isSimulated: false,
    isPossible: ({ status }) => status === "AUTHORIZED",
    upTo: ({ amount }) => amount,
  },
  pay: { isSimulated: true, isPossible: isWaiting },
  expire: { isSimulated: true, isPossible: isWaiting },
  fail: { isSimulated: true, isPossible: isWaiting },
  dispute: {
    isSimulated: true,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
  },
  "dispute-won": {
    isSimulated: true,
    isPossible: isDisputed,
    path: "dispute/resolve",
    body: { outcome: "won" },
  },
  "dispute-lost": {
    isSimulated: true,
    isPossible: isDisputed,
    path: "dispute/resolve",
    body: { outcome: "lost" },
  },
  chargeback: {
    isSimulated: true,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
  },
  "chargeback-reversed": {
    isSimulated: true,
    isPossible: ({ refundReason }) => refundReason === "CHARGEBACK",
    path: "chargeback/reverse",
  },
};

/** The scope that an action needs. */
export function scopeOf(name: ActionName): Scope {
  return ACTION[name].scope ?? "transactions:write";
}

/** The API's path of an action. */
export function actionPath(name: ActionName, id: string): string {
  const { isSimulated, path = name } = ACTION[name];
  return isSimulated ? `/api/v1/sandbox/transactions/${id}/${path}` : `${apiPath(id)}/${path}`;
}
