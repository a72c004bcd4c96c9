import type { Cents } from "../../../../domain/shared/money.ts";
import type { Person } from "../../../../domain/access/person.ts";
import { apiPath, refundableBy, type Payment } from "./payment.ts";

export const ACTIONS = ["refund", "cancel", "capture", "pay", "expire", "fail", "dispute"] as const;

export type ActionName = (typeof ACTIONS)[number];

interface Action {
  /** Played in the test environment; such a call has no idempotency key. */
  isSimulated: boolean;
  isPossible: (payment: Payment) => boolean;
  /** The most of it, in centavos, where a part may be chosen. */
  upTo?: (payment: Payment, person: Person) => Cents;
}

const isOpen = ({ status }: Payment) => status === "WAITING_PAYMENT" || status === "AUTHORIZED";
const isWaiting = ({ status }: Payment) => status === "WAITING_PAYMENT";
const isPaid = ({ status }: Payment) => status === "PAID";
const isDisputed = ({ dispute }: Payment) => dispute?.status === "OPEN";

export const ACTION: Record<ActionName, Action> = {
  refund: {
    isSimulated: false,
    isPossible: (payment) => isPaid(payment) && !isDisputed(payment),
    upTo: (payment, person) => refundableBy(person, payment),
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
};

/** The API's path of an action. */
export function actionPath(name: ActionName, id: string): string {
  return ACTION[name].isSimulated
    ? `/api/v1/sandbox/transactions/${id}/${name}`
    : `${apiPath(id)}/${name}`;
}
