import { isoTime } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";
import type { PaymentMethod } from "./charge-status.ts";
import type { PaidBy } from "./transaction.ts";

/**
 * `credited`: the money is the company's. `kept`: it arrived, but no charge expected it. `disputed`: its payer's
 * bank asks it back. The others went back, in part or whole.
 */
export const RECEIVED_STATUSES = [
  "credited",
  "kept",
  "disputed",
  "partly_returned",
  "returned",
] as const;
export type ReceivedStatus = (typeof RECEIVED_STATUSES)[number];

/** A payment that arrived. Centavos, epoch milliseconds. */
export interface ReceivedPayment {
  /** The provider's id; of a PIX the end-to-end id (BACEN). */
  paymentId: string;
  /** Null if no charge has it. */
  transactionId: string | null;
  paymentMethod: PaymentMethod;
  amount: Cents;
  paidAt: number;
  paidBy: PaidBy | null;
  status: ReceivedStatus;
}

const MINUTE = 60_000;

/**
 * The time around a named minute in which a payment counts as that one: clocks differ by a minute or two, and a
 * provider may tell of a payment some minutes after it. Milliseconds.
 */
export const RECEIVED_MINUTES = { before: 2 * MINUTE, after: 3 * MINUTE, booking: 10 * MINUTE };

/** A received payment as the API shows it: of the payer no more than a first name and a masked document. */
export function receivedPaymentView(payment: ReceivedPayment) {
  const { paymentId, transactionId, paymentMethod, amount, paidAt, paidBy, status } = payment;
  return {
    id: paymentId,
    transactionId,
    paymentMethod,
    amount,
    paidAt: isoTime(paidAt),
    status,
    payer: {
      firstName: paidBy?.name?.trim().split(/\s+/)[0] ?? null,
      documentMasked: paidBy?.documentMasked ?? null,
    },
  };
}
